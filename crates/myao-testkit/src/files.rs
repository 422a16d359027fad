//! Looks for words in files: what was removed must be in none. Builds without optimisation search whole databases with
//! it, so the search itself is a library's.

use std::{
    fs,
    path::{Path, PathBuf},
};

use memchr::memmem;

/// Whether these bytes hold the words.
pub fn holds(bytes: &[u8], words: &str) -> bool {
    memmem::find(bytes, words.as_bytes()).is_some()
}

/// The files in a folder and below that hold the words. Files that are gone when it comes to them are left out, since
/// a database removes some while it works.
pub fn files_with(folder: &Path, words: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
        } else if fs::read(&path).is_ok_and(|bytes| holds(&bytes, words)) {
            found.push(path);
        }
    }
    found
}
