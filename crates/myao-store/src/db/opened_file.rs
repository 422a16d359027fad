//! Notices that a database's file was deleted, moved away or replaced while it is open. SQLite goes on with the file that it
//! opened, which nobody finds again: what is stored there is lost.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::StoreError;

/// The file that was opened.
#[derive(Debug)]
pub(crate) struct OpenedFile {
    path: PathBuf,
    was: FileIdentity,
}

/// What tells a file from another one of the same name: its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    number: u64,
}

impl OpenedFile {
    /// The file at `path`, which was just opened.
    pub(crate) fn at(path: &Path) -> Result<Self, StoreError> {
        let was = FileIdentity::of(path).map_err(|source| StoreError::of_path(path, source))?;
        Ok(Self { path: path.to_owned(), was })
    }

    /// Fails if another file, or none, is there now. Asked before every transaction: it costs a microsecond.
    pub(crate) fn check_same_file(&self) -> Result<(), StoreError> {
        match FileIdentity::of(&self.path) {
            Ok(is) if is == self.was => Ok(()),
            Ok(_) => Err(StoreError::Replaced(self.path.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(StoreError::Deleted(self.path.clone()))
            }
            // Whether it is there nobody knows; SQLite has it open.
            Err(_) => Ok(()),
        }
    }
}

impl FileIdentity {
    #[cfg(unix)]
    fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let found = fs::metadata(path)?;
        Ok(Self { device: found.dev(), number: found.ino() })
    }

    /// Where files have no number, it is only noticed that there is none.
    #[cfg(not(unix))]
    fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|_| Self { device: 0, number: 0 })
    }
}
