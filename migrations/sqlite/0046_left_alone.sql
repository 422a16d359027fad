-- People who asked that nothing be said to them unasked, and when they asked that, in microseconds.
CREATE TABLE left_alone (
    user_id TEXT NOT NULL PRIMARY KEY,
    asked_at INTEGER NOT NULL
);
