-- Memos of places (SPEC §4). A name that is unique over the whole workspace would tell a public place that a
-- private memo exists: it is unique where the memo was made. And where each came from, so that it goes with
-- the words it was made from.

ALTER TABLE memos DROP CONSTRAINT memos_name_key;
-- Who wrote it at the terminal. Empty: a reply did, for whoever asked.
ALTER TABLE memos ADD COLUMN made_by TEXT NOT NULL DEFAULT 'myao2';
ALTER TABLE memos ALTER COLUMN made_by DROP DEFAULT;
-- The channel's revision up to which a reply that wrote in it had read. NULL: none did.
ALTER TABLE memos ADD COLUMN read_revision BIGINT;
-- No channel: the owner's own, seen nowhere but at the terminal.
CREATE UNIQUE INDEX memos_by_name ON memos (coalesce(channel_id, ''), name);

-- The messages of its channel that were answered by writing it.
CREATE TABLE memo_sources (
    memo_id TEXT NOT NULL REFERENCES memos (id),
    ts BIGINT NOT NULL,
    PRIMARY KEY (memo_id, ts)
);
