//! What becomes of the backups that a database has in a folder already.

use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

use super::{
    BackupError,
    backup_folder::{BackupFolder, remove_backup},
};
use crate::{Store, StoreError, db::query_as, forget::complete_list_beside};

/// The row that tells a database from others.
const DATABASE_ID: &str = "SELECT value FROM settings WHERE key = 'database_id'";

impl Store {
    /// The backups of this database in a folder, oldest first. Those of other databases, and what cannot be read, are not
    /// among them.
    ///
    /// # Errors
    /// If the database or the folder cannot be read.
    pub async fn backups_in(&self, folder: &BackupFolder) -> Result<Vec<PathBuf>, BackupError> {
        let mut tx = self.db.snapshot().await.map_err(BackupError::From)?;
        let own: (String,) = on!(&mut tx, c => query_as(DATABASE_ID).fetch_one(c).await)
            .map_err(|error| BackupError::From(error.into()))?;
        drop(tx);
        let mut backups = Vec::new();
        for path in folder.list().map_err(BackupError::To)? {
            if id_of_file(&path).await.is_some_and(|id| id == own.0) {
                backups.push(path);
            }
        }
        Ok(backups)
    }

    /// Removes the oldest of these backups, with the lists beside them, until `keep` are left, `newest` among them even if
    /// its name is not the last: the clock may have been set back. Returns those that were removed.
    ///
    /// # Errors
    /// If a backup cannot be removed.
    pub fn prune_backups(
        backups: &[PathBuf],
        newest: &Path,
        keep: usize,
    ) -> Result<Vec<PathBuf>, StoreError> {
        let older: Vec<&PathBuf> = backups.iter().filter(|path| *path != newest).collect();
        let surplus = older.len().saturating_sub(keep.saturating_sub(1));
        let mut removed = Vec::new();
        for path in older.into_iter().take(surplus) {
            remove_backup(path)?;
            removed.push(path.clone());
        }
        Ok(removed)
    }

    /// Brings the list beside an older backup up to date, so that it forgets, once it is restored with its list, what was
    /// forgotten since it was made.
    ///
    /// # Errors
    /// If the database cannot be read or the list cannot be written.
    pub async fn list_forgettings_beside(&self, backup: &Path) -> Result<(), BackupError> {
        complete_list_beside(self, backup).await.map_err(BackupError::To)
    }
}

/// Which database a file is, or is a backup of; `None` if that cannot be read there.
async fn id_of_file(path: &Path) -> Option<String> {
    // A finished backup has nothing beside it, and nobody writes to it.
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    let mut file = options.connect().await.ok()?;
    let id: Option<(String,)> = query_as(DATABASE_ID).fetch_optional(&mut file).await.ok().flatten();
    file.close().await.ok();
    id.map(|(id,)| id)
}
