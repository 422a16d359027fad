-- The rows of the index that recall_samples counts, each with the terms that it was counted under, so that a row that is
-- written anew or dropped is counted no more as it was. What was counted before is counted anew with the index.
CREATE TABLE recall_sampled (
    address INTEGER NOT NULL PRIMARY KEY,
    terms TEXT NOT NULL
);
