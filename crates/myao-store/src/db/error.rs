//! The errors of a database, in words for the person who runs it.

use std::{
    io,
    panic::Location,
    path::{Path, PathBuf},
};

use super::connection_limit::MOST_CONNECTIONS;

/// A failed store operation. A failed write leaves nothing behind.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file exists but is not an SQLite database.
    #[error("{0} is not an SQLite database; name another file in memory.database_path or move this one away")]
    NotADatabase(PathBuf),
    /// An SQLite database of another program.
    #[error("{path} is a database of another program (it has a table `{table}` and no mark of ours)")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// One of its tables.
        table: String,
    },
    /// The schema holds something that is not ours and could act when we read or write.
    #[error(
        "{database} holds what myao did not make, and what could change or hide what it stores: {objects}. If you \
         put it there, take it out (DROP TRIGGER, DROP VIEW, DROP INDEX, …) and start again; if not, use a backup \
         of your own: nothing was changed"
    )]
    NotOurs {
        /// The file, or the database's name.
        database: String,
        /// What was found, by kind and name.
        objects: String,
    },
    /// A database of the predecessor, opened by something that cannot take it over.
    #[error("{0} is a database of myao2; `myao run` and `myao memory build` take it over, and keep a copy")]
    Predecessor(PathBuf),
    /// A file that holds some but not all tables or columns of the predecessor's database.
    #[error("{path} looks like a database of myao2, but has no {missing}; nothing was changed")]
    PartOfPredecessor {
        /// The file.
        path: PathBuf,
        /// What is missing.
        missing: String,
    },
    /// The directory or file cannot be used.
    #[error("{path}: {source}")]
    Path {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no longer there, though it is open.
    #[error(
        "{0} was deleted or moved away while it was open: nothing is read or stored any more; put it back, or start \
         again"
    )]
    Deleted(PathBuf),
    /// Another file is there now.
    #[error(
        "{0} was replaced by another file while it was open: nothing is read or stored any more; put it back, or start \
         again"
    )]
    Replaced(PathBuf),
    /// Another process has held the database longer than we wait.
    #[error("the database is locked by another process; try again when it is done")]
    Locked,
    /// The server refuses us or cannot be reached.
    #[error("the PostgreSQL server at {server} cannot be used: {why}; see memory.database_url")]
    Unreachable {
        /// Host and port, or the folder of its socket.
        server: String,
        /// The cause.
        why: String,
    },
    /// The server lets nobody else in.
    #[error(
        "the PostgreSQL server at {server} has no connection left ({told}): a process of myao takes up to {wanted}. Raise \
         `max_connections` of the server, or the limit of the role or the database, until as many are free, end other \
         processes, or put a pooler in between"
    )]
    NoConnectionLeft {
        /// Host and port, or the folder of its socket.
        server: String,
        /// What it said.
        told: String,
        /// How many connections a process takes.
        wanted: u32,
    },
    /// Every connection was in use all the time, or the server gave us none.
    #[error(
        "no connection to the database was free in time: a file was written to for too long; a PostgreSQL server does not \
         answer, or gives this process fewer than the {MOST_CONNECTIONS} that it takes: `max_connections` of the \
         server, or the limit of the role or the database, has to allow as many for each process"
    )]
    NoFreeConnection {
        /// The error.
        source: sqlx::Error,
    },
    /// No space left.
    #[error("the disk is full: nothing was written, free some space and run again")]
    Full,
    /// The disk, or a limit on the size of files, refused a read or write.
    #[error(
        "the database could not be written or read ({0}); nothing of this write stays, run again when the \
             disk is well"
    )]
    Disk(String),
    /// The file, or one of those that SQLite keeps beside it, cannot be created or opened.
    #[error("the database cannot be opened ({0}): its folder must be writable and have room for more files")]
    Closed(String),
    /// Not writable.
    #[error("the database is read-only ({0}); its folder must be writable")]
    ReadOnly(String),
    /// There is no database yet.
    #[error("there is no database yet ({0}); `myao import slack PATH` or `myao run` makes one")]
    Missing(String),
    /// The database has the form of an older myao, and was opened for reading only.
    #[error(
        "{database} has form {found}, of an older myao, and this one reads form {known}: `myao memory build` or \
         `myao run` brings it there first. Commands that read change nothing"
    )]
    Older {
        /// The file, or the database's name.
        database: String,
        /// Its form.
        found: i64,
        /// This program's form.
        known: i64,
    },
    /// Changes that another process left in a log, which SQLite cannot read in this folder since it cannot create a
    /// file there.
    #[error(
        "the newest changes of the database are in {0}, which cannot be read in a folder in which no file can be \
         made: copy the database together with this file to another folder, and read it there"
    )]
    UnreadLog(PathBuf),
    /// The file changed while it was read without locks, so what was read may be wrong.
    #[error("another process changed {0} while it was read, so that this may be wrong: run it again")]
    Moved(PathBuf),
    /// A write through a store that was opened for reading only.
    #[error("the database was opened to be read, and nothing is written then")]
    OpenedToRead,
    /// The database is damaged.
    #[error("the database is damaged ({0}); restore a backup copy")]
    Damaged(String),
    /// The database was brought to its form by a newer myao.
    #[error(
        "the database was brought to form {found} by a newer myao, this one knows forms up to {known}; \
         use the newer one, or the copy that it made before"
    )]
    Newer {
        /// The database's form.
        found: i64,
        /// The newest form that this program knows.
        known: i64,
    },
    /// A migration failed, or an applied migration differs from the one we know.
    #[error("the database cannot be brought to this program's form: {0}")]
    Migration(String),
    /// Content that this program did not write.
    #[error("the database holds something unexpected: {0}")]
    Content(String),
    /// The claim on a subject went to another process.
    #[error("another process took over {0}")]
    ClaimLost(String),
    /// The database is another workspace's.
    #[error(
        "the database belongs to the workspace {bound}, and the token to {given}; use another database, or the \
         other token"
    )]
    OtherTeam {
        /// Whose it is.
        bound: String,
        /// Whose the token is.
        given: String,
    },
    /// A channel got a new id, and both ids have memories.
    #[error("channel {old} is called {new} now, but both have memories; nothing was changed")]
    TwoMemories {
        /// The id it had.
        old: String,
        /// The id it has.
        new: String,
    },
    /// The connection was lost while a transaction was committed: it may have been carried out or not.
    #[error(
        "the connection to the database was lost during a commit, so it is not known whether this was stored: {0}"
    )]
    UnknownCommit(String),
    /// The runtime ended while a write was under way.
    #[error("a write was interrupted: {0}")]
    Interrupted(String),
    /// The configured address is not that of a database.
    #[error("memory.database_url is no PostgreSQL address")]
    NoAddress,
    /// Any other error of the database.
    #[error("the database failed at {at}: {source}")]
    Database {
        /// The error.
        source: sqlx::Error,
        /// The file and line of our operation that failed.
        at: &'static Location<'static>,
    },
}

