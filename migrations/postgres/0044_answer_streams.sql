-- A message that shows a reply while it is being written: since when there may be one, 0 when there is none; and its time
-- stamp, 0 while that is not known. What a killed program left there is found by this.
ALTER TABLE replies ADD COLUMN stream_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE replies ADD COLUMN stream_ts BIGINT NOT NULL DEFAULT 0;
CREATE INDEX replies_streams ON replies (id) WHERE stream_since > 0;
