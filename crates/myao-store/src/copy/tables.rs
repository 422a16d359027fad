//! Lists what there is to copy: every table that the migrations make, so that none can be forgotten, except those left
//! out for a reason.

use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection};

use crate::{StoreError, schema::migrations};

/// Tables that are not copied, and why.
pub(super) const LEFT_OUT: [(&str, &str); 7] = [
    ("claims", "nobody works on the copy yet"),
    ("processes", "nobody runs on the copy yet"),
    ("limits", "they hold for minutes"),
    ("web_sessions", "people sign in again"),
    ("recall", "the index is made anew"),
    ("recall_samples", "goes with the index"),
    ("recall_sampled", "goes with the index"),
];

/// Settings that are not copied: how far the index has come.
const LEFT_OUT_SETTINGS: &str = " WHERE key NOT IN ('recall', 'recall_steps')";

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Number,
    Text,
    Bytes,
}

/// A table that is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CopiedTable {
    pub(super) name: String,
    pub(super) columns: Vec<(String, ColumnKind)>,
    /// The column whose values the database counts up by itself.
    pub(super) counted: Option<String>,
    /// The tables that its rows refer to.
    parents: BTreeSet<String>,
}

impl CopiedTable {
    /// Which of its rows are copied, as the end of a statement.
    pub(super) fn row_condition(&self) -> &'static str {
        if self.name == "settings" { LEFT_OUT_SETTINGS } else { "" }
    }

    /// Its columns as a list for a statement.
    pub(super) fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    }
}

/// Every table that is copied, each after those that its rows refer to.
pub(super) async fn all_copied_tables() -> Result<Vec<CopiedTable>, StoreError> {
    let mut fresh = SqliteConnection::connect("sqlite::memory:").await?;
    migrations::sqlite_to(migrations::newest_of_file(), &mut fresh).await?;
    let mut found = Vec::new();
    for row in sqlx::query("PRAGMA main.table_list").fetch_all(&mut fresh).await? {
        let name: String = row.try_get("name")?;
        let kind: String = row.try_get("type")?;
        let is_ours = kind == "table" && !name.starts_with("sqlite_") && name != "_sqlx_migrations";
        if is_ours && !LEFT_OUT.iter().any(|(left_out, _)| *left_out == name) {
            found.push(read_table_shape(&mut fresh, name).await?);
        }
    }
    fresh.close().await?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(parents_first(found))
}

async fn read_table_shape(c: &mut SqliteConnection, name: String) -> Result<CopiedTable, StoreError> {
    let about = |what: &str| AssertSqlSafe(format!("PRAGMA main.{what}(\"{name}\")"));
    let mut columns = Vec::new();
    let mut counted = None;
    let sql: String = sqlx::query_scalar("SELECT sql FROM main.sqlite_schema WHERE name = $1")
        .bind(&name)
        .fetch_one(&mut *c)
        .await?;
    for row in sqlx::query(about("table_info")).fetch_all(&mut *c).await? {
        let column: String = row.try_get("name")?;
        let kind: String = row.try_get("type")?;
        let is_key: i64 = row.try_get("pk")?;
        if is_key == 1 && sql.contains("AUTOINCREMENT") {
            counted = Some(column.clone());
        }
        let kind = match kind.as_str() {
            "INTEGER" => ColumnKind::Number,
            "BLOB" => ColumnKind::Bytes,
            _ => ColumnKind::Text,
        };
        columns.push((column, kind));
    }
    let mut parents = BTreeSet::new();
    for row in sqlx::query(about("foreign_key_list")).fetch_all(&mut *c).await? {
        parents.insert(row.try_get("table")?);
    }
    parents.remove(&name);
    Ok(CopiedTable { name, columns, counted, parents })
}

/// The same tables, each after its parents. Tables that refer to each other in a circle come last.
fn parents_first(mut left: Vec<CopiedTable>) -> Vec<CopiedTable> {
    let mut sorted: Vec<CopiedTable> = Vec::new();
    loop {
        let waiting: BTreeSet<String> = left.iter().map(|table| table.name.clone()).collect();
        let (ready, rest): (Vec<CopiedTable>, Vec<CopiedTable>) =
            left.into_iter().partition(|table| table.parents.is_disjoint(&waiting));
        if ready.is_empty() {
            sorted.extend(rest);
            return sorted;
        }
        sorted.extend(ready);
        left = rest;
    }
}
