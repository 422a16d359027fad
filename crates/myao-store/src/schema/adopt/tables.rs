//! Recognises the predecessor's tables and reads their rows leniently.
//!
//! Databases of earlier versions lack columns, and those that it migrated itself have other types (JSON or VARCHAR,
//! BOOLEAN or text): every column is read as text, and each reader decides how to interpret it.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Row as _, Sqlite, SqliteConnection, Transaction};

use crate::{StoreError, db::Tx, forget::compact::KEPT_AS};

/// A table of the predecessor, with the columns we read.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// A table without these columns is another table.
    pub(crate) required: &'static [&'static str],
    /// Columns that the table may lack; they count as NULL then.
    optional: &'static [&'static str],
}

pub(super) const MESSAGES: Table = Table {
    name: "messages",
    required: &["message_id", "channel_id", "user_id", "text", "timestamp"],
    optional: &["user_name", "user_is_bot", "thread_ts", "created_at"],
};

pub(super) const USERS: Table =
    Table { name: "users", required: &["user_id", "name"], optional: &["is_bot"] };

pub(super) const CHANNELS: Table =
    Table { name: "channels", required: &["channel_id", "name"], optional: &[] };

pub(super) const JUDGMENTS: Table = Table {
    name: "judgment_caches",
    required: &["channel_id", "should_respond", "latest_message_ts", "next_check_at"],
    optional: &["thread_ts", "confidence", "reason", "created_at", "updated_at"],
};

pub(super) const MEMORIES: Table = Table {
    name: "memories",
    required: &["scope", "scope_id", "memory_type", "content"],
    optional: &["created_at", "updated_at", "source_message_count", "source_latest_message_ts"],
};

pub(super) const MEMOS: Table = Table {
    name: "memos",
    required: &["id", "content"],
    optional: &["name", "priority", "tags", "detail", "created_at", "updated_at"],
};

pub(crate) const ALL: [&Table; 6] = [&MESSAGES, &USERS, &CHANNELS, &JUDGMENTS, &MEMORIES, &MEMOS];

pub(crate) async fn column_names(
    c: &mut SqliteConnection,
    table: &str,
) -> Result<BTreeSet<String>, StoreError> {
    let names: Vec<String> =
        sqlx::query_scalar("SELECT name FROM pragma_table_info($1)").bind(table).fetch_all(c).await?;
    Ok(names.into_iter().collect())
}

/// Renames the old tables.
pub(super) async fn put_aside(tx: &mut Transaction<'static, Sqlite>) -> Result<(), StoreError> {
    for table in ALL {
        let rename = format!("ALTER TABLE {} RENAME TO {KEPT_AS}{}", table.name, table.name);
        sqlx::query(AssertSqlSafe(rename)).execute(&mut **tx).await?;
    }
    Ok(())
}

/// Drops the old tables' indexes: they hold no data of their own, nobody searches these tables any more, and the name
/// of an index is unique in the whole file.
pub(super) async fn drop_indexes(tx: &mut Transaction<'static, Sqlite>) -> Result<(), StoreError> {
    for table in ALL {
        let indexes: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = $1 AND sql IS NOT NULL",
        )
        .bind(format!("{KEPT_AS}{}", table.name))
        .fetch_all(&mut **tx)
        .await?;
        for index in indexes {
            let drop_it = format!("DROP INDEX {}", quoted_name(&index));
            sqlx::query(AssertSqlSafe(drop_it)).execute(&mut **tx).await?;
        }
    }
    Ok(())
}

/// A name quoted for SQL, with any characters.
fn quoted_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A row: its columns that are not NULL, as text.
#[derive(Clone, Debug)]
pub(super) struct OldRow {
    /// For example `myao2/messages/17`.
    pub(super) key: String,
    fields: Vec<(&'static str, String)>,
}

impl Table {
    /// The rows that were put aside, in the order in which they were written; with `channel`, only that channel's.
    pub(super) async fn rows_put_aside(
        &self,
        tx: &mut Tx,
        channel: Option<&str>,
    ) -> Result<Vec<OldRow>, StoreError> {
        let Tx::Sqlite(tx) = tx else { return Ok(Vec::new()) };
        let kept_as = format!("{KEPT_AS}{}", self.name);
        let there = column_names(tx, &kept_as).await?;
        let wanted: Vec<&'static str> =
            self.required.iter().chain(self.optional).copied().filter(|name| there.contains(*name)).collect();
        let casts: Vec<String> = wanted.iter().map(|name| format!("CAST({name} AS TEXT)")).collect();
        let filter = if channel.is_some() { "WHERE channel_id = $1" } else { "" };
        let sql = format!("SELECT rowid, {} FROM {kept_as} {filter} ORDER BY rowid", casts.join(", "));
        let mut query = sqlx::query(AssertSqlSafe(sql));
        if let Some(channel) = channel {
            query = query.bind(channel);
        }
        let mut rows = Vec::new();
        for row in query.fetch_all(&mut **tx).await? {
            let number: i64 = row.try_get(0)?;
            let mut fields = Vec::with_capacity(wanted.len());
            for (place, name) in wanted.iter().enumerate() {
                // Read as bytes, so that invalid UTF-8 can still be read. NUL is dropped since not every database can
                // hold it.
                let bytes: Option<Vec<u8>> = row.try_get(place + 1)?;
                if let Some(bytes) = bytes {
                    fields.push((*name, String::from_utf8_lossy(&bytes).replace('\0', "")));
                }
            }
            rows.push(OldRow { key: format!("myao2/{}/{number}", self.name), fields });
        }
        Ok(rows)
    }
}

impl OldRow {
    /// A column's text; `None` for NULL.
    pub(super) fn get(&self, column: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| *name == column).map(|(_, text)| text.as_str())
    }

    /// A column's text; empty for NULL.
    pub(super) fn text(&self, column: &str) -> &str {
        self.get(column).unwrap_or_default()
    }

    /// A BOOLEAN that is stored as a number or a word.
    pub(super) fn flag(&self, column: &str) -> bool {
        let text = self.text(column);
        text.eq_ignore_ascii_case("true") || text.parse::<f64>().is_ok_and(|number| number != 0.0)
    }

    /// A whole number; `None` if the text is none.
    pub(super) fn number(&self, column: &str) -> Option<i64> {
        self.get(column)?.trim().parse().ok()
    }

    /// An instant; `None` if the text is no time.
    pub(super) fn instant(&self, column: &str) -> Option<Timestamp> {
        parse_instant(self.get(column)?)
    }

    /// All columns as JSON, for a person who wants to know what could not be read.
    pub(super) fn as_raw_json(&self) -> String {
        let fields = self.fields.iter().map(|(name, text)| ((*name).to_owned(), Value::String(text.clone())));
        Value::Object(fields.collect()).to_string()
    }
}

/// Parses a time. `2026-11-21 20:53:16.811950` is taken as UTC; with an offset, the offset counts.
fn parse_instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse::<Timestamp>().ok().or_else(|| {
        let naive: DateTime = text.parse().ok()?;
        Some(naive.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })
}
