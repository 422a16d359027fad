-- What each reply was shown (ADR 85). No words stand here.
CREATE TABLE reply_inputs (
    reply_id BIGINT NOT NULL,
    -- 'talk': messages of a channel. 'memory': a memory's text. 'memo'. 'reason': why it was decided to speak. 'channel':
    -- a channel's name. 'opt_outs': who had opted out.
    kind TEXT NOT NULL,
    -- Where it comes from; '' for what belongs to no channel.
    channel_id TEXT NOT NULL,
    -- Of talk: the first and the last message, and the root of the only thread that was shown of it; 0 for all threads.
    from_ts BIGINT NOT NULL,
    to_ts BIGINT NOT NULL,
    thread_ts BIGINT NOT NULL,
    -- Of talk: the channel's revision at the reading. Of a memo: when it was last changed. Of opt-outs: their number.
    revision BIGINT NOT NULL,
    -- A memory's journal entry, or a memo's id.
    about TEXT NOT NULL
);
CREATE INDEX reply_inputs_by_reply ON reply_inputs (reply_id);
CREATE INDEX reply_inputs_by_talk ON reply_inputs (channel_id, to_ts) WHERE kind = 'talk';
CREATE INDEX reply_inputs_by_text ON reply_inputs (about) WHERE kind IN ('memory', 'memo');
-- How often a reply was made anew because what it was made from no longer stood, and whether what was posted of it is
-- being taken back from the platform, to be made anew (1) or not (2).
ALTER TABLE replies ADD COLUMN made_anew BIGINT NOT NULL DEFAULT 0;
ALTER TABLE replies ADD COLUMN taken_back BIGINT NOT NULL DEFAULT 0;
-- Posts that are still to be deleted on the platform.
CREATE INDEX reply_parts_withdrawing ON reply_parts (reply_id) WHERE state = 'withdrawing';
-- Who opted out (`privacy.never_remember`), as the last program that was started has it: what they said before is shown
-- nowhere.
ALTER TABLE channels ADD COLUMN opted_out BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN opted_out BIGINT NOT NULL DEFAULT 0;
CREATE INDEX users_opted_out ON users (id) WHERE opted_out = 1;
