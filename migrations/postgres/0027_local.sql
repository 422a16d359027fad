-- A workspace of our own (ADR 56), as `myao demo` opens it: what a chat platform knows beyond the archive. Nobody's words
-- stand here, only addresses, who is where, and names of emoji.

-- Which reply of ours stands under which time stamp: by this a post is found again after a kill.
CREATE TABLE local_posts (
    reply_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    channel_id TEXT NOT NULL,
    ts BIGINT NOT NULL,
    PRIMARY KEY (reply_id, part)
);
-- Reactions go with the message they are on.
CREATE TABLE local_reactions (
    channel_id TEXT NOT NULL,
    ts BIGINT NOT NULL,
    emoji TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (channel_id, ts, emoji, user_id)
);
-- Who is in which channel. A public one is open to everybody all the same.
CREATE TABLE local_members (
    channel_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (channel_id, user_id)
);
CREATE INDEX local_members_by_user ON local_members (user_id);
