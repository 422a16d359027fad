//! Says when nothing is copied.

use jiff::Timestamp;
use sqlx::AssertSqlSafe;

use super::{outcome::CopyError, tables::CopiedTable};
use crate::{
    Store, StoreError,
    db::{Tx, query_as},
    schema::AT_WORK,
};

/// The settings that a new database has.
const SETTINGS_OF_A_NEW_ONE: &str = "'terms', 'database_id'";

/// Refuses a database on which a process works: under a claim or, on a server, with a connection for writing.
pub(super) async fn at_work(store: &Store, name: &str, now: Timestamp) -> Result<(), CopyError> {
    match who_works(store, now).await.map_err(CopyError::From)? {
        Some(what) => Err(CopyError::Busy { database: name.to_owned(), what }),
        None => Ok(()),
    }
}

async fn who_works(store: &Store, now: Timestamp) -> Result<Option<String>, StoreError> {
    let mut tx = store.db.snapshot().await?;
    let held: Vec<(String, String)> = on!(&mut tx, c => query_as(
        "SELECT subject, owner FROM claims WHERE until > $1 ORDER BY subject")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    let dead = store.owner.find_dead_owners();
    let is_alive = |owner: &String| !dead.iter().any(|(name, _)| name == owner);
    if let Some((subject, owner)) = held.iter().find(|(_, owner)| is_alive(owner)) {
        return Ok(Some(format!("process {owner} holds `{subject}`")));
    }
    let Tx::Postgres(tx) = &mut tx else { return Ok(None) };
    let connections: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    )
    .bind(AT_WORK)
    .fetch_one(&mut *tx)
    .await?;
    Ok((connections > 0).then(|| format!("{connections} connections to write are open")))
}

/// Refuses a database that holds anything but what its migrations put there, and removes that to make room.
pub(super) async fn not_empty(tx: &mut Tx, tables: &[CopiedTable], name: &str) -> Result<(), CopyError> {
    for table in tables {
        let condition = match table.name.as_str() {
            "settings" => format!(" WHERE key NOT IN ({SETTINGS_OF_A_NEW_ONE})"),
            _ => String::new(),
        };
        let sql = format!("SELECT 1 FROM {}{condition} LIMIT 1", table.name);
        let row = on!(&mut *tx, c => sqlx::query(AssertSqlSafe(sql)).fetch_optional(c).await.map(|row| row.is_some()));
        if row.map_err(|error| CopyError::To(error.into()))? {
            let what = format!("there are rows in `{}`", table.name);
            return Err(CopyError::NotEmpty { database: name.to_owned(), what });
        }
    }
    let cleared = on!(tx, c => sqlx::query("DELETE FROM settings").execute(c).await.map(drop));
    cleared.map_err(|error| CopyError::To(error.into()))
}
