//! Finds files with messages or secrets that others on this machine can read or change.
//!
//! *Others* are neither the owner nor in the file's group: the owner chooses who is in the group, and volumes of
//! containers often rely on it. A file below a folder that others cannot enter is safe, whatever its own mode is.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use myao_config::{Config, Database};

use super::Exposure;

/// The most entries of the database's folder that are searched for its copies: it may hold thousands of files.
const MOST_ENTRIES: usize = 10_000;
const READ: u32 = 0o004;
const WRITE: u32 = 0o002;
const ENTER: u32 = 0o001;
/// Only the owner of an entry of the folder may remove it, as in `/tmp`.
const STICKY: u32 = 0o1000;

/// The files of an installation that others can read or change. Empty on systems without file modes.
pub fn files_open_to_others(config: &Config) -> Vec<Exposure> {
    let mut files: BTreeSet<PathBuf> = config.files_with_secrets().into_iter().collect();
    let recording = config.recording_file();
    let mut before = recording.clone().into_os_string();
    before.push(".1");
    files.extend([recording, before.into()]);
    let mut loose = Vec::new();
    if let Database::Sqlite(path) = &config.database {
        files.extend(with_copies(path));
        loose.extend(check_folder(folder_of(path)));
    }
    loose.extend(files.iter().filter_map(|path| check_one_file(path)));
    loose
}

/// A database and all files beside it whose names begin with its name: those that SQLite keeps, and copies made before
/// migrations.
fn with_copies(database: &Path) -> Vec<PathBuf> {
    let folder = folder_of(database);
    let (Some(name), Ok(entries)) = (database.file_name(), fs::read_dir(folder)) else { return Vec::new() };
    let name = name.to_string_lossy();
    let begins = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&*name);
    let beside = entries.take(MOST_ENTRIES).flatten().filter(begins);
    // Keeps the path as the configuration has it, such as `./data/memory.db`.
    beside.map(|entry| database.with_file_name(entry.file_name())).collect()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn check_one_file(path: &Path) -> Option<Exposure> {
    let mode = mode(path)?;
    let what = match (mode & READ != 0, mode & WRITE != 0) {
        (true, true) => "read and change",
        (true, false) => "read",
        (false, true) => "change",
        (false, false) => return None,
    };
    is_reached(path).then(|| Exposure {
        subject: path.display().to_string(),
        what: format!("others on this machine can {what} {} (mode {mode:04o})", path.display()),
        mend: format!("chmod 600 {}", shell_word(path)),
    })
}

/// Checks the database's folder: whoever may write to it may replace the database, or put a file beside it.
fn check_folder(path: &Path) -> Option<Exposure> {
    let mode = mode(path)?;
    let is_loose = mode & WRITE != 0 && mode & ENTER != 0 && is_reached(path);
    is_loose.then(|| Exposure {
        subject: path.display().to_string(),
        what: format!(
            "others on this machine can put files into the database's folder {} (mode {mode:04o})",
            path.display()
        ),
        mend: if mode & STICKY == 0 {
            format!("chmod o-w {}", shell_word(path))
        } else {
            "keep the database in a folder of its own".to_owned()
        },
    })
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;

    Some(fs::metadata(path).ok()?.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_path: &Path) -> Option<u32> {
    None
}

/// Whether others may enter every folder above the file.
fn is_reached(path: &Path) -> bool {
    let Ok(full) = fs::canonicalize(path) else { return true };
    full.ancestors().skip(1).all(|folder| mode(folder).is_none_or(|mode| mode & ENTER != 0))
}

/// A path, quoted for a shell if necessary.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@%".contains(c);
    if text.chars().all(is_plain) && !text.starts_with('-') {
        return text;
    }
    let dashed = if text.starts_with('-') { "./" } else { "" };
    format!("'{dashed}{}'", text.replace('\'', "'\\''"))
}
