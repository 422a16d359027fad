//! What a copy tells: how far it has come, what came of it, and why nothing was copied.

use super::rows::TableDigest;
use crate::{StoreError, verify::Fault};

/// Why nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The database that is copied cannot be used.
    #[error("nothing was copied; the database to copy from: {0}")]
    From(#[source] StoreError),
    /// The database that is copied to cannot be used. Nothing stays in it.
    #[error("nothing was copied; the database to copy to: {0}")]
    To(#[source] StoreError),
    /// Another process works on one of them.
    #[error(
        "nothing was copied: another myao is at work on {database} ({what}); stop it first, since what it writes \
         meanwhile would be missing from the copy"
    )]
    Busy {
        /// Which database.
        database: String,
        /// The evidence for it.
        what: String,
    },
    /// The database that is copied to is not empty.
    #[error("nothing was copied: {database} is not empty ({what}); name a new one, or remove it first")]
    NotEmpty {
        /// Which database.
        database: String,
        /// What is in it.
        what: String,
    },
    /// A forgetting is unfinished, or is listed beside the file but not in it.
    #[error(
        "nothing was copied: something is still to be forgotten in {0}; `myao forget --resume` does that first"
    )]
    Unforgotten(String),
    /// What was read back differs from what was written.
    #[error(
        "nothing was copied: table {table} was read back otherwise than it was written; try again, and check the disk"
    )]
    Differs {
        /// In which table.
        table: String,
    },
}

/// Why no backup was made. Nothing has the backup's name then.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be used.
    #[error("no backup was made; the database: {0}")]
    From(#[source] StoreError),
    /// The place of the backup cannot be used, or what was written there cannot be read.
    #[error("no backup was made; the place of the backup: {0}")]
    To(#[source] StoreError),
    /// Another process makes a backup of the same name.
    #[error("no backup was made: another process is making {0}")]
    Busy(String),
    /// The name is taken. Nothing is ever written over.
    #[error("no backup was made: {0} is there already")]
    Taken(String),
    /// A forgetting is unfinished, or is listed beside the file but not in it.
    #[error("no backup was made: something is still to be forgotten; `myao forget --resume` does that first")]
    Unforgotten,
    /// Something was forgotten while the database was read, and may be in what was read.
    #[error("no backup was made: something was forgotten while the database was read; make it again")]
    ForgottenMeanwhile,
    /// What was read back differs from what was written.
    #[error(
        "no backup was made: table {0} was read back otherwise than it was written; try again, and check the disk"
    )]
    Differs(String),
}

impl BackupError {
    /// The error of a backup, from that of a copy.
    pub(super) fn of_copy(error: CopyError) -> Self {
        match error {
            CopyError::From(error) => Self::From(error),
            CopyError::To(error) => Self::To(error),
            CopyError::Busy { database, .. } => Self::Busy(database),
            CopyError::NotEmpty { database, .. } => Self::Taken(database),
            CopyError::Unforgotten(_) => Self::Unforgotten,
            CopyError::Differs { table } => Self::Differs(table),
        }
    }
}

/// How far a copy has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyProgress {
    /// The rows of a table are being copied.
    Copying {
        /// Which table.
        table: String,
        /// Rows copied so far, of all tables.
        rows: u64,
        /// Rows to copy, of all tables.
        of: u64,
    },
    /// What was written is being read back.
    Comparing {
        /// Rows read back so far, of all tables.
        rows: u64,
        /// Rows to read back, of all tables.
        of: u64,
    },
    /// The index for recall is being made.
    Indexing {
        /// Channels indexed so far.
        channels: u64,
        /// Channels to index.
        of: u64,
    },
    /// The memories are being verified.
    Verifying,
}

/// A finished copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedDatabase {
    /// Each table with the digest of its rows, which is the same in both databases.
    pub tables: Vec<(String, TableDigest)>,
    /// Tables that are not copied, each with the reason.
    pub left_out: Vec<(&'static str, &'static str)>,
    /// What [`crate::Store::verify`] finds in the copy.
    pub faults: Vec<Fault>,
}
