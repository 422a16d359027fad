-- When somebody was certainly called by a name (ADR 150), in microseconds: the source that tells the latest of them tells the
-- present one. 0: not known, so that whatever is told next counts. It goes with the name.
ALTER TABLE users ADD COLUMN named_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE former_names ADD COLUMN named_at BIGINT NOT NULL DEFAULT 0;
