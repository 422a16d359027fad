//! The manifest of the crate that names the features.

use std::collections::{BTreeMap, BTreeSet};

use super::packages::{FeatureGap, RunsIn};

const HEAD: &str = r#"# Written by `cargo xtask features`: the features that packages have where the whole workspace is tested, wherever a
# crate by itself would have others (ADR 111). Crates of ours use it for tests only, so nothing of it is shipped.
[package]
name = "workspace-hack"
description = "Features of other people's packages, so that one crate is tested without building them again."
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

[lints]
workspace = true

[lib]
test = false
bench = false
doctest = false
"#;

/// A manifest that gives packages these features.
pub fn text_of_manifest(named: &[FeatureGap]) -> String {
    let target = section(named, RunsIn::Target, "dependencies");
    let host = section(named, RunsIn::Host, "build-dependencies");
    format!("{HEAD}{target}{host}")
}

fn section(named: &[FeatureGap], runs_in: RunsIn, kind: &str) -> String {
    let mut versions: BTreeMap<&str, BTreeMap<String, BTreeSet<&str>>> = BTreeMap::new();
    for gap in named.iter().filter(|gap| gap.runs_in == runs_in) {
        let of_name = versions.entry(&gap.wanted.name).or_default();
        let features = of_name.entry(compatible_version(&gap.wanted.version)).or_default();
        features.extend(gap.wanted.features.iter().map(String::as_str));
    }
    if versions.is_empty() {
        return String::new();
    }
    let mut lines = Vec::new();
    for (name, of_name) in &versions {
        for (version, features) in of_name {
            let key = if of_name.len() == 1 {
                (*name).to_owned()
            } else {
                format!("{name}-{}", version.replace('.', "-"))
            };
            let renamed = if key == *name { String::new() } else { format!("package = \"{name}\", ") };
            let features: Vec<String> = features.iter().map(|feature| format!("{feature:?}")).collect();
            let features = features.join(", ");
            lines.push(format!(
                "{key} = {{ {renamed}version = \"{version}\", default-features = false, features = [{features}] }}\n"
            ));
        }
    }
    format!("\n[target.'cfg(target_os = \"linux\")'.{kind}]\n{}", lines.concat())
}

/// What cargo takes for the same: `1` of 1.2.3, `0.1` of 0.1.2.
fn compatible_version(version: &str) -> String {
    let parts = if version.starts_with("0.") { 2 } else { 1 };
    version.split('.').take(parts).collect::<Vec<_>>().join(".")
}
