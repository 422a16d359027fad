-- What people ask by a command or a button. The row is written before the platform is told that it arrived, and stays, so
-- that it is done once. What was typed and where the answer goes are kept until it is over, and no longer.
CREATE TABLE interactions (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    -- '' where it was asked in no channel.
    channel_id TEXT NOT NULL,
    -- command, button, foreign or unknown.
    kind TEXT NOT NULL,
    -- The command, or the name of the button.
    name TEXT NOT NULL,
    words TEXT NOT NULL,
    answer_to TEXT NOT NULL,
    arrived_at BIGINT NOT NULL,
    -- waiting, answering (an answer may have been sent), told (that it may have been lost) or over.
    state TEXT NOT NULL,
    -- How it ended: answered, refused, failed, uncertain or late.
    outcome TEXT NOT NULL DEFAULT '',
    over_at BIGINT
);
CREATE INDEX interactions_open ON interactions (arrived_at, key) WHERE state <> 'over';

-- Until when nothing is said unasked in a channel, because somebody there asked for that.
ALTER TABLE channels ADD COLUMN quiet_until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX channels_hushed ON channels (quiet_until) WHERE quiet_until > 0;
