-- What other programs show to ask for memories. Of a secret only its hash is kept, so a copy of the database lets nobody
-- in. A token that was revoked stays as a row: the name tells who wrote what, and may be given again to another token.
CREATE TABLE agent_tokens (
    agent TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    -- owner, open or channels; then `channels` is a JSON list of ids.
    sees TEXT NOT NULL,
    channels TEXT NOT NULL,
    may_write INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    used_at INTEGER,
    revoked_at INTEGER
);
CREATE UNIQUE INDEX agent_tokens_by_name ON agent_tokens (name) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX agent_tokens_by_secret ON agent_tokens (secret_hash);
