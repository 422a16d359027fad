//! What is in a database, but for times of writing and row numbers: two builds are compared by it.

use std::{collections::BTreeMap, path::Path};

use sqlx::{
    ConnectOptions as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

/// Rows by what they are, each as JSON.
pub(super) type State = BTreeMap<&'static str, Vec<String>>;

const ROWS: [(&str, &str); 6] = [
    (
        "messages",
        "SELECT json_array(channel_id, ts, thread_ts, user_id, kind, text, deleted) FROM messages ORDER BY 1",
    ),
    (
        "chapters",
        "SELECT json_array(channel_id, version, from_ts, to_ts, closed_by) FROM chapters ORDER BY 1",
    ),
    (
        "memories",
        "SELECT json_array(scope, scope_id, memory_type, version, content, source_message_count,
            source_latest_message_ts) FROM memories ORDER BY 1",
    ),
    (
        "journal",
        "SELECT json_array(s.scope, s.scope_id, s.memory_type, s.version, s.kind, s.through_version, s.from_ts,
            s.to_ts, s.content, s.source_message_count, s.source_latest_message_ts, s.actor, s.reason,
            (SELECT count(*) FROM step_inputs i WHERE i.step_id = s.id AND i.hard = 1),
            (SELECT count(*) FROM step_inputs i WHERE i.step_id = s.id AND i.hard = 0))
         FROM memory_steps s ORDER BY 1",
    ),
    (
        "model calls",
        "SELECT json_array(role, purpose, channel_id, thread_ts, model, attempt, reserved, tokens_in,
            tokens_cached, tokens_out, estimated, stop, outcome) FROM model_calls ORDER BY 1",
    ),
    // A round that was not ended, a claim that is held, work that failed: an undisturbed build leaves none.
    (
        "left over",
        "SELECT key FROM settings WHERE key = 'round' UNION ALL SELECT subject FROM claims WHERE until > 0
         UNION ALL SELECT subject || reason FROM setbacks",
    ),
];

/// Chapters whose entry is not a hard input of exactly one step of the chain that the long-term memory in
/// force was folded along. (Chapters that wait for company are in none; `waiting` counts them.)
const MERGED: &str = "
    WITH RECURSIVE chain (id) AS (
        SELECT step_id FROM memories WHERE scope = 'channel' AND memory_type = 'long_term'
        UNION ALL SELECT s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.id
            WHERE s.parent_id IS NOT NULL)
    SELECT h.scope_id || ' ' || h.version || ': ' || (SELECT count(*) FROM step_inputs i
        JOIN chain ON chain.id = i.step_id WHERE i.input_id = h.step_id AND i.hard = 1) AS times
    FROM memories h WHERE h.scope = 'channel' AND h.memory_type = 'short_term' AND times NOT LIKE '%: 1'";

/// A connection that never writes.
pub(super) async fn reader(database: &Path) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new().filename(database).read_only(true).connect().await
}

/// Reads everything, and checks that the file is whole.
pub(super) fn read(database: &Path) -> State {
    runtime().block_on(async {
        let options = SqliteConnectOptions::new().filename(database).journal_mode(SqliteJournalMode::Wal);
        let mut connection = options.connect().await.expect("the database opens");
        let sound: Vec<String> =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await.expect("read");
        assert_eq!(sound, ["ok"]);
        let mut state = State::new();
        for (what, rows) in ROWS.into_iter().chain([("not merged once", MERGED)]) {
            state.insert(what, sqlx::query_scalar(rows).fetch_all(&mut connection).await.expect("read"));
        }
        state
    })
}

/// Fails with the first rows that differ.
pub(super) fn assert_same(now: &State, expected: &State, after: &str) {
    for (what, expected) in expected {
        let now = &now[what];
        let more: Vec<&String> = now.iter().filter(|row| !expected.contains(row)).take(3).collect();
        let fewer: Vec<&String> = expected.iter().filter(|row| !now.contains(row)).take(3).collect();
        let has = now.len();
        let had = expected.len();
        assert!(now == expected, "{after}: {what}: {has} instead of {had}; new {more:#?}, lost {fewer:#?}");
    }
}

/// Where the asynchronous parts run.
pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}
