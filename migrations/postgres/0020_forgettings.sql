-- What was forgotten for good (SPEC §6, ADR 47): who had it done, when, and how far it reached; never its words. While a
-- row stands, nothing that it covers is taken in again.
CREATE TABLE forgettings (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    by_hand TEXT NOT NULL,
    -- NULL: every channel.
    channel_id TEXT,
    -- 64 bits of somebody's id. NULL: everybody.
    person BIGINT,
    from_ts BIGINT NOT NULL,
    to_ts BIGINT NOT NULL,
    -- 1: only the messages that held certain words. They keep a tombstone each; nothing else is refused.
    by_words BIGINT NOT NULL,
    -- 1: everything of that person, their name included.
    is_person BIGINT NOT NULL,
    -- 1: that person wrote again since, as somebody new whose name may be known.
    returned BIGINT NOT NULL DEFAULT 0,
    -- wiping, sweeping, cleaning or done.
    stage TEXT NOT NULL,
    -- Whose messages they are, until it is done.
    user_id TEXT,
    messages BIGINT NOT NULL DEFAULT 0,
    -- Journal entries that lost their text.
    texts BIGINT NOT NULL DEFAULT 0,
    memos BIGINT NOT NULL DEFAULT 0,
    done_at BIGINT
);
CREATE INDEX forgettings_covering ON forgettings (to_ts) WHERE by_words = 0;
CREATE INDEX forgettings_under_way ON forgettings (id) WHERE stage <> 'done';
CREATE INDEX forgettings_of_absent ON forgettings (person) WHERE is_person = 1 AND returned = 0;

-- A message that is still to be wiped because of words in it.
CREATE TABLE forgetting_messages (
    forgetting_id BIGINT NOT NULL REFERENCES forgettings (id),
    channel_id TEXT NOT NULL,
    ts BIGINT NOT NULL,
    PRIMARY KEY (forgetting_id, channel_id, ts)
);

-- A term that wiped messages held: 64 bits of it, until every text was searched for those that nobody else says.
CREATE TABLE forgetting_terms (
    forgetting_id BIGINT NOT NULL REFERENCES forgettings (id),
    term BIGINT NOT NULL,
    PRIMARY KEY (forgetting_id, term)
);

-- The planner's statistics hold samples of what columns say. Of words it needs none, and none may stay there: a column
-- that is given its own type loses those it has.
ALTER TABLE messages ALTER COLUMN text TYPE TEXT, ALTER COLUMN files TYPE TEXT;
ALTER TABLE messages ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN files SET STATISTICS 0;
ALTER TABLE memory_steps ALTER COLUMN content TYPE TEXT, ALTER COLUMN reason TYPE TEXT;
ALTER TABLE memory_steps ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN content TYPE TEXT;
ALTER TABLE memories ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE memos
    ALTER COLUMN name TYPE TEXT,
    ALTER COLUMN content TYPE TEXT,
    ALTER COLUMN detail TYPE TEXT,
    ALTER COLUMN tags TYPE TEXT;
ALTER TABLE memos
    ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN detail SET STATISTICS 0,
    ALTER COLUMN tags SET STATISTICS 0;
ALTER TABLE memo_log ALTER COLUMN name TYPE TEXT, ALTER COLUMN old_text TYPE TEXT, ALTER COLUMN new_text TYPE TEXT;
ALTER TABLE memo_log
    ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN old_text SET STATISTICS 0,
    ALTER COLUMN new_text SET STATISTICS 0;
ALTER TABLE verdicts ALTER COLUMN reason TYPE TEXT;
ALTER TABLE verdicts ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE replies ALTER COLUMN reason TYPE TEXT;
ALTER TABLE replies ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE reply_parts ALTER COLUMN text TYPE TEXT;
ALTER TABLE reply_parts ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE setbacks ALTER COLUMN reason TYPE TEXT;
ALTER TABLE setbacks ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE unread_events ALTER COLUMN raw TYPE TEXT;
ALTER TABLE unread_events ALTER COLUMN raw SET STATISTICS 0;
ALTER TABLE users ALTER COLUMN name TYPE TEXT, ALTER COLUMN called TYPE TEXT;
ALTER TABLE users ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN called SET STATISTICS 0;
