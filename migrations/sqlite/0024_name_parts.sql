-- By what people are called in a question (ADR 54): their names and the words and parts of them, folded as words of the index
-- are. Those of people who are known already are written in the background (`settings`: names, names_after).
CREATE TABLE name_parts (
    part TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (part, user_id)
);
CREATE INDEX name_parts_by_user ON name_parts (user_id);
