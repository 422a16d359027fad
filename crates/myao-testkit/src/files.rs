//! Looks for words in files: what was removed must be in none. Builds without optimisation search whole databases with
//! it, so the search itself is a library's.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use memchr::memmem;

/// Whether these bytes hold the words.
pub fn holds_words(bytes: &[u8], words: &str) -> bool {
    memmem::find(bytes, words.as_bytes()).is_some()
}

/// The files in a folder and below that hold the words. Files that are gone when it comes to them are left out, since
/// a database removes some while it works.
///
/// # Panics
/// If the folder or a file cannot be read: nothing would be found there, whatever it holds.
pub fn files_with(folder: &Path, words: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
            continue;
        }
        match fs::read(&path) {
            Ok(bytes) if holds_words(&bytes, words) => found.push(path),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    found
}
