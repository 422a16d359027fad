//! Checks that nothing in the repository names a registry or an absolute path of one machine.

use super::{SourceFile, Violation};

const RULE: &str = "machine";
/// Written in parts, so that this file does not break its own rule.
const HOSTS: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("npmjs", ".org"),
    concat!("npmjs", ".com"),
    concat!("deb.debian", ".org"),
];
const FOLDERS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];
/// Lock files are not checked: cargo names its registry in them.
const LOCK_FILE: &str = "Cargo.lock";
/// This file is not checked either: it is imported unchanged, and has expressions that match such paths.
const IMPORTED: &str = "rules/secrets/gitleaks.json";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let is_lock = |file: &SourceFile| file.path.rsplit('/').next() == Some(LOCK_FILE);
    for file in files.iter().filter(|file| !is_lock(file) && file.path != IMPORTED) {
        for (number, line) in file.lines() {
            let mut complain = |advice| violations.push(Violation::new(&file.path, number, RULE, advice));
            for host in HOSTS.iter().filter(|host| line.contains(**host)) {
                complain(format!("names the registry {host}: leave it to the client's own settings"));
            }
            for folder in FOLDERS.iter().filter(|folder| is_path_from(line, folder)) {
                complain(format!("a path from {folder} exists on one machine only: make it relative"));
            }
        }
    }
    violations
}

/// Whether a path in `line` begins with `folder`, rather than going through a folder of that name.
fn is_path_from(line: &str, folder: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '}' | '~' | '*');
    line.match_indices(folder).any(|(at, _)| !line.get(..at).is_some_and(|before| before.ends_with(goes_on)))
}
