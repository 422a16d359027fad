-- The terms of closed channels stand apart in the index, under their channel's number, so that what a place may not see
-- takes no room in what it looks up, and is not counted for it (ADR 87). While a channel is moved, because it was opened or
-- closed, its rows from this part of their address on may stand where they belong no longer.
ALTER TABLE channels ADD COLUMN recall_moves_from INTEGER NOT NULL DEFAULT 9223372036854775807;
CREATE INDEX channels_to_move ON channels (recall_moves_from, id) WHERE recall_moves_from < 9223372036854775807;

-- What was indexed before is moved in the background, and counted anew (`settings`: recall_moves): the counts until now do
-- not tell what may be seen from where.
UPDATE channels SET recall_moves_from = 0 WHERE number > 0;
INSERT INTO settings (key, value) SELECT 'recall_moves', 'new' WHERE EXISTS (SELECT 1 FROM channels WHERE number > 0);

-- Of a line of a closed channel its number, else 0: lines of places that are not seen take nobody's place either.
ALTER TABLE line_people ADD COLUMN apart INTEGER NOT NULL DEFAULT 0;
UPDATE line_people SET apart = coalesce((SELECT c.number FROM memory_lines l JOIN channels c ON c.number = l.channel
        WHERE l.step_id = line_people.step_id AND l.line = line_people.line AND c.number > 0
          AND NOT (c.kind = 'public' AND c.external = 0)), 0);
DROP INDEX line_people_by_person;
CREATE INDEX line_people_by_person ON line_people (user_id, apart, worth, step_id, line);
