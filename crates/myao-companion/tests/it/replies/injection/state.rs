//! Everything that a database holds, to be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, ConnectOptions as _, SqliteConnection, sqlite::SqliteConnectOptions};

type Row = Map<String, Value>;

/// Tables with their rows.
pub(super) struct State(BTreeMap<String, Vec<Row>>);

/// Where an answer leaves rows of its own, in the place's channel alone.
const ANSWERS: [&str; 6] = ["messages", "words", "replies", "reply_triggers", "model_calls", "channels"];
/// Where it leaves rows that are no channel's own: which process worked on the place, the parts of the reply, what it was
/// shown (without words), and the index by which messages are found.
const BOOKKEEPING: [&str; 9] = [
    "claims",
    "reply_parts",
    "reply_inputs",
    "recall",
    "recall_data",
    "recall_docsize",
    "recall_idx",
    "recall_samples",
    "recall_sampled",
];
/// What is compared by itself.
const MEMOS: [&str; 4] = ["memos", "memo_sources", "memo_log", "memo_log_sources"];

impl State {
    pub(super) async fn of(path: &Path) -> Self {
        let options = SqliteConnectOptions::new().filename(path).read_only(true);
        let mut c = options.connect().await.expect("opened");
        let tables =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%sql%'".to_owned();
        let mut state = BTreeMap::new();
        for table in texts(&mut c, tables).await {
            let columns = format!(
                "SELECT '''' || name || ''', CASE typeof(' || name || ') WHEN ''blob'' THEN hex(' || name || ') ELSE ' \
                 || name || ' END' FROM pragma_table_info('{table}')"
            );
            let columns = texts(&mut c, columns).await.join(",");
            let rows = texts(&mut c, format!("SELECT json_object({columns}) FROM {table}")).await;
            let rows = rows.iter().map(|row| serde_json::from_str(row).expect("an object")).collect();
            state.insert(table, rows);
        }
        Self(state)
    }

    fn rows(&self, table: &str) -> &[Row] {
        self.0.get(table).map_or(&[], Vec::as_slice)
    }

    /// Rows of a table that are not of a channel.
    fn beside(&self, table: &str, channel: &str) -> BTreeSet<String> {
        let key = if table == "channels" { "id" } else { "channel_id" };
        let others = self.rows(table).iter().filter(|row| row[key] != channel);
        others.map(|row| Value::from(row.clone()).to_string()).collect()
    }

    /// Fails if anything is different in `after` that is neither a memo nor the answer in `channel`.
    pub(super) fn only_answered(&self, after: &Self, channel: &str, what: &str) {
        assert_eq!(self.0.keys().collect::<Vec<_>>(), after.0.keys().collect::<Vec<_>>());
        assert!(self.0.len() > 15, "all tables are looked at");
        for table in self.0.keys().map(String::as_str) {
            if ANSWERS.contains(&table) {
                assert_eq!(self.beside(table, channel), after.beside(table, channel), "{what}: {table}");
            } else if !BOOKKEEPING.contains(&table) && !MEMOS.contains(&table) {
                assert_eq!(self.rows(table), after.rows(table), "{what}: {table}");
            }
        }
        for message in self.rows("messages") {
            assert!(after.rows("messages").contains(message), "{what}: {message:?} was changed");
        }
        let is_new = |row: &&Row| !self.rows("messages").contains(row);
        for message in after.rows("messages").iter().filter(is_new) {
            assert_eq!(message["user_id"], "UMYAO", "{what}");
        }
        let known = |state: &Self| -> Vec<Row> {
            let mut rows = state.rows("channels").to_vec();
            for row in &mut rows {
                for follows_talk in ["revision", "last_talk", "talk_before", "look_at"] {
                    row.remove(follows_talk).expect("every channel has one");
                }
            }
            rows
        };
        assert_eq!(known(self), known(after), "{what}");
    }

    /// Memos that are only in one of the two, as `+C1 name: content` and `-C1 name: content`; sorted.
    pub(super) fn changed_memos(&self, after: &Self) -> Vec<String> {
        let memos = |state: &Self| -> BTreeSet<String> {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let memo = |row: &Row| {
                format!("{} {}: {}", text(&row["channel_id"]), text(&row["name"]), text(&row["content"]))
            };
            state.rows("memos").iter().map(memo).collect()
        };
        let before = memos(self);
        let after = memos(after);
        let added = after.difference(&before).map(|memo| format!("+{memo}"));
        let mut changed: Vec<String> =
            added.chain(before.difference(&after).map(|memo| format!("-{memo}"))).collect();
        changed.sort();
        changed
    }
}

async fn texts(c: &mut SqliteConnection, sql: String) -> Vec<String> {
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(c).await.expect("read")
}
