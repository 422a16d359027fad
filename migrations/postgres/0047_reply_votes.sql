-- What people think of what we said: one row for a post of a reply and a person. It goes with the post, and when the person
-- is forgotten.
CREATE TABLE reply_votes (
    channel_id TEXT NOT NULL,
    -- The post's time stamp.
    ts BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    -- good, bad, or '' once it was taken back: a late word of it does not bring it back.
    vote TEXT NOT NULL,
    -- reaction or button.
    source TEXT NOT NULL,
    -- When it was said, in microseconds; the latest counts.
    at BIGINT NOT NULL,
    PRIMARY KEY (channel_id, ts, user_id)
);
CREATE INDEX reply_votes_by_time ON reply_votes (at) WHERE vote <> '';
