//! Rows for the tables of every form, as the program of that form wrote them.

/// Where this is, for whoever has to add to it.
pub(super) const FILE: &str = "tests/it/migrations/filling.rs";

/// By migration: statements that both databases understand, run right after it. Each table that it made gets a
/// row; a table that it changed may get another.
pub(super) const FILLINGS: [(i64, &str); 53] = [
    (
        1,
        "INSERT INTO settings (key, value) VALUES ('round', '1');
         INSERT INTO channels (id, name, kind, external, member, revision, heard_until, gap_from, memory_from)
             VALUES ('C1', '雑談', 'public', 0, 1, 3, 12, NULL, 10);
         INSERT INTO users (id, name, is_bot) VALUES ('U1', '佐藤', 0);
         INSERT INTO messages (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
             VALUES ('C1', 11, 0, 'U1', 'talk', 'one', '[]', 0, 0, 2),
                    ('C1', 12, 11, 'U1', 'talk', '', '[]', 0, 1, 3);
         INSERT INTO unread_events (key, raw, error, received_at) VALUES ('k', '{}', 'nonsense', 5);
         INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold,
                 conversation_idle_seconds) VALUES ('C1', 1, 10, 12, 'idle', 50, 7200);
         INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, parent_id, through_version,
                 through_step, from_ts, to_ts, read_revision, content, source_message_count,
                 source_latest_message_ts, call_id, actor, reason, at)
             VALUES ('channel', 'C1', 'short_term', 1, 'summary', NULL, 0, NULL, 10, 12, 3, '版一', 1, 11, 1,
                     'builtin', 'the chapter was closed', 20),
                    ('channel', 'C1', 'long_term', 1, 'merge', NULL, 1, 1, NULL, NULL, 3, '歴史', 1, 11, 1,
                     'builtin', 'chapter 1 was waiting', 21),
                    ('channel', 'C1', 'long_term', 1, 'merge', 2, 1, 1, NULL, NULL, 3, NULL, 1, 11, NULL,
                     'builtin', 'erased', 22);
         INSERT INTO step_inputs (step_id, input_id, hard) VALUES (2, 1, 1);
         INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content, source_message_count,
                 source_latest_message_ts, created_at, updated_at)
             VALUES ('channel', 'C1', 'short_term', 1, 1, '版一', 1, 11, 20, 20),
                    ('channel', 'C1', 'long_term', 1, 2, '歴史', 1, 11, 21, 21);
         INSERT INTO model_calls (at, day, role, purpose, channel_id, thread_ts, model, attempt, reserved,
                 tokens_in, tokens_cached, tokens_out, estimated, millis, stop, outcome)
             VALUES (20, '2026-03-02', 'memory', 'chapter', 'C1', 0, 'builtin', 1, 0, 7, 0, 2, 1, 3, 'end', 'ok');
         INSERT INTO claims (subject, owner, token, until) VALUES ('channel:C1', 'gone', 4, 0);
         INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged)
             VALUES ('workspace', 2, 99, 'no answer', 0);",
    ),
    (
        2,
        "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, created_at, updated_at)
             VALUES ('m1', '猫', 'ミケ', 5, '[\"ペット\"]', NULL, NULL, 30, 31),
                    ('m2', '予定', '月曜', 3, '[]', '午後', 'C1', 30, 31);
         INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait, hold_until,
                 speak_at, call_id, at)
             VALUES ('C1', 0, 11, 'quiet', 850, '活発', NULL, 99, NULL, NULL, 40);",
    ),
    (
        3,
        "UPDATE channels SET removed_since = 50, removed_at = 60 WHERE id = 'C1';
         UPDATE chapters SET late_revision = 4 WHERE channel_id = 'C1';
         UPDATE memory_steps SET wiped_at = 60 WHERE content IS NULL;",
    ),
    (
        4,
        "INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content, source_message_count,
                 source_latest_message_ts, created_at, updated_at)
             VALUES ('thread', 'C1:0.000011', 'short_term', 1, 1, '話題', 1, 12, 22, 22);",
    ),
    (
        5,
        "UPDATE channels SET gap_from = 12, gaps_opened = 2, swept_from = 13, swept_to = 14 WHERE id = 'C1';
         INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                 reason, call_id, made_at, changed_at)
             VALUES ('C1', 0, 'mention', 'done', 0, 0, 0, 0, '', 1, 70, 71),
                    ('C1', 0, 'mention', 'wanted', 99, 1, 0, 0, 'no answer', NULL, 72, 73);
         INSERT INTO reply_triggers (channel_id, ts, reply_id) VALUES ('C1', 11, 1), ('C1', 13, 2);
         INSERT INTO reply_parts (reply_id, part, text, state, sent_at, ts) VALUES (1, 1, NULL, 'posted', 70, 71);",
    ),
    (
        6,
        "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, created_at, updated_at, made_by,
                 read_revision) VALUES ('m3', '猫', 'タマ', 4, '[]', NULL, 'C1', 80, 81, '', 3);
         INSERT INTO memo_sources (memo_id, ts) VALUES ('m3', 11);",
    ),
    (
        7,
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                 reason, call_id, made_at, changed_at)
             VALUES ('C1', 11, 'judgment', 'skipped', 82, 0, 12, 0, 'the talk went on', NULL, 82, 83);
         INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait, hold_until,
                 speak_at, call_id, at, model, shown_from, read_revision, reply_id)
             VALUES ('C1', 11, 12, 'speak', 800, 'nobody answered', 300, NULL, 82, 1, 82, 'builtin', 11, 3, 3);",
    ),
    (
        8,
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                 reason, call_id, made_at, changed_at)
             VALUES ('C1', 0, 'judgment', 'written', 0, 0, 11, 0, '', NULL, 74, 75);
         INSERT INTO reply_parts (reply_id, part, text, state, sent_at, ts, reacts_to)
             SELECT id, 1, ':tada:', 'sending', 75, NULL, 11 FROM replies WHERE made_at = 74;",
    ),
    (
        9,
        "INSERT INTO words (term, channel_id, messages) VALUES (-7, 'C1', 2);
         INSERT INTO model_words (term) VALUES (8);",
    ),
    (10, "INSERT INTO removals (said_at, removed_at) VALUES (11, 60);"),
    (11, "UPDATE channels SET known_at = 81, doubted_at = 80; UPDATE replies SET sight = 'open';"),
    // An index, which holds no rows of its own.
    (12, "UPDATE replies SET attempts = attempts;"),
    (
        13,
        "INSERT INTO memo_log (memo_id, at, deed, channel_id, by_hand, reply_id, read_revision, fields, name, old_text,
                 new_text, wiped_at)
             VALUES ('m3', 80, 'added', 'C1', '', 1, 3, '[\"name\"]', '猫', '{}', '{\"name\":\"猫\"}', NULL),
                    ('m4', 81, 'removed', '', 'alice', NULL, NULL, '[]', NULL, NULL, NULL, 81);
         INSERT INTO memo_log_sources (entry_id, ts, asked) VALUES (1, 11, 1);
         UPDATE memos SET changed_by = 'alice' WHERE id = 'm3';
         UPDATE replies SET mixed = 0;",
    ),
    // A row for new databases only.
    (15, "UPDATE settings SET value = value;"),
    (16, "UPDATE channels SET called = name, last_talk = 11, look_at = 90; UPDATE users SET called = name;"),
    (17, "INSERT INTO recall_samples (term, sampled) VALUES ('abcdefg', 3); UPDATE channels SET number = 1;"),
    (18, "INSERT INTO embeddings (id, batch, vector) VALUES (35184372088833, 0, NULL);"),
    (
        19,
        "INSERT INTO memory_lines (step_id, line, channel, version, day, worth, ended_on, ended_by, ended_by_line)
             VALUES (1, 0, 1, 1, 20260302, 12, 0, NULL, NULL);",
    ),
    (
        20,
        "INSERT INTO forgettings (at, by_hand, channel_id, person, from_ts, to_ts, by_words, is_person, stage, user_id)
             VALUES (90, 'alice', 'C1', NULL, 0, 5, 0, 0, 'done', NULL);
         INSERT INTO forgetting_messages (forgetting_id, channel_id, ts) VALUES (1, 'C1', 4);
         INSERT INTO forgetting_terms (forgetting_id, term) VALUES (1, -9);",
    ),
    (21, "INSERT INTO line_people (step_id, line, user_id, worth) VALUES (1, 0, 'U1', 12);"),
    (22, "INSERT INTO message_secrets (channel_id, ts, kinds) VALUES ('C1', 11, 'jwt');"),
    (
        23,
        "INSERT INTO passing_messages (channel_id, ts, thread_ts, user_id, text, files, edited_ts, revision, arrived_at,
                 wiped)
             VALUES ('C1', 12, 0, 'U2', '<@UMYAO> 猫', '[]', 0, 3, 90, 0);
         INSERT INTO opted_out (kind, name, id) VALUES ('user', 'bob', 'U2');
         UPDATE chapters SET expired = 1; UPDATE channels SET expired_to = 1;",
    ),
    (24, "INSERT INTO name_parts (part, user_id) SELECT 'cat', id FROM users;"),
    (25, "INSERT INTO web_sessions (id, name, role, begun_at, used_at) VALUES ('ab12', 'alice', 'owner', 90, 91);"),
    // An index.
    (26, "UPDATE passing_messages SET wiped = wiped;"),
    (
        27,
        "INSERT INTO local_posts (reply_id, part, channel_id, ts) VALUES (1, 1, 'C1', 12);
         INSERT INTO local_reactions (channel_id, ts, emoji, user_id) VALUES ('C1', 11, 'tada', 'U1');
         INSERT INTO local_members (channel_id, user_id) VALUES ('C1', 'U1');",
    ),
    (
        28,
        "INSERT INTO processes (owner, host, health, started_at, seen_at, hears_since, heard_until)
             VALUES ('12-ab', 'one', '127.0.0.1:8080', 90, 91, 90, 91);
         INSERT INTO limits (subject, unused_at, paused_until) VALUES ('slack:chat.postMessage', 90, 91);",
    ),
    // An index.
    (29, "UPDATE messages SET deleted = deleted;"),
    (
        31,
        "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, audience, created_at, updated_at,
                 made_by) VALUES ('m5', '朝会', '9時', 3, '[]', NULL, NULL, 'everybody', 90, 91, 'alice');",
    ),
    (
        32,
        "UPDATE users SET told_by = 4; UPDATE messages SET told_ts = 11; UPDATE memories SET late_revision = 0;
         INSERT INTO misnamings (user_id, name, up_to, is_mended) VALUES ('U1', 'Helper', 1, 1);
         INSERT INTO refolds (channel_id, step_id) VALUES ('C9', 1);",
    ),
    (
        33,
        "INSERT INTO deletions (channel_id, ts, grounds, missing_at, proven)
             VALUES ('C1', 12, 'export', 90, 1), ('C1', 14, 'told', 0, 1);
         UPDATE channels SET changed_to = 14;",
    ),
    (
        34,
        "INSERT INTO reply_inputs (reply_id, kind, channel_id, from_ts, to_ts, thread_ts, revision, about)
             VALUES (1, 'talk', 'C1', 11, 12, 0, 3, ''), (1, 'memory', 'C1', 0, 0, 0, 0, '1');
         UPDATE replies SET made_anew = 1, taken_back = 0; UPDATE channels SET opted_out = 0;
         UPDATE users SET opted_out = 0;",
    ),
    (35, "UPDATE channels SET recall_moves_from = 7 WHERE id = 'C1';"),
    (36, "UPDATE forgetting_terms SET said_at = 11;"),
    (37, "INSERT INTO words (term, channel_id, messages, word) VALUES (9, 'C1', 2, 'whisker');"),
    (38, "INSERT INTO recall_sampled (address, terms) VALUES (35184372088833, 'abcdefg');"),
    (39, "INSERT INTO words (block, term, channel_id, messages, word) VALUES (0, 10, 'C1', 3, 'paw');"),
    (
        40,
        "INSERT INTO agent_tokens (agent, name, secret_hash, sees, channels, may_write, made_at, used_at, revoked_at)
             VALUES ('agent-aaaaaaaaaa', 'helper', 'ab12', 'channels', '[\"C1\"]', 1, 90, 91, NULL);",
    ),
    (
        41,
        "INSERT INTO interactions (key, user_id, channel_id, kind, name, words, answer_to, arrived_at, state, outcome, over_at)
             VALUES ('command/1.2', 'U1', 'C1', 'command', '/myao', 'recall paw', 'https://hooks.slack.com/x', 90, 'waiting', '', NULL);
         UPDATE channels SET quiet_until = 91 WHERE id = 'C1';",
    ),
    (42, "UPDATE replies SET shown_since = 92, stopped_ts = 91, stopped_by = 'U1' WHERE reason = 'no answer';"),
    (43, "UPDATE interactions SET view_id = 'V1 177.abc' WHERE key = 'command/1.2';"),
    (44, "UPDATE replies SET stream_since = 93, stream_ts = 94 WHERE reason = 'no answer';"),
    (45, "UPDATE settings SET value = '0123456789abcdef0123456789abcdef' WHERE key = 'database_id';"),
    (46, "INSERT INTO left_alone (user_id, asked_at) VALUES ('U1', 90);"),
    (
        47,
        "INSERT INTO reply_votes (channel_id, ts, user_id, vote, source, at) VALUES ('C1', 1, 'U1', 'good', 'button', 95);",
    ),
    (48, "INSERT INTO preferred_languages (user_id, language) VALUES ('U1', 'en');"),
    (
        49,
        "INSERT INTO corrections (step_id, channel_id, scope_id, memory_type, until_ts, replaced, replaced_terms, user_id,
                message_ts, mark, undone_at)
             VALUES (1, 'C1', 'C1', 'long_term', 1, 42, '[43]', 'U1', 2, ' (until 2026-03-04)', 90);",
    ),
    (50, "INSERT INTO house_word_ends (channel_id, message_ts, pair, ended_at) VALUES ('C1', 1, 42, 90);"),
    // Indexes.
    (51, "UPDATE corrections SET replaced = replaced;"),
    (
        52,
        "INSERT INTO former_names (user_id, called, until_at) VALUES ('U1', '鈴木', 90);
         UPDATE users SET has_left = 1 WHERE id = 'U1';",
    ),
    (53, "UPDATE users SET named_at = 90; UPDATE former_names SET named_at = 80;"),
    (
        54,
        "INSERT INTO threads_to_recheck (channel_id, root, recheck_from, latest, noted) VALUES ('C1', 1, 80, 90, 2);",
    ),
    // How a server's index of terms is kept.
    (55, "UPDATE channels SET number = number;"),
];
