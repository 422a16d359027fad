-- What a person asked to be kept, and what was decided about speaking up (SPEC §4, DESIGN E).
-- Times and message time stamps are microseconds since the epoch; top level is thread_ts 0.

CREATE TABLE memos (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,
    priority INTEGER NOT NULL,
    -- A JSON list of words.
    tags TEXT NOT NULL,
    detail TEXT,
    -- Where it was made. NULL: nobody knows, so that only the owner sees it.
    channel_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX memos_by_channel ON memos (channel_id);

CREATE TABLE verdicts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id TEXT NOT NULL,
    thread_ts INTEGER NOT NULL,
    latest_ts INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    -- In thousandths; NULL when there was no verdict to be sure of.
    confidence INTEGER,
    reason TEXT NOT NULL,
    -- How long was waited before it was asked for, in microseconds.
    wait INTEGER,
    hold_until INTEGER,
    -- When to speak. NULL: not at all, or it was done.
    speak_at INTEGER,
    call_id INTEGER,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX verdicts_by_thread ON verdicts (channel_id, thread_ts, latest_ts);
