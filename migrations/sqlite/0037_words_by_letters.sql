-- A term that somebody may begin to type, or mistype: itself (ADR 104), so that it is found by its letters. NULL for all
-- others. It goes with its row, which goes with the last message that says the term in the channel. What was counted
-- before is counted anew in the background.
ALTER TABLE words ADD COLUMN word TEXT;
CREATE INDEX words_by_letters ON words (word) WHERE word IS NOT NULL;
