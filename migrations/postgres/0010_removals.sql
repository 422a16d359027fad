-- That words were removed: by it the recordings of calls to models, which are files, are found that may hold them
-- (ADR 31). No word and no place of it is kept.

CREATE TABLE removals (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Since when the words were said: before, nothing can hold them.
    said_at BIGINT NOT NULL,
    removed_at BIGINT NOT NULL
);
CREATE INDEX removals_by_time ON removals (removed_at);
