//! Finds what holds forgotten words outside the database: files that are there, and what is out of reach.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::Failure;
use crate::app::App;

/// Places that no command of ours reaches.
pub(super) const OUT_OF_REACH: [&str; 5] = [
    "the chat itself: delete the message there, or it is still to be read",
    "exports of the workspace and of memories on disk; importing one again does not bring the words back",
    "copies of the database elsewhere, and what the disk itself keeps of files that were overwritten",
    "the logs of a provider that answered with these words in its prompt",
    "people who have read it, and what they repeated in words of their own",
];

/// What a database server may keep besides these.
pub(super) const ON_A_SERVER: &str = "the server's write-ahead log and archives of it, replicas, dumps: `pg_switch_wal()` \
     and a checkpoint let old segments be recycled; what is archived is for its administrator to remove";

/// The copies of the database that lie beside it.
pub(super) fn copies(app: &App) -> Result<Vec<PathBuf>, Failure> {
    Ok(app.store.copies_beside()?)
}

/// Removes the copies. Returns a line for each that could not be removed.
pub(super) fn remove(copies: &[PathBuf]) -> Vec<String> {
    let failed =
        |path: &PathBuf| fs::remove_file(path).err().map(|error| format!("{}: {error}", path.display()));
    copies.iter().filter_map(failed).collect()
}

/// The file with recordings of calls to models, if there is one.
pub(super) fn recordings(app: &App) -> Option<PathBuf> {
    let file = app.config.recording_file();
    let is_there = |path: &Path| path.exists();
    is_there(&file).then_some(file)
}
