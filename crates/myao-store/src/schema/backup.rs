//! Makes copies of an SQLite file and keeps them beside it.

use std::{
    fs,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
};

use super::file_mark::{begins_as_database, begins_as_log, is_marked};
use crate::{
    Store, StoreError,
    db::{pools::file_pool, sqlite_options},
};

/// The label of a copy in progress; a complete copy is renamed. Only the holder of the database's write lock makes
/// copies, so an unfinished one found here was left by a process that was killed.
const UNFINISHED: &str = "backup-unfinished";

/// The suffix of a file that `db copy` is filling. If a copy was killed, the next one removes its file.
pub(crate) const UNFINISHED_COPY: &str = ".copy-unfinished";

/// The suffix of the file that a process holds locked while it fills a copy.
pub(crate) const COPY_LOCK: &str = ".copy-lock";

/// What the names of the files end with that SQLite keeps beside a database and that hold its words.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// How many files of other names beside a database are looked into: more than a folder for data holds, and still read in
/// a second.
const MOST_FILES: usize = 10_000;

/// A copy of a database.
pub(crate) struct Copied {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// `false` if an identical copy existed already, from a start that was killed.
    pub(crate) is_new: bool,
}

/// Copies the database as it was last committed, its write-ahead log included, to `{database}.{label}`, or to
/// `{database}.{label}-2` and so on if that name is taken by another copy. Nobody else on the machine can read the
/// copy.
///
/// The caller holds the write lock, so that the copy matches what the caller then changes.
///
/// # Errors
/// If the database is damaged or the disk is full. Then no copy is left behind.
pub(crate) async fn copy_database(database: &Path, label: &str) -> Result<Copied, StoreError> {
    let unfinished = path_beside(database, UNFINISHED);
    let copied =
        copy_into(database, &unfinished).await.and_then(|()| give_final_name(database, label, &unfinished));
    if !copied.as_ref().is_ok_and(|copied| copied.is_new) {
        // If `copy` failed, its error is the one to report.
        drop(remove_unfinished_copy(&unfinished));
    }
    copied
}

/// Removes the oldest copies that [`copy_database`] made under numbered labels (`v1-backup`, …) and keeps the newest `keep`.
pub(crate) fn prune_copies(database: &Path, keep: usize) {
    let mut copies: Vec<(i64, u32, PathBuf)> = numbered_copies(database);
    copies.sort();
    let surplus = copies.len().saturating_sub(keep);
    for (_, _, path) in copies.into_iter().take(surplus) {
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "an old backup copy was not removed");
        }
    }
}

/// A database that lies beside another, or a log of one, and may hold what the other held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DatabaseBeside {
    /// Where it is.
    pub path: PathBuf,
    /// Whether its name begins with the database's, as the names of backups do, or says that it is an unfinished copy of
    /// ours. Another name may be that of another workspace's database.
    pub is_backup: bool,
}

impl Store {
    /// Databases that lie beside this one: SQLite files whose name begins with the file's, such as the copies that we
    /// make, and files of any other name that bear our mark; in a folder of very many files not all of these are looked
    /// into. Logs of such copies and of copies that were killed are listed as well. Empty for a server.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn copies_beside(&self) -> Result<Vec<DatabaseBeside>, StoreError> {
        let Some(database) = self.database() else { return Ok(Vec::new()) };
        let folder = folder_of(database);
        let io = |source| StoreError::of_path(folder, source);
        let Some(file) = database.file_name().and_then(|name| name.to_str()) else { return Ok(Vec::new()) };
        let itself = fs::canonicalize(database).map_err(io)?;
        let own_logs = LOGS.map(|end| format!("{file}{end}"));
        let mut copies = Vec::new();
        let mut others = 0;
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_unfinished = unfinished_copy_of(name).is_some_and(|copied| !is_being_made(folder, copied));
            let is_backup = name.starts_with(file) || is_unfinished;
            others += usize::from(!is_backup);
            if !is_backup && others > MOST_FILES {
                continue;
            }
            let is_log = is_backup && !own_logs.iter().any(|log| log == name);
            // Other things than files are not opened: a pipe would be waited for.
            if path.is_file()
                && (is_marked(&path)
                    || (is_backup && begins_as_database(&path))
                    || (is_log && begins_as_log(&path)))
                && fs::canonicalize(&path).is_ok_and(|path| path != itself)
            {
                copies.push(DatabaseBeside { path, is_backup });
            }
        }
        copies.sort();
        Ok(copies)
    }
}

/// The name of the database that an unfinished copy was to become, from the name of the copy or of its log.
fn unfinished_copy_of(name: &str) -> Option<&str> {
    let (copied, end) = name.rsplit_once(UNFINISHED_COPY)?;
    (end.is_empty() || LOGS.contains(&end)).then_some(copied)
}

