-- Meanings of words of the house that a person ended by hand: one row for a message that says one. It holds no words. It goes
-- with the message, and once the message no longer says it.
CREATE TABLE house_word_ends (
    channel_id TEXT NOT NULL,
    message_ts INTEGER NOT NULL,
    -- 64 bits of the word and its meaning.
    pair INTEGER NOT NULL,
    -- When it was ended, in microseconds.
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (channel_id, message_ts, pair)
);
