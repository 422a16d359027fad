-- Threads that are still to be looked through for edits and deletions of what was said there since `recheck_from`. `latest`
-- is their newest message, by which they are ordered; `noted` counts how often they were noted.
CREATE TABLE threads_to_recheck (
    channel_id TEXT NOT NULL,
    root INTEGER NOT NULL,
    recheck_from INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    noted INTEGER NOT NULL,
    PRIMARY KEY (channel_id, root)
);

CREATE INDEX threads_to_recheck_by_latest ON threads_to_recheck (latest);
