-- A part of a reply may be a reaction: then its text is one emoji, and this is the message it is added to. Posted,
-- it has no time stamp of its own.
ALTER TABLE reply_parts ADD COLUMN reacts_to BIGINT;
