-- The archive, the chapters, the journal and its heads (DESIGN A, B, E, F).
-- Times and message time stamps are microseconds since the epoch; top level is thread_ts 0; flags are 0 or 1.

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE channels (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    external INTEGER NOT NULL,
    member INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    heard_until INTEGER NOT NULL,
    gap_from INTEGER,
    memory_from INTEGER
) STRICT;

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    is_bot INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    thread_ts INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    files TEXT NOT NULL,
    edited_ts INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (channel_id, ts)
) STRICT;
CREATE INDEX messages_by_thread ON messages (channel_id, thread_ts, ts);
CREATE INDEX messages_by_revision ON messages (channel_id, revision);

CREATE TABLE unread_events (
    key TEXT PRIMARY KEY,
    raw TEXT NOT NULL,
    error TEXT NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;

CREATE TABLE chapters (
    channel_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    from_ts INTEGER NOT NULL,
    to_ts INTEGER NOT NULL,
    closed_by TEXT NOT NULL,
    message_threshold INTEGER NOT NULL,
    conversation_idle_seconds INTEGER NOT NULL,
    PRIMARY KEY (channel_id, version),
    UNIQUE (channel_id, from_ts)
) STRICT;

CREATE TABLE memory_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    parent_id INTEGER,
    through_version INTEGER NOT NULL,
    through_step INTEGER,
    from_ts INTEGER,
    to_ts INTEGER,
    read_revision INTEGER NOT NULL,
    content TEXT,
    source_message_count INTEGER NOT NULL,
    source_latest_message_ts INTEGER,
    call_id INTEGER,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_steps_by_memory ON memory_steps (scope, scope_id, memory_type, version, id);
CREATE INDEX memory_steps_by_parent ON memory_steps (parent_id);

CREATE TABLE step_inputs (
    step_id INTEGER NOT NULL REFERENCES memory_steps (id),
    input_id INTEGER NOT NULL REFERENCES memory_steps (id),
    hard INTEGER NOT NULL,
    PRIMARY KEY (step_id, input_id)
) STRICT;
CREATE INDEX step_inputs_by_input ON step_inputs (input_id);

CREATE TABLE memories (
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    version INTEGER NOT NULL,
    step_id INTEGER NOT NULL REFERENCES memory_steps (id),
    content TEXT NOT NULL,
    source_message_count INTEGER NOT NULL,
    source_latest_message_ts INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, scope_id, memory_type, version)
) STRICT;

CREATE TABLE model_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    day TEXT NOT NULL,
    role TEXT NOT NULL,
    purpose TEXT NOT NULL,
    channel_id TEXT,
    thread_ts INTEGER,
    model TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_cached INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    millis INTEGER NOT NULL,
    stop TEXT,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX model_calls_by_day ON model_calls (day, role);

CREATE TABLE claims (
    subject TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    token INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;

CREATE TABLE setbacks (
    subject TEXT PRIMARY KEY,
    attempts INTEGER NOT NULL,
    retry_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    flagged INTEGER NOT NULL
) STRICT;
