-- Who sees a memo that belongs to no channel (ADR 77).
-- everybody: every place that sees open channels, since the owner said so; undecided: only the owner, and nobody has
-- said yet who else (it was taken over from myao2); owner: only the owner. channel: where its channel is seen.
ALTER TABLE memos ADD COLUMN audience TEXT NOT NULL DEFAULT 'channel';
UPDATE memos SET audience = CASE WHEN made_by = 'myao2' THEN 'undecided' ELSE 'owner' END WHERE channel_id IS NULL;
