//! Prepares where a copy is made: beside the file that it becomes once it is complete, or in a server's empty database.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    outcome::{BackupError, CopyError},
    refusals,
};
use crate::{
    Store, StoreError,
    db::target::Target,
    schema::backup::{COPY_LOCK, UNFINISHED_COPY},
};

/// The suffixes of a file and of what SQLite keeps beside it.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A database that does not exist yet, or is empty.
#[derive(Debug)]
pub(super) enum Aside {
    /// A file that is filled under another name.
    File { path: PathBuf, _lock: File },
    /// A server's database that is filled in one transaction.
    DbServer(Target),
}

impl Aside {
    /// Checks that nothing is in the way, and locks a file.
    pub(super) async fn prepare(to: &Target, now: Timestamp) -> Result<Self, CopyError> {
        match to {
            Target::Sqlite(path) => prepare_file_beside(path),
            Target::Postgres(_) => {
                match Store::open_to_read(to).await {
                    Ok(store) => {
                        let at_work = refusals::at_work(&store, &to.public_name(), now).await;
                        store.close().await;
                        at_work?;
                    }
                    // The database holds nothing of ours yet.
                    Err(StoreError::Missing(_)) => {}
                    Err(error) => return Err(CopyError::To(error)),
                }
                Ok(Self::DbServer(to.clone()))
            }
        }
    }

    /// The same for a backup, which is always a file.
    pub(super) fn beside_file(to: &Path) -> Result<Self, BackupError> {
        prepare_file_beside(to).map_err(BackupError::of_copy)
    }

    /// The file that is filled; `None` for a server.
    pub(super) fn unfinished_file(&self) -> Option<PathBuf> {
        match self {
            Self::File { path, .. } => Some(path_with_ending(path, UNFINISHED_COPY)),
            Self::DbServer(_) => None,
        }
    }

    /// Opens the database that is to be filled.
    pub(super) async fn open(&self) -> Result<Store, StoreError> {
        match self {
            Self::File { path, .. } => {
                Store::open(&Target::Sqlite(path_with_ending(path, UNFINISHED_COPY))).await
            }
            Self::DbServer(target) => Store::open(target).await,
        }
    }

    /// Gives a complete file its final name. The caller has closed it.
    pub(super) fn give_final_name(self) -> Result<(), StoreError> {
        let Self::File { path, .. } = &self else { return Ok(()) };
        let unfinished = path_with_ending(path, UNFINISHED_COPY);
        let io = |source| StoreError::of_path(path, source);
        File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io)?;
        // Fails if the name is taken by now: a link replaces no file.
        fs::hard_link(&unfinished, path).map_err(io)?;
        fs::remove_file(&unfinished).map_err(io)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)?;
        drop(fs::remove_file(path_with_ending(path, COPY_LOCK)));
        Ok(())
    }

    /// Removes what exists of a file. A server rolls its transaction back by itself.
    pub(super) fn discard(self) {
        let Self::File { path, .. } = &self else { return };
        // If the copy failed, its error is the one to report.
        drop(remove_unfinished_copy(path));
        drop(fs::remove_file(path_with_ending(path, COPY_LOCK)));
    }
}

fn prepare_file_beside(path: &Path) -> Result<Aside, CopyError> {
    let io = |source| CopyError::To(StoreError::of_path(path, source));
    match fs::metadata(path) {
        Ok(there) => {
            let what = format!("a file of {} bytes is there", there.len());
            return Err(CopyError::NotEmpty { database: path.display().to_string(), what });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(io(error)),
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut make = fs::DirBuilder::new();
        make.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut make, 0o700);
        make.create(folder).map_err(io)?;
    }
    let lock = File::create(path_with_ending(path, COPY_LOCK)).map_err(io)?;
    if lock.try_lock().is_err() {
        let what = "a copy to it is being made".to_owned();
        return Err(CopyError::Busy { database: path.display().to_string(), what });
    }
    remove_unfinished_copy(path).map_err(io)?;
    Ok(Aside::File { path: path.to_owned(), _lock: lock })
}

/// Removes an unfinished copy.
fn remove_unfinished_copy(path: &Path) -> io::Result<()> {
    for end in BESIDE {
        match fs::remove_file(path_with_ending(path, &format!("{UNFINISHED_COPY}{end}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn path_with_ending(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
