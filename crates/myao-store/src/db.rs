//! Connects to either database and lets both run the same SQL text (ADR 0002). `server` holds what only a PostgreSQL
//! server needs; `retry` says which writes are tried again.

mod opened_file;
mod query;
pub(crate) mod retry;
mod server;
mod timeline;

use std::{any::Any, path::Path, time::Duration};

use async_recursion::async_recursion as boxed;
use futures::future::BoxFuture;
use sqlx::{Sqlite, SqlitePool, Transaction, sqlite::SqliteConnectOptions};

pub(crate) use opened_file::OpenedFile;
pub(crate) use query::query_as;
pub(crate) use server::{ConnectedAnew, DbServer, IsPooled, ServerTx};
pub(crate) use timeline::{ServerTimeline, WritingHost, host_to_follow};

use crate::{StoreError, open::OpenFile};

/// How long we wait for a lock. Longer than any of our write transactions, which stay under about 500 rows.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// How many prepared statements a connection to SQLite keeps: more than there are, so that none is prepared twice.
const KEPT_STATEMENTS: usize = 1024;

/// The options of every connection to an SQLite file. The file may come from anybody, so nothing that its schema names
/// is run unless SQLite itself calls it harmless, and pages are checked before they are used. What is deleted is
/// overwritten, so that removed words cannot be found in the file.
pub(crate) fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(KEPT_STATEMENTS)
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("secure_delete", "ON")
}

/// Connections to either database.
#[derive(Debug)]
pub(crate) enum Db {
    /// One file. SQLite lets one writer in at a time, so there is one connection for writing.
    Sqlite { reader: SqlitePool, writer: SqlitePool, file: OpenedFile },
    /// A server.
    Postgres(DbServer),
    /// One file that is only read.
    SqliteToRead { reader: SqlitePool, file: OpenFile },
    /// A server that is only read.
    PostgresToRead(DbServer),
}

/// An open transaction on either database.
pub(crate) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(ServerTx),
}

/// Runs one statement in a transaction on either database: `on!(tx, c => query.execute(c).await)`.
macro_rules! on {
    ($tx:expr, $c:ident => $body:expr) => {
        match $tx {
            $crate::db::Tx::Sqlite(tx) => {
                let $c = &mut **tx;
                $body
            }
            $crate::db::Tx::Postgres(tx) => {
                let $c = &mut *tx;
                $body
            }
        }
    };
}

impl Db {
    /// Begins a transaction that writes. On SQLite it takes the write lock at once: upgrading a read transaction later
    /// fails as busy if another writer came between (design §1).
    #[boxed]
    pub(crate) async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { writer, file, .. } => {
                file.check()?;
                Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?)
            }
            Self::Postgres(server) => Tx::Postgres(server.begin().await?),
            Self::SqliteToRead { .. } | Self::PostgresToRead(_) => return Err(StoreError::OpenedToRead),
        })
    }

    /// Whether it was opened for writing.
    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Self::Sqlite { .. } | Self::Postgres(_) => true,
            Self::SqliteToRead { .. } | Self::PostgresToRead(_) => false,
        }
    }

    /// Closes every connection; on SQLite this also folds the write-ahead log back into the file.
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { reader, writer, .. } => {
                reader.close().await;
                writer.close().await;
            }
            Self::SqliteToRead { reader, file } => file.close(reader).await,
            Self::Postgres(server) | Self::PostgresToRead(server) => server.pool().close().await,
        }
    }

    /// Begins a read transaction: all its statements see one state of the database.
    #[boxed]
    pub(crate) async fn snapshot(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { reader, file, .. } => {
                file.check()?;
                Tx::Sqlite(reader.begin().await?)
            }
            Self::SqliteToRead { reader, .. } => Tx::Sqlite(reader.begin().await?),
            Self::Postgres(server) | Self::PostgresToRead(server) => Tx::Postgres(server.snapshot().await?),
        })
    }
}

impl Tx {
    #[boxed]
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

/// Runs a write to its end even if the caller is dropped meanwhile: a cancelled begin or commit would leave an unknown
/// outcome (design §1). A write that a server rolled back, or that was lost on the way to it, is run again from the
/// start (ADR 63), so the block must not consume what it captures.
macro_rules! to_the_end {
    ($write:block) => {
        $crate::db::carried_out(async move {
            let mut tries = $crate::db::retry::WriteAttempts::new();
            loop {
                let attempt: Result<_, $crate::StoreError> = async $write.await;
                if let Err(error) = &attempt
                    && tries.again(error).await
                {
                    continue;
                }
                break attempt;
            }
        })
    };
}

/// What became of a write, of any type.
type AnyOutcome = Box<dyn Any + Send>;

/// Runs a write on a task of its own. All writes are one type of future to that task, so that what tokio needs for a
/// task is compiled once and not for each write.
pub(crate) fn carried_out<T, F>(write: F) -> impl Future<Output = Result<T, StoreError>> + Send
where
    T: Send + 'static,
    F: Future<Output = Result<T, StoreError>> + Send + 'static,
{
    end_of(Box::pin(async move { Box::new(write.await) as AnyOutcome }))
}

async fn end_of<T: 'static>(write: BoxFuture<'static, AnyOutcome>) -> Result<T, StoreError> {
    match spawned(write).await?.downcast::<Result<T, StoreError>>() {
        Ok(outcome) => *outcome,
        Err(_other) => Err(StoreError::Interrupted("a write ended with a value of another type".to_owned())),
    }
}

#[boxed]
async fn spawned(write: BoxFuture<'static, AnyOutcome>) -> Result<AnyOutcome, StoreError> {
    tokio::spawn(write).await.map_err(|e| StoreError::Interrupted(e.to_string()))
}
