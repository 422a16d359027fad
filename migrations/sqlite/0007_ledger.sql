-- The ledger says what a verdict was made from, by whom, and what came of it (SPEC §4).

ALTER TABLE verdicts ADD COLUMN model TEXT;
-- The oldest message of the conversation that was shown, and the channel's revision at that reading.
ALTER TABLE verdicts ADD COLUMN shown_from INTEGER;
ALTER TABLE verdicts ADD COLUMN read_revision INTEGER;
-- The reply that a verdict to speak opened.
ALTER TABLE verdicts ADD COLUMN reply_id INTEGER REFERENCES replies (id);
-- When its reason was wiped, since words that stood in it were removed.
ALTER TABLE verdicts ADD COLUMN wiped_at INTEGER;
CREATE INDEX verdicts_by_time ON verdicts (at);
CREATE INDEX verdicts_by_reply ON verdicts (reply_id) WHERE reply_id IS NOT NULL;
-- What we last said unasked, so that the next thing keeps its distance.
CREATE INDEX replies_unasked ON replies (changed_at) WHERE cause = 'judgment';
