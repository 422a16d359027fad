-- Opting out (ADR 51). Here stands what somebody asked us who is never to be remembered, or in a channel that is not, until
-- it is answered: then the words go (`wiped` 1; 2 once they are out of SQLite's write-ahead log, too), and the row stays so
-- that nothing asks us twice and our own answer is not archived either. No read of talk knows this table.
CREATE TABLE passing_messages (
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    thread_ts INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    text TEXT NOT NULL,
    files TEXT NOT NULL,
    edited_ts INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    arrived_at INTEGER NOT NULL,
    wiped INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (channel_id, ts)
);
CREATE INDEX passing_messages_unwiped ON passing_messages (wiped) WHERE wiped < 2;
-- Who bore a name of `privacy.never_remember` once: whoever changes the name has not changed the wish. `kind`: user or
-- channel; the name as it is shown.
CREATE TABLE opted_out (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (kind, name, id)
);

-- Retention (ADR 52). An expired message keeps its row without words, `deleted` 2. `expired`: whether those of a chapter
-- have; `expired_to`: up to where those have that lie before a channel's memory. What arrives there later has no words.
ALTER TABLE chapters ADD COLUMN expired INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN expired_to INTEGER NOT NULL DEFAULT 0;
CREATE INDEX chapters_unexpired ON chapters (to_ts) WHERE expired = 0;
