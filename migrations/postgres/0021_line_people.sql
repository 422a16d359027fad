-- Whom the lines of memories name: who said a line, and of whom it speaks. No words. A row comes and goes with its line, by
-- which its channel is known as well. `worth`: the line's.
CREATE TABLE line_people (
    step_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    worth BIGINT NOT NULL,
    PRIMARY KEY (step_id, line, user_id),
    FOREIGN KEY (step_id, line) REFERENCES memory_lines (step_id, line) ON DELETE CASCADE
);
CREATE INDEX line_people_by_person ON line_people (user_id, worth, step_id, line);
