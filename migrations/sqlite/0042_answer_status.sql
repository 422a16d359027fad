-- While an answer is being written, the platform shows it: since when it may do so for a reply, 0 when it does not. What a
-- killed program left on is found by this.
ALTER TABLE replies ADD COLUMN shown_since INTEGER NOT NULL DEFAULT 0;
CREATE INDEX replies_shown ON replies (id) WHERE shown_since > 0;
-- A reply that somebody stopped while it was written: when, by the platform's clock, and who; '' if that is not known or
-- not to be kept. 0 for all others.
ALTER TABLE replies ADD COLUMN stopped_ts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE replies ADD COLUMN stopped_by TEXT NOT NULL DEFAULT '';
CREATE INDEX replies_stopped ON replies (changed_at, id) WHERE stopped_ts > 0;
