-- People who asked to be answered in private in another language than everybody, and in which.
CREATE TABLE preferred_languages (
    user_id TEXT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL
);
