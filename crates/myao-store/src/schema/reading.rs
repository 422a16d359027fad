//! Opens a database for reading only: nothing is created, migrated, taken over or marked (ADR 48).
//!
//! SQLite reads a file with a write-ahead log through two more files, which it creates if they do not exist. A process
//! that may only read leaves them behind; one that may write removes them when it closes last. So a file that nobody
//! has open is opened with the right to write but a ban on using it, and a file beside a log is opened read-only. If no
//! file can be created and there is no log, the file holds everything and is read as one that nobody changes.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
    sync::Arc,
};

use async_recursion::async_recursion as boxed;
use sqlx::{SqliteConnection, SqlitePool, sqlite::SqliteConnectOptions};

use super::{
    contents::{self, OldContents, unfit_file_error},
    migrations::{self, in_form},
    server,
};
use crate::{
    Store, StoreError,
    db::{
        Db,
        owner::Owner,
        pools::{SQLITE_READERS, file_pool},
        read_file::{Frozen, OpenFile, path_beside},
        sqlite_options,
        target::Target,
    },
    recall::VectorCache,
};

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
            Target::Sqlite(path) => (open_sqlite_file(path).await?, Owner::beside(path)),
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
            uses_noted: Arc::default(),
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
            Db::SqliteToRead { file: OpenFile::Frozen(frozen), .. } => frozen.check_unchanged(),
            Db::SqliteToRead { file: OpenFile::BesideLog | OpenFile::Alone(_), .. }
            | Db::PostgresToRead(_)
            | Db::Sqlite { .. }
            | Db::Postgres(_) => Ok(()),
        }
    }
}

async fn open_sqlite_file(path: &Path) -> Result<Db, StoreError> {
    let begin = fs::File::open(path).and_then(|mut file| file.read(&mut [0]));
    match begin {
        Ok(1..) => {}
        Ok(0) => return Err(StoreError::Missing(path.display().to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        Err(error) => return Err(StoreError::of_path(path, error)),
    }
    let log = path_beside(path, "-wal");
    let log_length = fs::metadata(&log).ok().map(|log| log.len());
    let first = match log_length {
        Some(_) => Opening::BesideLog,
        None if fs::OpenOptions::new().write(true).open(path).is_ok() => Opening::Alone,
        None => Opening::Frozen,
    };
    match open_pool_as(path, first).await {
        // No file can be created beside it; SQLite gives no more precise error.
        Err(StoreError::Closed(_) | StoreError::ReadOnly(_) | StoreError::Full | StoreError::Disk(_))
            if first != Opening::Frozen =>
        {
            match log_length {
                Some(1..) => Err(StoreError::UnreadLog(log)),
                Some(0) | None => open_pool_as(path, Opening::Frozen).await,
            }
        }
        opened => opened,
    }
}

async fn open_pool_as(path: &Path, opening: Opening) -> Result<Db, StoreError> {
    let options = connect_options(path, opening);
    let file = match opening {
        Opening::BesideLog => OpenFile::BesideLog,
        Opening::Alone => OpenFile::Alone(Box::new(options.clone())),
        Opening::Frozen => {
            OpenFile::Frozen(Frozen::at(path).map_err(|error| StoreError::of_path(path, error))?)
        }
    };
    let pool = file_pool(SQLITE_READERS);
    let pool = pool.connect_with(options).await.map_err(|e| unfit_file_error(path, e.into()))?;
    match check_own_form(path, &pool).await {
        Ok(()) => Ok(Db::SqliteToRead { reader: pool, file }),
        Err(error) => {
            file.close(&pool).await;
            Err(error)
        }
    }
}

fn connect_options(path: &Path, opening: Opening) -> SqliteConnectOptions {
    let options = sqlite_options(path).pragma("query_only", "ON");
    match opening {
        Opening::BesideLog => options.read_only(true),
        Opening::Alone => options,
        Opening::Frozen => options.read_only(true).immutable(true),
    }
}

/// Checks, in one transaction, that it is a database of ours in this program's form.
async fn check_own_form(path: &Path, pool: &SqlitePool) -> Result<(), StoreError> {
    let mut moment = pool.begin().await?;
    let found =
        contents::file_contents(path, &mut moment).await.map_err(|error| unfit_file_error(path, error))?;
    match found {
        OldContents::Ours => {}
        OldContents::Nothing => return Err(StoreError::Missing(path.display().to_string())),
        OldContents::Predecessor => return Err(StoreError::Predecessor(path.to_owned())),
    }
    let c: &mut SqliteConnection = &mut moment;
    let form = migrations::form_of_file(c).await?;
    in_form(&path.display().to_string(), form, migrations::newest_of_file())
}
