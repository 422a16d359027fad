//! Checks that crates inherit versions and lints from the workspace's manifest.

use toml::{Table, Value};

use super::{SourceFile, Violation};
use crate::features::MANIFEST;

const RULE: &str = "manifest";
const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    // One is written by a task, with versions of what our crates only use through others.
    let members = files.iter().filter(|file| file.path.ends_with("/Cargo.toml") && file.path != MANIFEST);
    members
        .flat_map(|file| {
            complaints_about(file).into_iter().map(|advice| Violation::new(&file.path, 1, RULE, advice))
        })
        .collect()
}

fn complaints_about(file: &SourceFile) -> Vec<String> {
    let manifest: Table = match file.text.parse() {
        Ok(manifest) => manifest,
        Err(e) => return vec![format!("is not TOML: {e}")],
    };
    let mut complaints = Vec::new();
    if !is_inherited(manifest.get("lints")) {
        complaints.push("add `[lints] workspace = true`".to_owned());
    }
    for section in SECTIONS {
        let dependencies = manifest.get(section).and_then(Value::as_table).into_iter().flatten();
        for (name, _) in dependencies.filter(|(_, dependency)| !is_inherited(Some(dependency))) {
            complaints.push(format!(
                "give `{name}` its version in the workspace's Cargo.toml, and here `{name}.workspace = true`"
            ));
        }
    }
    complaints
}

fn is_inherited(value: Option<&Value>) -> bool {
    value.and_then(|value| value.get("workspace")).and_then(Value::as_bool) == Some(true)
}
