-- What of ours somebody asks in: a form that they filled in, by the platform's name of it. '' where it is none. It is kept
-- until the request is over, and no longer.
ALTER TABLE interactions ADD COLUMN view_id TEXT NOT NULL DEFAULT '';
