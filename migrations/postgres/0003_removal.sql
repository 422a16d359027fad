-- What removal needs to know (SPEC §6, DESIGN C): since when a channel's memories wait to be rebuilt and when
-- the last removal came, so that one rebuild serves many; when a journal entry lost its words; and at which
-- revision a chapter got a message it was written without.

ALTER TABLE channels ADD COLUMN removed_since BIGINT;
ALTER TABLE channels ADD COLUMN removed_at BIGINT;
ALTER TABLE chapters ADD COLUMN late_revision BIGINT NOT NULL DEFAULT 0;
ALTER TABLE memory_steps ADD COLUMN wiped_at BIGINT;
CREATE INDEX memory_steps_by_wiping ON memory_steps (wiped_at) WHERE wiped_at IS NOT NULL;
