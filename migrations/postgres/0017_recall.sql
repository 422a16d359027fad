-- What can be found again (ADR 42). A row is a message or the text of a memory; of its terms the index holds hashes, and
-- no words. `id`: its channel's number, and of a message its time, of a memory its journal entry.
CREATE TABLE recall (
    id BIGINT PRIMARY KEY,
    terms TSVECTOR NOT NULL
);
CREATE INDEX recall_by_term ON recall USING gin (terms);

-- How often terms stand in one row of 64: by these the common ones are known before they are looked up.
CREATE TABLE recall_samples (
    term TEXT NOT NULL PRIMARY KEY,
    sampled BIGINT NOT NULL
);

-- A channel's part of a message's `id`; 0 before anything of it is found. None is given twice.
ALTER TABLE channels ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX channels_by_number ON channels (number) WHERE number > 0;

-- Messages up to this time stamp can be found; of a new channel all can, as they arrive. What was there before, and what
-- another rule made terms of, is indexed in the background (`settings`: recall, recall_steps).
ALTER TABLE channels ADD COLUMN recall_to BIGINT NOT NULL DEFAULT 9223372036854775807;
CREATE INDEX channels_to_index ON channels (id) WHERE recall_to < 9223372036854775807;
