-- Replies from the wish to the post (SPEC §4, DESIGN D), and how far a gap in hearing is filled (DESIGN A).
-- Times and message time stamps are microseconds since the epoch; top level is thread_ts 0; flags are 0 or 1.

CREATE TABLE replies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id TEXT NOT NULL,
    thread_ts INTEGER NOT NULL,
    -- mention, dm or judgment.
    cause TEXT NOT NULL,
    -- wanted, written, done, skipped or failed.
    state TEXT NOT NULL,
    -- 0: at once.
    not_before INTEGER NOT NULL,
    -- How often it was tried in vain.
    attempts INTEGER NOT NULL,
    -- Of a judgment: the newest message of the place when it was decided. 0 for what people asked for.
    latest_ts INTEGER NOT NULL,
    -- What was written says that there will be no answer.
    excuse INTEGER NOT NULL,
    -- Why it was put off, skipped or failed, in our own words.
    reason TEXT NOT NULL,
    call_id INTEGER,
    made_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;
-- Whatever waits in a place is answered together.
CREATE UNIQUE INDEX replies_wanted ON replies (channel_id, thread_ts) WHERE state = 'wanted';
CREATE INDEX replies_written ON replies (made_at, id) WHERE state = 'written';
CREATE INDEX replies_by_place ON replies (channel_id, thread_ts, changed_at);

CREATE TABLE reply_triggers (
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    reply_id INTEGER NOT NULL REFERENCES replies (id),
    PRIMARY KEY (channel_id, ts)
) STRICT;
CREATE INDEX reply_triggers_by_reply ON reply_triggers (reply_id);

CREATE TABLE reply_parts (
    reply_id INTEGER NOT NULL REFERENCES replies (id),
    -- From 1.
    part INTEGER NOT NULL,
    -- NULL once it is posted, or never will be: the post itself is in messages.
    text TEXT,
    -- ready, sending, posted or dropped.
    state TEXT NOT NULL,
    sent_at INTEGER,
    -- The time stamp that the platform gave the post.
    ts INTEGER,
    PRIMARY KEY (reply_id, part)
) STRICT;

-- How often a gap was opened, so that a sweep closes only what it has filled; and the stretch inside it that is
-- filled already, (swept_from, swept_to], so that a sweep goes on where it was.
ALTER TABLE channels ADD COLUMN gaps_opened INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN swept_from INTEGER;
ALTER TABLE channels ADD COLUMN swept_to INTEGER;
