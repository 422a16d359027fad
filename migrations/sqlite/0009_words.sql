-- How often each term is said in each channel, so that what a text shares with other places can be weighed.
-- `term` is 64 bits of the term, not the word itself.
CREATE TABLE words (
    term INTEGER NOT NULL,
    channel_id TEXT NOT NULL,
    messages INTEGER NOT NULL,
    PRIMARY KEY (term, channel_id)
) WITHOUT ROWID;

-- Terms that a model wrote without having been shown them: its own way to speak, which tells of no place.
CREATE TABLE model_words (
    term INTEGER NOT NULL PRIMARY KEY
);

-- Messages up to this time stamp are counted; of a new channel all are, as they arrive. What an older program took in
-- is counted in the background.
ALTER TABLE channels ADD COLUMN words_to INTEGER NOT NULL DEFAULT 9223372036854775807;
UPDATE channels SET words_to = 0;

-- Journal entries up to this one were written without looking whether they say what only stood beside them. The row
-- goes once all of them are looked at.
CREATE TABLE older_texts (
    until INTEGER NOT NULL
);
INSERT INTO older_texts (until) SELECT max(id) FROM memory_steps HAVING max(id) IS NOT NULL;
