-- The lines of the short-term memories of channels (ADR 46): where they stand, what they are worth, and which of them a
-- later one has replaced. No words: these are the memory's, `line` counts the lines of its text from 0 on. Rows come and go
-- with the memory's text. `channel`: the channel's number; `day`: 20260313, 0 where none is known; `ended_on` likewise, 0
-- while it holds; `ended_by`: the journal entry of the line that replaced it.
CREATE TABLE memory_lines (
    step_id BIGINT NOT NULL REFERENCES memory_steps (id),
    line BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    version BIGINT NOT NULL,
    day BIGINT NOT NULL,
    worth BIGINT NOT NULL,
    ended_on BIGINT NOT NULL DEFAULT 0,
    ended_by BIGINT,
    ended_by_line BIGINT,
    PRIMARY KEY (step_id, line)
);
CREATE INDEX memory_lines_in_force ON memory_lines (channel, worth) WHERE ended_on = 0;
CREATE INDEX memory_lines_by_version ON memory_lines (channel, version);
CREATE INDEX memory_lines_ended ON memory_lines (ended_by) WHERE ended_on > 0;
