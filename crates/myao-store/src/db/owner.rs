//! Shows which processes work on a database: one mark per process, which dies with it.
//!
//! A claim names its owner. If a process is killed, its claims would stand until they expire. On SQLite all processes
//! share a machine, so a locked file beside the database tells at once that an owner has ended: the operating system
//! drops the lock with the process. This only makes things faster: every commit checks the claim's token.

use std::{
    fs::{self, File},
    hash::{BuildHasher, Hasher, RandomState},
    path::{Path, PathBuf},
    process,
    sync::{Mutex, PoisonError},
};

use crate::StoreError;

/// This process, as an owner of claims in one database.
#[derive(Debug)]
pub(crate) struct Owner {
    name: String,
    beside: Option<OwnerMark>,
}

#[derive(Debug)]
struct OwnerMark {
    database: PathBuf,
    path: PathBuf,
    /// Created and locked with the first claim: a command that only reads leaves nothing beside the database, however
    /// it ends.
    locked: Mutex<Option<File>>,
}

/// The process id is for people; the same id may return after a restart, so a random part tells owners apart.
fn fresh_name() -> String {
    format!("{}-{:016x}", process::id(), RandomState::new().build_hasher().finish())
}

impl Owner {
    /// An owner that other processes of this machine can see alive.
    pub(crate) fn beside(database: &Path) -> Self {
        let name = fresh_name();
        let path = mark_path(database, &name);
        let mark = OwnerMark { database: database.to_owned(), path, locked: Mutex::new(None) };
        Self { name, beside: Some(mark) }
    }

    /// Creates the mark if it does not exist yet. Called before the first claim is taken.
    pub(crate) fn create_mark(&self) -> Result<(), StoreError> {
        let Some(OwnerMark { path, locked, .. }) = &self.beside else { return Ok(()) };
        let mut locked = locked.lock().unwrap_or_else(PoisonError::into_inner);
        if locked.is_none() {
            let io = |source| StoreError::of_path(path, source);
            let mut create = fs::OpenOptions::new();
            create.create(true).write(true);
            // A process that can open the file could lock it, and appear to be us.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
            let file = create.open(path).map_err(io)?;
            file.lock().map_err(io)?;
            *locked = Some(file);
        }
        Ok(())
    }

    /// An owner on a server: its claims expire.
    pub(crate) fn remote() -> Self {
        Self { name: fresh_name(), beside: None }
    }

    /// The file that this owner works on; `None` for a server.
    pub(crate) fn database(&self) -> Option<&Path> {
        self.beside.as_ref().map(|mark| mark.database.as_path())
    }

    /// Whether this owner may hold a claim. On a server that is not recorded, so the answer is `true`.
    pub(crate) fn may_hold(&self) -> bool {
        let is_shown =
            |mark: &OwnerMark| mark.locked.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        self.beside.as_ref().is_none_or(is_shown)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Removes the mark of an owner that holds nothing any more. A process that ends in another way leaves its mark:
    /// the next process finds it dead and drops its claims.
    pub(crate) fn remove_mark(&self) {
        let Some(OwnerMark { path, locked, .. }) = &self.beside else { return };
        if locked.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            drop(fs::remove_file(path));
        }
    }

    /// Owners that have ended, with their marks, which `Store::release_the_dead` removes.
    pub(crate) fn find_dead_owners(&self) -> Vec<(String, PathBuf)> {
        let Some(mark) = &self.beside else { return Vec::new() };
        let Some((folder, prefix)) = mark_prefix(&mark.database) else { return Vec::new() };
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        entries
            .flatten()
            .filter_map(|entry| {
                Some((entry.file_name().to_str()?.strip_prefix(&prefix)?.to_owned(), entry.path()))
            })
            .filter(|(name, path)| *name != self.name && is_unlocked(path))
            .collect()
    }
}

fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

fn mark_prefix(database: &Path) -> Option<(PathBuf, String)> {
    let file = database.file_name()?.to_str()?;
    let folder = database.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), format!("{file}-owner-")))
}

fn mark_path(database: &Path, name: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(format!("-owner-{name}"));
    PathBuf::from(path)
}
