//! Checks that every prompt exists in both languages, and every migration for both databases.

use std::collections::BTreeSet;

use super::{SourceFile, Violation};

const RULE: &str = "twins";
const TWINS: [[&str; 2]; 2] =
    [["prompts/ja/", "prompts/en/"], ["migrations/sqlite/", "migrations/postgres/"]];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let pairs = TWINS.iter().flat_map(|[one, other]| [(one, other), (other, one)]);
    pairs
        .flat_map(|(folder, twin)| {
            let inside = paths.iter().filter_map(move |path| Some((*path, path.strip_prefix(folder)?)));
            inside.map(move |(path, name)| (path, format!("{twin}{name}")))
        })
        .filter(|(_, twin)| !paths.contains(twin.as_str()))
        .map(|(path, twin)| Violation::new(path, 1, RULE, format!("its twin is missing: write {twin}")))
        .collect()
}
