-- A text finds what was put right in it by its statements, and a chapter what was put right in its time, however many
-- corrections a channel has.
CREATE INDEX corrections_by_replaced ON corrections (channel_id, replaced);
CREATE INDEX corrections_by_end ON corrections (channel_id, until_ts);
