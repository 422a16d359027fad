-- The messages that hold a secret (ADR 50), for `myao status` to name: which one, and the kinds, with blanks between; never
-- the secret. Rows come and go with the words, in the transaction that changes them.
CREATE TABLE message_secrets (
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    kinds TEXT NOT NULL,
    PRIMARY KEY (channel_id, ts)
) STRICT;
CREATE INDEX message_secrets_by_time ON message_secrets (ts);
-- In a new database everything is counted by the rules of the program that counts first.
UPDATE settings SET value = 'new' WHERE key = 'terms' AND NOT EXISTS (SELECT 1 FROM channels);
