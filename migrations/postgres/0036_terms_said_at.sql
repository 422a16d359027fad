-- When a person first said the term, in microseconds: a text that was made earlier cannot be made from it.
ALTER TABLE forgetting_terms ADD COLUMN said_at BIGINT NOT NULL DEFAULT 0;
