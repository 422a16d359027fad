//! Holds a file that is opened for reading only (ADR 48): what is left beside it, and whether it changed meanwhile.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use sqlx::{ConnectOptions as _, Connection as _, SqlitePool, sqlite::SqliteConnectOptions};

use crate::StoreError;

/// What closing or checking a file that is only read has to know.
#[derive(Debug)]
pub(crate) enum OpenFile {
    /// What lies beside the file is another process's.
    BesideLog,
    /// What lies beside the file is ours, and is removed by opening it like this once more.
    Alone(Box<SqliteConnectOptions>),
    /// Another process may have changed it.
    Frozen(Frozen),
}

impl OpenFile {
    /// Closes every connection, and leaves beside the file only what was there.
    ///
    /// The last connection to close removes the files that SQLite made. Connections of a pool that close at the same
    /// moment each see another one, so none of them does; a single one that is opened and closed afterwards will.
    pub(crate) async fn close(&self, pool: &SqlitePool) {
        pool.close().await;
        let Self::Alone(options) = self else { return };
        if !path_beside(options.get_filename(), "-wal").exists() {
            return;
        }
        let removed = async {
            let mut last = options.connect().await?;
            // SQLite looks at the log only when something is read.
            sqlx::query("PRAGMA schema_version").execute(&mut last).await?;
            last.close().await
        };
        if let Err(error) = removed.await {
            tracing::debug!(%error, "an empty log stays beside the database");
        }
    }
}

/// A file that is read without locks, and its state when it was opened.
#[derive(Debug)]
pub(crate) struct Frozen {
    path: PathBuf,
    was: FileState,
}

/// The properties that change when a log is folded back into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileState {
    length: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    fn of(path: &Path) -> io::Result<Self> {
        let now = fs::metadata(path)?;
        Ok(Self { length: now.len(), modified: now.modified().ok() })
    }
}

impl Frozen {
    /// The file as it is now.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), was: FileState::of(path)? })
    }

    /// # Errors
    /// If the file has changed since: what was read may be a mixture of two states.
    pub(crate) fn check_unchanged(&self) -> Result<(), StoreError> {
        match FileState::of(&self.path) {
            Ok(now) if now == self.was => Ok(()),
            Ok(_) | Err(_) => Err(StoreError::Moved(self.path.clone())),
        }
    }
}

/// The path of a file beside another.
pub(crate) fn path_beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
