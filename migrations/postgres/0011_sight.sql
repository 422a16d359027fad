-- When the platform was last asked what a channel is, and when that was last in doubt (somebody joined, it was shared,
-- it changed), in microseconds. A channel is known while no doubt is younger than what was learnt; what was imported
-- was never in doubt.
ALTER TABLE channels ADD COLUMN known_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN doubted_at BIGINT NOT NULL DEFAULT 0;
-- What the words of a reply may have been made from: open (every open channel), own (its own channel alone, since
-- people from outside take part), unknown (its own channel alone, since nobody could tell in time whether they do).
ALTER TABLE replies ADD COLUMN sight TEXT NOT NULL DEFAULT 'own';
