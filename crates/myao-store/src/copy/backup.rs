//! Makes a backup of the database, beside whatever works on it (ADR 126).
//!
//! A backup is one SQLite file, whatever the database is: a file is copied by SQLite itself, a server's tables are read
//! in one snapshot. It becomes a backup, by its name, only once it is whole, was verified and is on the disk.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    CopyProgress, aside::Aside, backup_file::make_a_file_of_its_own, fill_database, outcome::BackupError,
};
use crate::{
    Store, StoreError,
    db::{query_as, target::Target},
    schema::backup::copy_into,
    verify::Fault,
};

/// A finished backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// The messages in it.
    pub messages: u64,
    /// What [`Store::verify`] finds in it.
    pub faults: Vec<Fault>,
}

impl Store {
    /// Makes a backup of this database at `to`, which must not exist yet, and verifies it. Others may write meanwhile:
    /// the backup holds what was committed when it began. Beside it lies a list of what was forgotten, as beside every
    /// database.
    ///
    /// # Errors
    /// If something is still to be forgotten, or is forgotten meanwhile; if the database or the place of the backup
    /// cannot be used. Then nothing is left at `to`.
    pub async fn back_up(
        &self,
        to: &Path,
        tell: &mut dyn FnMut(CopyProgress),
    ) -> Result<Backup, BackupError> {
        // Counted first: one that begins between the two is seen by the second, and one that begins later by its number.
        let before = self.count_forgettings().await.map_err(BackupError::From)?;
        self.refuse_unforgotten().await?;
        let aside = Aside::beside_file(to)?;
        let made = self.fill_and_verify(&aside, to, tell).await;
        let checked = match made {
            Ok(made) => self.refuse_changed_forgettings(before).await.map(|()| made),
            Err(error) => Err(error),
        };
        let backup = match checked {
            Ok(backup) => backup,
            Err(error) => {
                aside.discard();
                return Err(error);
            }
        };
        aside.give_final_name().map_err(BackupError::To)?;
        self.list_forgettings_beside(to).await?;
        Ok(backup)
    }

    async fn fill_and_verify(
        &self,
        aside: &Aside,
        to: &Path,
        tell: &mut dyn FnMut(CopyProgress),
    ) -> Result<Backup, BackupError> {
        let unfinished = aside.unfinished_file().unwrap_or_else(|| to.to_owned());
        if let Some(database) = self.database() {
            copy_into(database, &unfinished).await.map_err(|error| whose_error(error, database))?;
        } else {
            let copy = aside.open().await.map_err(BackupError::To)?;
            let filled = fill_database(self, &copy, &to.display().to_string(), tell).await;
            copy.close().await;
            filled.map_err(BackupError::of_copy)?;
        }
        make_a_file_of_its_own(&unfinished).await.map_err(BackupError::To)?;
        tell(CopyProgress::Verifying);
        let copy = Self::open_to_read(&Target::Sqlite(unfinished.clone())).await.map_err(BackupError::To)?;
        let verified = copy.verify().await;
        copy.close().await;
        let verified = verified.map_err(BackupError::To)?;
        let bytes = fs::metadata(&unfinished)
            .map_err(|source| BackupError::To(StoreError::of_path(&unfinished, source)))?
            .len();
        Ok(Backup {
            path: to.to_owned(),
            bytes,
            messages: verified.checked.messages,
            faults: verified.faults,
        })
    }

    async fn refuse_unforgotten(&self) -> Result<(), BackupError> {
        match self.forget().has_more().await {
            Ok(false) => Ok(()),
            Ok(true) => Err(BackupError::Unforgotten),
            Err(error) => Err(BackupError::From(error)),
        }
    }

    /// A forgetting that was begun meanwhile may have been done after the backup was read.
    async fn refuse_changed_forgettings(&self, before: i64) -> Result<(), BackupError> {
        let after = self.count_forgettings().await.map_err(BackupError::From)?;
        if after == before { Ok(()) } else { Err(BackupError::ForgottenMeanwhile) }
    }

    async fn count_forgettings(&self) -> Result<i64, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let (count,): (i64,) =
            on!(&mut tx, c => query_as("SELECT count(*) FROM forgettings").fetch_one(c).await)?;
        Ok(count)
    }
}

/// Whose error it is when one file was copied to another: a full disk is that of the backup, since the database is only
/// read.
fn whose_error(error: StoreError, database: &Path) -> BackupError {
    let is_of_database = if let StoreError::Path { path, .. } = &error {
        path == database
    } else {
        matches!(error, StoreError::Damaged(_) | StoreError::NotADatabase(_) | StoreError::Locked)
    };
    if is_of_database { BackupError::From(error) } else { BackupError::To(error) }
}
