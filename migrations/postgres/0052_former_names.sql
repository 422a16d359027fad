-- What people were called before (ADR 147), the newest few of each. It goes with the person, and once they opt out.
CREATE TABLE former_names (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    called TEXT NOT NULL,
    -- When the directory told another name, in microseconds.
    until_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, called)
);
CREATE INDEX former_names_by_name ON former_names (called);
-- Whether it is a part of a former name only.
ALTER TABLE name_parts ADD COLUMN is_former BIGINT NOT NULL DEFAULT 0;
-- Whether the directory says that they have left.
ALTER TABLE users ADD COLUMN has_left BIGINT NOT NULL DEFAULT 0;
CREATE INDEX users_who_left ON users (id) WHERE has_left = 1;
-- Names are words: the planner keeps no samples of them.
ALTER TABLE former_names ALTER COLUMN called SET STATISTICS 0;
