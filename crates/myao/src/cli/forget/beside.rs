//! Finds what holds forgotten words outside the database: files that are there, and what is out of reach.

use std::{
    fs,
    path::{Path, PathBuf},
};

use myao_store::DatabaseBeside;

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

/// The databases that lie beside the database, and may be copies of it.
pub(super) fn copies_beside_database(app: &App) -> Result<Vec<DatabaseBeside>, Failure> {
    Ok(app.store.copies_beside()?)
}

/// Says of what lies beside the database that it is there, and what to do.
pub(super) fn describe_copy(copy: &DatabaseBeside) -> String {
    let path = copy.path.display();
    if copy.is_backup {
        format!("{path} is a copy of the database and holds what it held: remove it, or use --remove-backups")
    } else {
        format!(
            "{path} is a database of myao: if it is a copy of this one, it holds what it held; remove it then"
        )
    }
}

/// Removes the copies. Returns a line for each that could not be removed, or that may be no copy.
pub(super) fn remove_copies(copies: &[DatabaseBeside]) -> Vec<String> {
    let left = |copy: &DatabaseBeside| {
        if !copy.is_backup {
            return Some(describe_copy(copy));
        }
        fs::remove_file(&copy.path).err().map(|error| format!("{}: {error}", copy.path.display()))
    };
    copies.iter().filter_map(left).collect()
}

/// The file with recordings of calls to models, if there is one.
pub(super) fn recordings_file(app: &App) -> Option<PathBuf> {
    let file = app.config.recording_file();
    let is_there = |path: &Path| path.exists();
    is_there(&file).then_some(file)
}
