//! Opens a database for reading only: nothing is created, migrated, taken over or marked (ADR 48).
//!
//! SQLite reads a file with a write-ahead log through two more files, which it creates if they do not exist. A process
//! that may only read leaves them behind; one that may write removes them when it closes last. So a file that nobody
//! has open is opened with the right to write but a ban on using it, and a file beside a log is opened read-only. If no
//! file can be created and there is no log, the file holds everything and is read as one that nobody changes.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use async_recursion::async_recursion as boxed;
use sqlx::{
    ConnectOptions as _, Connection as _, SqliteConnection, SqlitePool, sqlite::SqliteConnectOptions,
};

use super::{SQLITE_READERS, Target, file_pool, server, unfit};
use crate::{
    Store, StoreError,
    adopt::{self, OldContents},
    db::{Db, sqlite_options},
    migrations,
    owner::Owner,
    recall::VectorCache,
};

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
        if !beside(options.get_filename(), "-wal").exists() {
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
    /// # Errors
    /// If the file has changed since: what was read may be a mixture of two states.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match FileState::of(&self.path) {
            Ok(now) if now == self.was => Ok(()),
            Ok(_) | Err(_) => Err(StoreError::Moved(self.path.clone())),
        }
    }
}

/// How a file is opened for reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// The file lies beside the log of a process that has it open or was killed.
    BesideLog,
    /// Nobody has the file open: what SQLite creates beside it is removed when we close.
    Alone,
    /// The file is read without locks and without a log.
    Frozen,
}

impl Store {
    /// Opens the database for reading only. Every write through this store fails.
    ///
    /// # Errors
    /// If there is no database yet; if it has another form than this program's, or is the predecessor's; if it cannot
    /// be read, is damaged, or is not a database of ours; if its newest changes cannot be read from where it is.
    #[boxed]
    pub async fn open_to_read(target: &Target) -> Result<Self, StoreError> {
        let (db, owner) = match target {
            Target::Sqlite(path) => (sqlite(path).await?, Owner::beside(path)),
            Target::Postgres(url) => (server::open_to_read(url).await?, Owner::remote()),
        };
        Ok(Self {
            db: Arc::new(db),
            owner: Arc::new(owner),
            adoption: None,
            hearing: Arc::default(),
            time: Arc::default(),
            opt_outs: Arc::default(),
            masks_archive: false,
            vectors: VectorCache::default(),
        })
    }

    /// Whether it was opened for writing.
    pub fn is_writable(&self) -> bool {
        self.db.is_writable()
    }

    /// Checks that what was read is what is stored. Only a file that is read without locks can have changed meanwhile.
    ///
    /// # Errors
    /// If another process changed the file.
    pub fn check_unmoved(&self) -> Result<(), StoreError> {
        match &*self.db {
            Db::SqliteToRead { file: OpenFile::Frozen(frozen), .. } => frozen.check(),
            Db::SqliteToRead { file: OpenFile::BesideLog | OpenFile::Alone(_), .. }
            | Db::PostgresToRead(_)
            | Db::Sqlite { .. }
            | Db::Postgres(_) => Ok(()),
        }
    }
}

async fn sqlite(path: &Path) -> Result<Db, StoreError> {
    let begin = fs::File::open(path).and_then(|mut file| file.read(&mut [0]));
    match begin {
        Ok(1..) => {}
        Ok(0) => return Err(StoreError::Missing(path.display().to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        Err(error) => return Err(StoreError::of_path(path, error)),
    }
    let log = beside(path, "-wal");
    let log_length = fs::metadata(&log).ok().map(|log| log.len());
    let first = match log_length {
        Some(_) => Opening::BesideLog,
        None if fs::OpenOptions::new().write(true).open(path).is_ok() => Opening::Alone,
        None => Opening::Frozen,
    };
    match open(path, first).await {
        // No file can be created beside it; SQLite gives no more precise error.
        Err(StoreError::Closed(_) | StoreError::ReadOnly(_) | StoreError::Full | StoreError::Disk(_))
            if first != Opening::Frozen =>
        {
            match log_length {
                Some(1..) => Err(StoreError::UnreadLog(log)),
                Some(0) | None => open(path, Opening::Frozen).await,
            }
        }
        opened => opened,
    }
}

/// The path of a file beside another.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

async fn open(path: &Path, opening: Opening) -> Result<Db, StoreError> {
    let options = options(path, opening);
    let file = match opening {
        Opening::BesideLog => OpenFile::BesideLog,
        Opening::Alone => OpenFile::Alone(Box::new(options.clone())),
        Opening::Frozen => {
            let was = FileState::of(path).map_err(|error| StoreError::of_path(path, error))?;
            OpenFile::Frozen(Frozen { path: path.to_owned(), was })
        }
    };
    let pool = file_pool(SQLITE_READERS);
    let pool = pool.connect_with(options).await.map_err(|e| unfit(path, e.into()))?;
    match check(path, &pool).await {
        Ok(()) => Ok(Db::SqliteToRead { reader: pool, file }),
        Err(error) => {
            file.close(&pool).await;
            Err(error)
        }
    }
}

fn options(path: &Path, opening: Opening) -> SqliteConnectOptions {
    let options = sqlite_options(path).pragma("query_only", "ON");
    match opening {
        Opening::BesideLog => options.read_only(true),
        Opening::Alone => options,
        Opening::Frozen => options.read_only(true).immutable(true),
    }
}

/// Checks, in one transaction, that it is a database of ours in this program's form.
async fn check(path: &Path, pool: &SqlitePool) -> Result<(), StoreError> {
    let mut moment = pool.begin().await?;
    let found = adopt::contents(path, &mut moment).await.map_err(|error| unfit(path, error))?;
    match found {
        OldContents::Ours => {}
        OldContents::Nothing => return Err(StoreError::Missing(path.display().to_string())),
        OldContents::Predecessor => return Err(StoreError::Predecessor(path.to_owned())),
    }
    let c: &mut SqliteConnection = &mut moment;
    let form = migrations::form_of_file(c).await?;
    in_form(&path.display().to_string(), form, migrations::newest_of_file())
}

/// Refuses an older form; a newer one was refused when the form was read.
pub(super) fn in_form(database: &str, form: Option<i64>, known: i64) -> Result<(), StoreError> {
    match form {
        None => Err(StoreError::Missing(database.to_owned())),
        Some(found) if found < known => {
            Err(StoreError::Older { database: database.to_owned(), found, known })
        }
        Some(_) => Ok(()),
    }
}
