-- What can be found again (ADR 42). A row is a message or the text of a memory; of its terms the index holds hashes and
-- where they stand, and no words. `rowid`: its channel's number, and of a message its time, of a memory its journal entry.
CREATE VIRTUAL TABLE recall USING fts5(terms, tokenize = 'ascii', detail = 'none', content = '', contentless_delete = 1);

-- How often terms stand in one row of 64: by these the common ones are known before they are looked up.
CREATE TABLE recall_samples (
    term TEXT NOT NULL PRIMARY KEY,
    sampled INTEGER NOT NULL
) WITHOUT ROWID;

-- A channel's part of a message's `rowid`; 0 before anything of it is found. None is given twice.
ALTER TABLE channels ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX channels_by_number ON channels (number) WHERE number > 0;

-- Messages up to this time stamp can be found; of a new channel all can, as they arrive. What was there before, and what
-- another rule made terms of, is indexed in the background (`settings`: recall, recall_steps).
ALTER TABLE channels ADD COLUMN recall_to INTEGER NOT NULL DEFAULT 9223372036854775807;
CREATE INDEX channels_to_index ON channels (id) WHERE recall_to < 9223372036854775807;
