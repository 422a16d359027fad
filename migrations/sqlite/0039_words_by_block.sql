-- Counts of words lie together for every sixteen channels, by their numbers: what one channel says is then written to a
-- few neighbouring pages, whatever the workspace's size. A channel of an older archive that has no number yet gets one.
UPDATE channels SET number = coalesce((SELECT cast(value AS INTEGER) FROM settings WHERE key = 'last_channel_number'), 0)
        + (SELECT count(*) FROM channels earlier WHERE earlier.id <= channels.id)
    WHERE number = 0 AND id IN (SELECT channel_id FROM words);
INSERT INTO settings (key, value) SELECT 'last_channel_number', cast(max(number) AS TEXT) FROM channels WHERE true HAVING max(number) > 0
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;
CREATE TABLE words_in_blocks (
    block INTEGER NOT NULL,
    term INTEGER NOT NULL,
    channel_id TEXT NOT NULL,
    messages INTEGER NOT NULL,
    word TEXT,
    PRIMARY KEY (block, term, channel_id)
) WITHOUT ROWID;
INSERT INTO words_in_blocks (block, term, channel_id, messages, word)
    SELECT c.number / 16, w.term, w.channel_id, w.messages, w.word FROM words w JOIN channels c ON c.id = w.channel_id
    ORDER BY c.number / 16, w.term, w.channel_id;
DROP TABLE words;
ALTER TABLE words_in_blocks RENAME TO words;
CREATE INDEX words_by_letters ON words (block, word) WHERE word IS NOT NULL;