/// Whether a process still makes the copy of this name.
pub(crate) fn is_being_made(folder: &Path, copied: &str) -> bool {
    let lock = folder.join(format!("{copied}{COPY_LOCK}"));
    fs::File::open(lock).is_ok_and(|lock| lock.try_lock().is_err())
}

/// The label of the copy that is made before a database of form `version` is migrated.
pub(crate) fn before_migration(version: i64) -> String {
    format!("v{version}-backup")
}

/// Copies the database as it was last committed to `to`, and syncs the copy to the disk. An unfinished copy that is there
/// is replaced. Nobody else on the machine can read it, and no page of it holds what was deleted: SQLite writes rows only.
pub(crate) async fn copy_into(database: &Path, to: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::of_path(to, source);
    remove_unfinished_copy(to).map_err(io)?;
    let mut create = fs::OpenOptions::new();
    create.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
    create.open(to).map_err(io)?;
    let Some(name) = to.to_str() else {
        return Err(io(io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8")));
    };
    let pool = file_pool(1).connect_with(sqlite_options(database)).await?;
    let mut connection = pool.acquire().await?;
    let vacuumed = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut *connection).await;
    drop(connection);
    pool.close().await;
    vacuumed?;
    // SQLite does not sync the copy to the disk.
    fs::File::open(to).and_then(|file| file.sync_all()).map_err(io)
}

/// Removes an unfinished copy and its journal, if they exist.
fn remove_unfinished_copy(unfinished: &Path) -> io::Result<()> {
    let mut journal = unfinished.as_os_str().to_owned();
    journal.push("-journal");
    for path in [Path::new(&journal), unfinished] {
        match fs::remove_file(path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Gives a complete copy its final name. Its number is one above the highest in use, even if older copies were removed.
fn give_final_name(database: &Path, label: &str, unfinished: &Path) -> Result<Copied, StoreError> {
    let mut taken = Vec::new();
    for name in names_beside(database) {
        let Some(number) = running_number(&name, label) else { continue };
        let path = path_beside(database, &name);
        if is_same(&path, unfinished) {
            return Ok(Copied { path, is_new: false });
        }
        taken.push(number);
    }
    let path = match taken.iter().max() {
        None => path_beside(database, label),
        Some(last) => path_beside(database, &format!("{label}-{}", last.saturating_add(1))),
    };
    let io = |source| StoreError::of_path(&path, source);
    fs::rename(unfinished, &path).map_err(io)?;
    fs::File::open(folder_of(database)).and_then(|folder| folder.sync_all()).map_err(io)?;
    Ok(Copied { path, is_new: true })
}

/// Whether two files hold the same bytes; SQLite copies the same database to the same bytes.
fn is_same(one: &Path, other: &Path) -> bool {
    let size = |path| fs::metadata(path).map(|about| about.len());
    let compare = || -> io::Result<bool> {
        if size(one)? != size(other)? {
            return Ok(false);
        }
        let mut one = BufReader::new(fs::File::open(one)?);
        let mut other = BufReader::new(fs::File::open(other)?);
        loop {
            let left = one.fill_buf()?;
            let right = other.fill_buf()?;
            let length = left.len().min(right.len());
            if length == 0 {
                return Ok(left.len() == right.len());
            }
            if left.get(..length) != right.get(..length) {
                return Ok(false);
            }
            one.consume(length);
            other.consume(length);
        }
    };
    compare().unwrap_or(false)
}

/// 1 for `label` itself, 2 for `label-2`, and so on.
fn running_number(name: &str, label: &str) -> Option<u32> {
    let rest = name.strip_prefix(label)?;
    if rest.is_empty() { Some(1) } else { rest.strip_prefix('-')?.parse().ok() }
}

fn path_beside(database: &Path, label: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".");
    path.push(label);
    PathBuf::from(path)
}

fn folder_of(database: &Path) -> &Path {
    database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The part after `{database}.` in the names of the files beside it.
fn names_beside(database: &Path) -> Vec<String> {
    let Some(file) = database.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folder_of(database)) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            Some(entry.file_name().to_str()?.strip_prefix(file)?.strip_prefix('.')?.to_owned())
        })
        .collect()
}

/// Copies made before migrations: the database's form, running number, path.
fn numbered_copies(database: &Path) -> Vec<(i64, u32, PathBuf)> {
    let parse = |name: &str| {
        let (form, _) = name.strip_prefix('v')?.split_once('-')?;
        let form: i64 = form.parse().ok()?;
        Some((form, running_number(name, &before_migration(form))?, path_beside(database, name)))
    };
    names_beside(database).iter().filter_map(|name| parse(name)).collect()
}
