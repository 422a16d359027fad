//! Two databases, one text of SQL (ADR 0002). `server` is what a PostgreSQL server needs besides; `retry` says which
//! writes are tried again.

pub(crate) mod retry;
mod server;

use std::{path::Path, time::Duration};

use async_recursion::async_recursion as boxed;
use sqlx::{Sqlite, SqlitePool, Transaction, sqlite::SqliteConnectOptions};

pub(crate) use server::{DbServer, ServerTx, first_to_write};

use crate::{StoreError, open::Frozen};

/// Longer than any write transaction of ours, which stay under about 500 rows.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// How every connection to an SQLite file begins. Nothing that a schema names is run but what SQLite itself calls
/// harmless, and pages are looked at before they are used: a file may come from anybody. What is deleted is overwritten:
/// words that are gone are not to be found in the file.
pub(crate) fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("secure_delete", "ON")
}

/// Connections to either database.
#[derive(Debug)]
pub(crate) enum Db {
    /// One file. SQLite lets one writer in at a time, so there is one connection for writing.
    Sqlite { reader: SqlitePool, writer: SqlitePool },
    /// A server.
    Postgres(DbServer),
    /// One file that is only read; `frozen` when it is read without locks.
    SqliteToRead { reader: SqlitePool, frozen: Option<Frozen> },
    /// A server that is only read.
    PostgresToRead(DbServer),
}

/// An open transaction on either database.
pub(crate) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(ServerTx),
}

/// Runs one statement within a transaction, on whichever database it is: `on!(tx, c => query.execute(c).await)`.
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
    /// Begins a transaction that writes. On SQLite it takes the write lock at once: upgrading a read
    /// transaction later fails as busy whenever another writer came between (CRATES.md 0.3).
    #[boxed]
    pub(crate) async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(server) => Tx::Postgres(server.begin().await?),
            Self::SqliteToRead { .. } | Self::PostgresToRead(_) => return Err(StoreError::OpenedToRead),
        })
    }

    /// Whether it was opened to write, too.
    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Self::Sqlite { .. } | Self::Postgres(_) => true,
            Self::SqliteToRead { .. } | Self::PostgresToRead(_) => false,
        }
    }

    /// Closes every connection; on SQLite this also folds the write-ahead log back into the file.
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { reader, writer } => {
                reader.close().await;
                writer.close().await;
            }
            Self::SqliteToRead { reader, .. } => reader.close().await,
            Self::Postgres(server) | Self::PostgresToRead(server) => server.pool().close().await,
        }
    }

    /// Begins a transaction that reads one state of the database, however many statements it takes.
    #[boxed]
    pub(crate) async fn snapshot(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { reader, .. } | Self::SqliteToRead { reader, .. } => {
                Tx::Sqlite(reader.begin().await?)
            }
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

/// Runs a write to its end even when the caller is dropped meanwhile: a cancelled begin or commit would
/// leave an unknown outcome (DESIGN, seams). What a server rolled back, or what was lost on the way there, is written again
/// from the start (ADR 63), so the block must not consume what it captures.
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

/// Runs a write on a task of its own.
pub(crate) async fn carried_out<T, F>(write: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, StoreError>> + Send + 'static,
{
    tokio::spawn(write).await.map_err(|e| StoreError::Interrupted(e.to_string()))?
}
