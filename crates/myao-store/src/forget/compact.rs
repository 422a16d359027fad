//! Does the last stage: afterwards no free page, no log of changes and no kept table holds what was forgotten.
//!
//! SQLite overwrites what it deletes (`secure_delete`), but copies may remain in the write-ahead log and, where rows
//! were moved between pages, in the unused part of a page: so the file is written anew (`VACUUM`) and the log is
//! emptied. PostgreSQL leaves what it deletes in its pages, so each table that holds words is written anew (`VACUUM
//! FULL`). Its own log and copies of that are up to the administrator (docs/forgetting.md).

use std::time::Duration;

use sqlx::{AssertSqlSafe, SqlitePool};
use tokio::time::Instant;

use crate::{
    StoreError,
    db::{Db, DbServer, query_as},
};

/// The prefix that old tables' names get when they are put aside.
pub(crate) const KEPT_AS: &str = "myao2_";

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The result of cleaning the database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// The kept tables of the predecessor that were dropped.
    pub dropped: Vec<String>,
    /// Whether an older state of the database is kept because it is still being read: then it has to be cleaned again.
    pub is_held: bool,
    /// On a server, whether the role may not clean the planner's statistics, which may hold words from before this
    /// version.
    pub statistics_stay: bool,
}

/// Cleans either kind of database.
pub(super) async fn clean_database(db: &Db, patience: Duration) -> Result<Compacted, StoreError> {
    match db {
        Db::Sqlite { writer, .. } => clean_file(writer, patience).await,
        Db::Postgres(server) => clean_server(server, patience).await,
        Db::SqliteToRead { .. } | Db::PostgresToRead(_) => Err(StoreError::OpenedToRead),
    }
}

/// The tables of the predecessor that are kept; a server has none.
pub(super) async fn kept_old_tables(db: &Db) -> Result<Vec<String>, StoreError> {
    match db {
        Db::Sqlite { reader, .. } | Db::SqliteToRead { reader, .. } => kept_in(reader).await,
        Db::Postgres(_) | Db::PostgresToRead(_) => Ok(Vec::new()),
    }
}

async fn kept_in(pool: &SqlitePool) -> Result<Vec<String>, StoreError> {
    let tables: Vec<(String,)> =
        query_as("SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, length($1)) = $1 ORDER BY name")
            .bind(KEPT_AS)
            .fetch_all(pool)
            .await?;
    Ok(tables.into_iter().map(|(name,)| name).collect())
}

async fn clean_file(writer: &SqlitePool, patience: Duration) -> Result<Compacted, StoreError> {
    let dropped = kept_in(writer).await?;
    let mut c = writer.acquire().await?;
    for table in &dropped {
        let quoted = table.replace('"', "\"\"");
        sqlx::query(AssertSqlSafe(format!("DROP TABLE \"{quoted}\""))).execute(&mut *c).await?;
    }
    // Deleted rows remain, as hashes, in segments of the index that were not merged since.
    sqlx::query("INSERT INTO recall (recall) VALUES ('optimize')").execute(&mut *c).await?;
    sqlx::query("VACUUM").execute(&mut *c).await?;
    let since = Instant::now();
    let mut is_held = true;
    while is_held && since.elapsed() < patience {
        let (busy, ..): (i64, i64, i64) =
            query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *c).await?;
        is_held = busy != 0;
        if is_held {
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(Compacted { dropped, is_held, statistics_stay: false })
}

/// Every table that holds words or what was made from them.
const WITH_WORDS: [&str; 22] = [
    "VACUUM (FULL) messages",
    "VACUUM (FULL) passing_messages",
    "VACUUM (FULL) memory_steps",
    "VACUUM (FULL) memories",
    "VACUUM (FULL) memory_lines",
    "VACUUM (FULL) memos",
    "VACUUM (FULL) memo_log",
    "VACUUM (FULL) verdicts",
    "VACUUM (FULL) replies",
    "VACUUM (FULL) reply_parts",
    "VACUUM (FULL) setbacks",
    "VACUUM (FULL) unread_events",
    "VACUUM (FULL) users",
    "VACUUM (FULL) misnamings",
    "VACUUM (FULL) former_names",
    "VACUUM (FULL) name_parts",
    "VACUUM (FULL) words",
    "VACUUM (FULL) recall",
    "VACUUM (FULL) embeddings",
    "VACUUM (FULL) forgettings",
    "VACUUM (FULL) forgetting_messages",
    "VACUUM (FULL) forgetting_terms",
];

async fn clean_server(server: &DbServer, patience: Duration) -> Result<Compacted, StoreError> {
    if is_seen_by_others(server, patience).await? {
        return Ok(Compacted { is_held: true, ..Compacted::default() });
    }
    // `VACUUM` runs in no transaction and takes no values, so it is a simple query, which poolers support too.
    for vacuum in WITH_WORDS {
        sqlx::raw_sql(vacuum).execute(server.pool()).await?;
    }
    let (is_superuser,): (i64,) =
        query_as("SELECT CAST(count(*) AS BIGINT) FROM pg_roles WHERE rolname = current_user AND rolsuper")
            .fetch_one(&mut server.snapshot().await?)
            .await?;
    if is_superuser > 0 {
        sqlx::raw_sql("VACUUM (FULL) pg_catalog.pg_statistic").execute(server.pool()).await?;
    }
    Ok(Compacted { statistics_stay: is_superuser == 0, ..Compacted::default() })
}

/// Waits until nobody can see the earlier rows; `true` if somebody still may. A table that is written anew keeps the
/// rows that a snapshot may still need. A snapshot reaches back to the oldest transaction that was writing anywhere on
/// the server when it was taken.
async fn is_seen_by_others(server: &DbServer, patience: Duration) -> Result<bool, StoreError> {
    let mut tx = server.snapshot().await?;
    let (next,): (i64,) =
        query_as("SELECT txid_snapshot_xmax(txid_current_snapshot())").fetch_one(&mut tx).await?;
    tx.commit().await?;
    let since = Instant::now();
    loop {
        // Each check takes a snapshot of its own and gives it back before the next.
        let mut tx = server.snapshot().await?;
        let (older,): (i64,) = query_as(
            "SELECT (SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
                  AND age(backend_xmin) > age(CAST(CAST($1 % 4294967296 AS TEXT) AS XID)))
             + CASE WHEN txid_snapshot_xmin(txid_current_snapshot()) < $1 THEN 1 ELSE 0 END",
        )
        .bind(next)
        .fetch_one(&mut tx)
        .await?;
        tx.commit().await?;
        if older == 0 || since.elapsed() >= patience {
            return Ok(older > 0);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
