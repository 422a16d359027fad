-- The lines of the short-term memories of channels (ADR 46): where they stand, what they are worth, and which of them a
-- later one has replaced. No words: these are the memory's, `line` counts the lines of its text from 0 on. Rows come and go
-- with the memory's text. `channel`: the channel's number; `day`: 20260313, 0 where none is known; `ended_on` likewise, 0
-- while it holds; `ended_by`: the journal entry of the line that replaced it.
CREATE TABLE memory_lines (
    step_id INTEGER NOT NULL REFERENCES memory_steps (id),
    line INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    version INTEGER NOT NULL,
    day INTEGER NOT NULL,
    worth INTEGER NOT NULL,
    ended_on INTEGER NOT NULL DEFAULT 0,
    ended_by INTEGER,
    ended_by_line INTEGER,
    PRIMARY KEY (step_id, line)
) WITHOUT ROWID;
CREATE INDEX memory_lines_in_force ON memory_lines (channel, worth) WHERE ended_on = 0;
CREATE INDEX memory_lines_by_version ON memory_lines (channel, version);
CREATE INDEX memory_lines_ended ON memory_lines (ended_by) WHERE ended_on > 0;
