-- How often somebody was answered within the hour is asked before each reply, over the whole workspace.
CREATE INDEX replies_by_change ON replies (changed_at);
