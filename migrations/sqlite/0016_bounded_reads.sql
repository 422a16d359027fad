-- What is read for a message, a reply or a quiet round costs the same in a large archive as in a small one (ADR 38).

-- When a channel was last spoken in, and when before the day (UTC) of that, in microseconds; 0 for never.
ALTER TABLE channels ADD COLUMN last_talk INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN talk_before INTEGER NOT NULL DEFAULT 0;
UPDATE channels SET last_talk = coalesce((SELECT m.ts FROM messages m
    WHERE m.channel_id = channels.id AND m.kind = 'talk' AND m.deleted = 0 ORDER BY m.ts DESC LIMIT 1), 0);
UPDATE channels SET talk_before = coalesce((SELECT m.ts FROM messages m
    WHERE m.channel_id = channels.id AND m.ts < channels.last_talk - channels.last_talk % 86400000000
      AND m.kind = 'talk' AND m.deleted = 0 ORDER BY m.ts DESC LIMIT 1), 0);
CREATE INDEX channels_by_talk ON channels (last_talk DESC, id) WHERE kind = 'public' AND external = 0;
CREATE INDEX channels_by_talk_before ON channels ((last_talk / 86400000000), talk_before DESC, id)
    WHERE kind = 'public' AND external = 0;

-- The open channels that may have closed unheard.
CREATE INDEX channels_to_know ON channels (known_at) WHERE kind = 'public' AND external = 0 AND member = 1;
CREATE INDEX channels_in_doubt ON channels (id) WHERE kind = 'public' AND external = 0 AND known_at < doubted_at;
CREATE INDEX channels_to_count ON channels (id) WHERE words_to < 9223372036854775807;
CREATE INDEX memory_steps_adopted ON memory_steps (scope_id) WHERE kind = 'adopted';

-- A name as it is shown: by it people of one name are found. The program writes it without what nobody sees in it;
-- what was stored before is written so when it is told next.
ALTER TABLE channels ADD COLUMN called TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN called TEXT NOT NULL DEFAULT '';
UPDATE channels SET called = trim(name);
UPDATE users SET called = trim(name);
CREATE INDEX channels_by_name ON channels (called);
CREATE INDEX users_by_name ON users (called);

-- The channel of a thread's memory; NULL for any other.
ALTER TABLE memories ADD COLUMN channel_id TEXT;
UPDATE memories SET channel_id = substr(scope_id, 1, instr(scope_id, ':') - 1) WHERE scope = 'thread';
CREATE INDEX memories_of_threads ON memories (channel_id, source_latest_message_ts DESC) WHERE scope = 'thread';

CREATE INDEX model_calls_by_time ON model_calls (at);

-- When the keeper looks at a channel again, in microseconds; 0: as soon as it can.
ALTER TABLE channels ADD COLUMN look_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX channels_to_look_at ON channels (look_at);

-- Talk as it is read nearly everywhere, and how much of it a memory holds.
CREATE INDEX messages_of_talk ON messages (channel_id, ts, revision) WHERE kind = 'talk' AND deleted = 0;
CREATE INDEX messages_of_notices ON messages (channel_id) WHERE kind <> 'talk' AND deleted = 0;

CREATE INDEX unread_events_by_time ON unread_events (received_at);
CREATE INDEX channels_spoken_in ON channels (last_talk) WHERE member = 1;
