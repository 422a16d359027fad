-- Who said it, what was said, and in which order (ADR 78, 79, 80).

-- Who says what a user is called and whether it is a bot: 0 an older version, from whatever source; what messages say is
-- 1 (the app that posted), 2 (the label of a mention) or 3 (a profile); 4 the platform's directory.
ALTER TABLE users ADD COLUMN told_by INTEGER NOT NULL DEFAULT 0;

-- A name that somebody was called by and never bore. Memories of up to the step `up_to` that say it of them are written
-- anew; `is_mended` once they were looked for.
CREATE TABLE misnamings (
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    up_to INTEGER NOT NULL,
    is_mended INTEGER NOT NULL,
    PRIMARY KEY (user_id, name)
) STRICT;
CREATE INDEX misnamings_to_mend ON misnamings (user_id, name) WHERE is_mended = 0;
-- The last step of an older version, which took an app's name for that of whoever posted through it.
INSERT INTO settings (key, value)
    SELECT 'older_names', CAST(max(id) AS TEXT) FROM memory_steps HAVING max(id) IS NOT NULL;

-- The latest moment of which it is known that a message stood as it is stored, where no edit says so; 0 if unknown.
ALTER TABLE messages ADD COLUMN told_ts INTEGER NOT NULL DEFAULT 0;

-- The channel's revision when a message of a thread was last read better than its memory knows; 0 if never.
ALTER TABLE memories ADD COLUMN late_revision INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_outdated ON memories (channel_id, scope_id) WHERE late_revision > 0;

-- A long-term memory that is folded anew while the one before is shown: how far that has come (0: nowhere yet).
CREATE TABLE refolds (
    channel_id TEXT NOT NULL PRIMARY KEY,
    step_id INTEGER NOT NULL
) STRICT;
