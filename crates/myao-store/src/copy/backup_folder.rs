//! A folder of backups: how they are named, and which are there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::instant_after;

use crate::{
    StoreError,
    forget::list_of,
    schema::backup::{COPY_LOCK, UNFINISHED_COPY, is_being_made},
};

/// How the name of a backup begins and ends; between them stands when it was made.
const BEGIN: &str = "myao-";
const END: &str = ".db";
/// The time in a name, in UTC: names sort as the backups were made.
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// The length of that time.
const TIME_LENGTH: usize = "20260302T090000Z".len();

/// A folder of backups. Files of other names in it are left alone.
#[derive(Clone, Debug)]
pub struct BackupFolder(PathBuf);

impl BackupFolder {
    /// The folder at this path, which need not exist yet.
    pub fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Where a backup that is made now goes: names of the same second are followed by those of the next.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn path_for(&self, now: Timestamp) -> Result<PathBuf, StoreError> {
        let names = self.names()?;
        let name_at = |at: Timestamp| format!("{BEGIN}{}{END}", at.strftime(TIME));
        let mut at = now;
        while names.contains(&name_at(at)) {
            at = instant_after(at, SignedDuration::from_secs(1));
        }
        Ok(self.0.join(name_at(at)))
    }

    /// What has the name of a backup in it, oldest first.
    pub(super) fn list(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut found: Vec<PathBuf> =
            self.names()?.iter().filter(|name| is_backup_name(name)).map(|name| self.0.join(name)).collect();
        found.sort();
        Ok(found)
    }

    /// Removes what backups that were killed left behind.
    ///
    /// # Errors
    /// When the folder cannot be read, or a file cannot be removed.
    pub fn remove_unfinished(&self) -> Result<(), StoreError> {
        for name in self.names()? {
            // What SQLite keeps beside a file goes with it, whatever its name.
            let copied = name
                .strip_suffix(COPY_LOCK)
                .or_else(|| name.split_once(UNFINISHED_COPY).map(|(copied, _)| copied));
            if copied.is_some_and(|copied| is_backup_name(copied) && !is_being_made(&self.0, copied)) {
                remove_if_there(&self.0.join(&name))?;
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, StoreError> {
        let io = |source| StoreError::of_path(&self.0, source);
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry.map_err(io)?.file_name().into_string());
        }
        Ok(names)
    }
}

/// Removes a backup, and the list beside it.
pub(super) fn remove_backup(path: &Path) -> Result<(), StoreError> {
    fs::remove_file(path).map_err(|error| StoreError::of_path(path, error))?;
    remove_if_there(&list_of(path))
}

/// Whether a file of this name is a backup that we named.
fn is_backup_name(name: &str) -> bool {
    let time = name.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
    time.is_some_and(|time| {
        time.len() == TIME_LENGTH && time.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'T' | b'Z'))
    })
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_path(path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
