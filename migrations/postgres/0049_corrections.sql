-- What people put right in the memories of a channel. Its words are the text of a journal entry of kind `correction`; once
-- that is wiped, nothing is put right any more.
CREATE TABLE corrections (
    step_id BIGINT NOT NULL PRIMARY KEY,
    channel_id TEXT NOT NULL,
    -- The memory in which it was put right, and the last message that this was made from.
    scope_id TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    until_ts BIGINT NOT NULL,
    -- 64 bits of what was wrong, and of each of its terms; no words. 0 and none once one of these is said no more.
    replaced BIGINT NOT NULL,
    replaced_terms TEXT NOT NULL,
    -- Who put it right, if it was somebody in the chat.
    user_id TEXT,
    -- The message that says it, if it was said in talk, and the mark behind what was wrong, which stays then.
    message_ts BIGINT,
    mark TEXT,
    -- When it was taken back, in microseconds.
    undone_at BIGINT
);
CREATE INDEX corrections_by_channel ON corrections (channel_id, step_id);
CREATE UNIQUE INDEX corrections_by_message ON corrections (channel_id, message_ts);
