-- What was forgotten for good (SPEC §6, ADR 47): who had it done, when, and how far it reached; never its words. While a
-- row stands, nothing that it covers is taken in again.
CREATE TABLE forgettings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    by_hand TEXT NOT NULL,
    -- NULL: every channel.
    channel_id TEXT,
    -- 64 bits of somebody's id. NULL: everybody.
    person INTEGER,
    from_ts INTEGER NOT NULL,
    to_ts INTEGER NOT NULL,
    -- 1: only the messages that held certain words. They keep a tombstone each; nothing else is refused.
    by_words INTEGER NOT NULL,
    -- 1: everything of that person, their name included.
    is_person INTEGER NOT NULL,
    -- 1: that person wrote again since, as somebody new whose name may be known.
    returned INTEGER NOT NULL DEFAULT 0,
    -- wiping, sweeping, cleaning or done.
    stage TEXT NOT NULL,
    -- Whose messages they are, until it is done.
    user_id TEXT,
    messages INTEGER NOT NULL DEFAULT 0,
    -- Journal entries that lost their text.
    texts INTEGER NOT NULL DEFAULT 0,
    memos INTEGER NOT NULL DEFAULT 0,
    done_at INTEGER
) STRICT;
CREATE INDEX forgettings_covering ON forgettings (to_ts) WHERE by_words = 0;
CREATE INDEX forgettings_under_way ON forgettings (id) WHERE stage <> 'done';
CREATE INDEX forgettings_of_absent ON forgettings (person) WHERE is_person = 1 AND returned = 0;

-- A message that is still to be wiped because of words in it.
CREATE TABLE forgetting_messages (
    forgetting_id INTEGER NOT NULL REFERENCES forgettings (id),
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    PRIMARY KEY (forgetting_id, channel_id, ts)
) WITHOUT ROWID;

-- A term that wiped messages held: 64 bits of it, until every text was searched for those that nobody else says.
CREATE TABLE forgetting_terms (
    forgetting_id INTEGER NOT NULL REFERENCES forgettings (id),
    term INTEGER NOT NULL,
    PRIMARY KEY (forgetting_id, term)
) WITHOUT ROWID;
