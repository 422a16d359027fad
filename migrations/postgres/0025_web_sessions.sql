-- Who is signed in to the pages (ADR 55). `id` is what the browser holds, keyed by the password it was got with and hashed: a
-- copy of the database signs nobody in, and another password ends every session. `name`: what the journal calls them; `role`:
-- owner or reader.
CREATE TABLE web_sessions (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    begun_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