const SQLITE_BUSY: i64 = 5;

const SQLITE_LOCKED: i64 = 6;

const SQLITE_READONLY: i64 = 8;

const SQLITE_IOERR: i64 = 10;

const SQLITE_CORRUPT: i64 = 11;

const SQLITE_FULL: i64 = 13;

const SQLITE_CANTOPEN: i64 = 14;

const SQLITE_NOTADB: i64 = 26;

/// Extended: no room for the index that readers and the writer share, which only a full disk causes.
const SQLITE_IOERR_SHMSIZE: i64 = 4874;

impl StoreError {
    /// The error for what the operating system reports about a file or folder.
    pub(crate) fn of_path(path: &Path, source: io::Error) -> Self {
        let is = |kind| source.kind() == kind;
        if is(io::ErrorKind::StorageFull) || is(io::ErrorKind::QuotaExceeded) {
            Self::Full
        } else if is(io::ErrorKind::ReadOnlyFilesystem) {
            Self::ReadOnly(path.display().to_string())
        } else {
            Self::Path { path: path.to_owned(), source }
        }
    }
}

impl From<sqlx::Error> for StoreError {
    #[track_caller]
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::NoFreeConnection { source: error };
        }
        let at = Location::caller();
        let text = error.to_string();
        let sqlite = error
            .as_database_error()
            .filter(|e| e.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some())
            .and_then(|e| e.code()?.parse::<i64>().ok());
        if sqlite == Some(SQLITE_IOERR_SHMSIZE) {
            return Self::Full;
        }
        // The primary code is the low byte of SQLite's extended one.
        match sqlite.map(|code| code & 0xff) {
            Some(SQLITE_BUSY | SQLITE_LOCKED) => Self::Locked,
            Some(SQLITE_READONLY) => Self::ReadOnly(text),
            Some(SQLITE_CORRUPT | SQLITE_NOTADB) => Self::Damaged(text),
            Some(SQLITE_FULL) => Self::Full,
            Some(SQLITE_IOERR) => Self::Disk(text),
            Some(SQLITE_CANTOPEN) => Self::Closed(text),
            Some(_) | None => Self::Database { source: error, at },
        }
    }
}

/// Values that are not what was stored as JSON.
impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Content(error.to_string())
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        use sqlx::migrate::MigrateError;

        if let MigrateError::Execute(e) = error {
            return Self::from(e);
        }
        let why = error.to_string();
        if let MigrateError::ExecuteMigration(e, _) = error {
            // A full disk is reported as such; only a failure of the statement itself is the migration's.
            let told = Self::from(e);
            return if matches!(told, Self::Database { .. }) { Self::Migration(why) } else { told };
        }
        Self::Migration(why)
    }
}
