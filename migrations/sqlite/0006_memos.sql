-- Memos of places (SPEC §4). A name that is unique over the whole workspace would tell a public place that a
-- private memo exists: it is unique where the memo was made. And where each came from, so that it goes with
-- the words it was made from.

CREATE TABLE memos_of_places (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    priority INTEGER NOT NULL,
    -- A JSON list of words.
    tags TEXT NOT NULL,
    detail TEXT,
    -- Where it was made. NULL: the owner's own, seen nowhere but at the terminal.
    channel_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- Who wrote it at the terminal. Empty: a reply did, for whoever asked.
    made_by TEXT NOT NULL,
    -- The channel's revision up to which a reply that wrote in it had read. NULL: none did.
    read_revision INTEGER
) STRICT;
INSERT INTO memos_of_places
    (id, name, content, priority, tags, detail, channel_id, created_at, updated_at, made_by)
    SELECT id, name, content, priority, tags, detail, channel_id, created_at, updated_at, 'myao2' FROM memos;
DROP TABLE memos;
ALTER TABLE memos_of_places RENAME TO memos;
CREATE UNIQUE INDEX memos_by_name ON memos (coalesce(channel_id, ''), name);
CREATE INDEX memos_by_channel ON memos (channel_id);

-- The messages of its channel that were answered by writing it.
CREATE TABLE memo_sources (
    memo_id TEXT NOT NULL REFERENCES memos (id),
    ts INTEGER NOT NULL,
    PRIMARY KEY (memo_id, ts)
) STRICT;
