//! What is in a database, row by row, without the moments at which it was written.

use std::collections::BTreeMap;

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::binary::Home;

/// Rows as JSON, table by table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Dump {
    tables: BTreeMap<&'static str, Vec<String>>,
}

impl Dump {
    /// Fails with the first row that is another in `other`.
    pub(super) fn assert_same(&self, other: &Self) {
        for (table, rows) in &self.tables {
            let others = other.tables.get(table).expect("the same tables");
            assert!(!rows.is_empty(), "nothing in {table}");
            for (row, other) in rows.iter().zip(others) {
                assert_eq!(row, other, "{table}");
            }
            assert_eq!(rows.len(), others.len(), "{table}");
        }
    }
}

async fn read_only(home: &Home) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(home.database()).read_only(true);
    SqliteConnection::connect_with(&options).await.expect("opened")
}

async fn dump(home: &Home, tables: &[(&'static str, &'static str)]) -> Dump {
    let mut connection = read_only(home).await;
    let mut dump = Dump::default();
    for (table, sql) in tables {
        let rows = sqlx::query_scalar(*sql).fetch_all(&mut connection).await.expect("read");
        dump.tables.insert(table, rows);
    }
    dump
}

/// Everything that was said.
pub(super) async fn archive(home: &Home) -> Dump {
    let tables = [
        (
            "channels",
            "SELECT json_array(id, name, kind, external, member, heard_until, gap_from, memory_from)
             FROM channels ORDER BY id",
        ),
        ("users", "SELECT json_array(id, name, is_bot) FROM users ORDER BY id"),
        (
            "messages",
            "SELECT json_array(channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted)
             FROM messages ORDER BY channel_id, ts",
        ),
        ("unread", "SELECT json_array(key, raw, error) FROM unread_events ORDER BY key"),
    ];
    dump(home, &tables).await
}

/// Everything that is remembered, how it came about, and what it cost.
pub(super) async fn memory(home: &Home) -> Dump {
    let tables = [
        (
            "chapters",
            "SELECT json_array(channel_id, version, from_ts, to_ts, closed_by) FROM chapters
             ORDER BY channel_id, version",
        ),
        (
            "memories",
            "SELECT json_array(scope, scope_id, memory_type, version, content, source_message_count,
                 source_latest_message_ts)
             FROM memories ORDER BY scope, scope_id, memory_type, version",
        ),
        (
            "journal",
            "SELECT json_array(scope, scope_id, memory_type, version, kind, actor, reason, content,
                 through_version, from_ts, to_ts, source_message_count, source_latest_message_ts)
             FROM memory_steps ORDER BY scope, scope_id, memory_type, version, id",
        ),
        (
            "lineage",
            "SELECT json_array(s.scope, s.scope_id, s.memory_type, s.version, s.through_version,
                 i.scope, i.scope_id, i.memory_type, i.version, i.through_version, l.hard)
             FROM step_inputs l JOIN memory_steps s ON s.id = l.step_id JOIN memory_steps i ON i.id = l.input_id
             ORDER BY 1",
        ),
        (
            "calls",
            "SELECT json_array(role, purpose, channel_id, thread_ts, outcome, tokens_in, tokens_out)
             FROM model_calls ORDER BY 1",
        ),
    ];
    dump(home, &tables).await
}

/// How many messages are archived; none while the database is being made.
pub(super) async fn messages(home: &Home) -> u64 {
    let options = SqliteConnectOptions::new().filename(home.database()).read_only(true);
    let Ok(mut connection) = SqliteConnection::connect_with(&options).await else { return 0 };
    let count: Result<i64, _> =
        sqlx::query_scalar("SELECT count(*) FROM messages").fetch_one(&mut connection).await;
    count.map_or(0, |count| count.try_into().expect("not negative"))
}

/// Channel and version of each chapter that was merged, merge by merge, on either database.
pub(crate) const MERGED: &str = "SELECT m.scope_id, c.version
    FROM memory_steps m JOIN step_inputs l ON l.step_id = m.id JOIN memory_steps c ON c.id = l.input_id
    WHERE m.scope = 'channel' AND m.memory_type = 'long_term' AND l.hard = 1 AND c.memory_type = 'short_term'
    ORDER BY m.scope_id, m.id, c.version";

/// The chapters of each channel's merges, by version, merge by merge.
pub(super) async fn merged(home: &Home) -> BTreeMap<String, Vec<i64>> {
    by_merge(sqlx::query_as(MERGED).fetch_all(&mut read_only(home).await).await.expect("read"))
}

/// What [`MERGED`] gives, as the chapters of each channel's merges.
pub(crate) fn by_merge(rows: Vec<(String, i64)>) -> BTreeMap<String, Vec<i64>> {
    let mut merged: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (channel, version) in rows {
        merged.entry(channel).or_default().push(version);
    }
    merged
}
