-- Who changed which memo, and because of what (SPEC §4, ADR 34).

-- Who changed it last at the terminal. Empty: nobody did.
ALTER TABLE memos ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';

CREATE TABLE memo_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memo_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- added, changed, removed; gone: with words it was made from.
    deed TEXT NOT NULL,
    -- The memo's channel. Empty: the owner's own.
    channel_id TEXT NOT NULL,
    -- Who did it at the terminal. Empty: the reply did, or without one the program.
    by_hand TEXT NOT NULL,
    reply_id INTEGER,
    -- The memo's read_revision, or that of the reply. NULL: no reply ever wrote in it.
    read_revision INTEGER,
    -- A JSON list of what is different.
    fields TEXT NOT NULL,
    -- The memo's name then; JSON objects of these fields before and after. NULL: wiped.
    name TEXT,
    old_text TEXT,
    new_text TEXT,
    wiped_at INTEGER
) STRICT;
CREATE INDEX memo_log_by_memo ON memo_log (memo_id);
CREATE INDEX memo_log_by_channel ON memo_log (channel_id, id);
CREATE INDEX memo_log_by_time ON memo_log (at);

-- The messages that an entry's texts come from.
CREATE TABLE memo_log_sources (
    entry_id INTEGER NOT NULL REFERENCES memo_log (id),
    ts INTEGER NOT NULL,
    -- 1: this entry answered it; 0: the memo had it before.
    asked INTEGER NOT NULL,
    PRIMARY KEY (entry_id, ts)
) STRICT;

-- Whether a reply was made with words from outside in view. Of those that an older program wrote nobody knows.
ALTER TABLE replies ADD COLUMN mixed INTEGER NOT NULL DEFAULT 1;
CREATE INDEX reply_parts_by_post ON reply_parts (ts) WHERE ts IS NOT NULL;
