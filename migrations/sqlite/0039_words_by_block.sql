-- Counts of words lie together for every sixteen channels, by their numbers: what one channel says is then written to a
-- few neighbouring pages, whatever the workspace's size. What a channel without a number said is counted anew in the
-- background, under the number that it gets then.
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
    WHERE c.number > 0 ORDER BY c.number / 16, w.term, w.channel_id;
UPDATE channels SET words_to = 0 WHERE number = 0
    AND EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = channels.id);
DROP TABLE words;
ALTER TABLE words_in_blocks RENAME TO words;
CREATE INDEX words_by_letters ON words (block, word) WHERE word IS NOT NULL;
