//! Connects to either database and begins transactions on it (ADR 2).

use std::{path::Path, time::Duration};

use async_recursion::async_recursion as boxed;
use sqlx::{
    Sqlite, SqlitePool, Transaction,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use super::{
    opened_file::OpenedFile,
    query::query_as,
    read_file::OpenFile,
    server::{DbServer, ServerTx},
};
use crate::StoreError;

/// How long we wait for a lock. Longer than any of our write transactions, which stay under about 500 rows, those of an
/// import under 2,000 messages.
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

impl Db {
    /// Begins a transaction that writes. On SQLite it takes the write lock at once: upgrading a read transaction later
    /// fails as busy if another writer came between (design §1).
    #[boxed]
    pub(crate) async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { writer, file, .. } => {
                file.check_same_file()?;
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
                file.check_same_file()?;
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

/// Connections that read, shared by reading commands and pages; SQLite readers never wait for the writer.
pub(crate) const SQLITE_READERS: u32 = 4;

impl Db {
    /// Empties SQLite's write-ahead log into the file, so that nothing that was overwritten is left in the log. `false`
    /// if another connection is reading: then it has to be tried again. Does nothing for a server, whose log is its
    /// owner's matter.
    pub(crate) async fn empty_log(&self) -> Result<bool, StoreError> {
        let Self::Sqlite { writer, .. } = self else { return Ok(true) };
        let (busy, _, _): (i64, i64, i64) =
            query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(writer).await?;
        Ok(busy == 0)
    }
}

/// Connections to a file. They do not break while they wait, so none is tried before each use, which would cost as much
/// as a small statement, and none is replaced after a time: the driver's task that does so counts idle connections in a
/// way that can read as 2⁶⁴ for an instant, and then occupies a thread for ever.
pub(crate) fn file_pool(most: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(most)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
}
