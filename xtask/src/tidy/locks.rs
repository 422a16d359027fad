//! Checks that other workspaces of the repository (fuzzing) are locked to the same versions as the main one, so that
//! the code that is fuzzed is the code that is shipped.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::{SourceFile, Violation};

const RULE: &str = "locks";
const OURS: &str = "Cargo.lock";
const BESIDE: &str = "/Cargo.lock";

/// Versions by crate.
type Versions = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let ours = files.iter().find(|file| file.path == OURS).map(read_versions).unwrap_or_default();
    let beside = files.iter().filter(|file| file.path.ends_with(BESIDE));
    beside.flat_map(|file| differing_versions(file, &ours)).collect()
}

fn differing_versions(file: &SourceFile, ours: &Versions) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (name, versions) in read_versions(file) {
        let Some(known) = ours.get(&name) else { continue };
        for version in versions.difference(known) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let advice = format!(
                "`{name}` {version} is {} in {OURS}: cargo update --manifest-path {} {name}@{version} --precise …",
                known.join(" or "),
                file.path.replace(".lock", ".toml"),
            );
            violations.push(Violation::new(&file.path, line_of(file, &name, version), RULE, advice));
        }
    }
    violations
}

fn read_versions(file: &SourceFile) -> Versions {
    let lock: Table = file.text.parse().unwrap_or_default();
    let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
    let mut versions = Versions::new();
    for package in packages {
        let text = |key| package.get(key).and_then(Value::as_str).map(str::to_owned);
        // Our own crates have no source, and their versions do not matter.
        if let (Some(name), Some(version), Some(_)) = (text("name"), text("version"), text("source")) {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions
}

/// The line on which a lock file names a version of a crate.
fn line_of(file: &SourceFile, name: &str, version: &str) -> usize {
    let name = format!("name = \"{name}\"");
    let version = format!("version = \"{version}\"");
    let mut pairs = file.lines().zip(file.lines().skip(1));
    let found = pairs.find(|((_, line), (_, next))| *line == name && *next == version);
    found.map_or(1, |((number, _), _)| number)
}
