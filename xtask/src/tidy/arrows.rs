//! Checks which crate uses which: `core ← config, store, model, slack ← companion ← web, mcp ← myao`.

use serde_json::Value;

use super::{SourceFile, Violation};
use crate::features;

const RULE: &str = "arrows";
const THIS_FILE: &str = "xtask/src/tidy/arrows.rs";

/// Every crate, and the crates of the workspace that it may use outside of tests. A new crate or a new arrow is added
/// here, with an ADR.
const ARROWS: [(&str, &[&str]); 12] = [
    ("myao-core", &[]),
    ("myao-store", &["myao-core"]),
    ("myao-model", &["myao-core"]),
    ("myao-slack", &["myao-core"]),
    ("myao-config", &["myao-core"]),
    ("myao-companion", &["myao-config", "myao-core", "myao-model", "myao-slack", "myao-store"]),
    ("myao-web", &["myao-companion", "myao-config", "myao-core", "myao-model", "myao-store"]),
    ("myao-mcp", &["myao-companion", "myao-config", "myao-core", "myao-model", "myao-store"]),
    (
        "myao",
        &[
            "myao-companion",
            "myao-config",
            "myao-core",
            "myao-mcp",
            "myao-model",
            "myao-slack",
            "myao-store",
            "myao-web",
        ],
    ),
    ("myao-testkit", &["myao-core"]),
    (features::CRATE, &[]),
    (features::TASKS, &[]),
];
/// The crates that any crate of the product may use in tests, and only there.
const FOR_TESTS: [&str; 2] = ["myao-testkit", features::CRATE];
const CORE: &str = "myao-core";
/// The crates that the core may use: none that can do IO.
const CORE_DEPENDENCIES: [&str; 13] = [
    "aho-corasick",
    "bip39",
    "iban_validate",
    "jiff",
    "minijinja",
    "regex",
    "rust-stemmers",
    "serde",
    "serde_json",
    "similar",
    "strsim",
    "thiserror",
    "unicode-normalization",
];

pub(super) fn check(metadata: &Value, files: &[SourceFile]) -> Vec<Violation> {
    let packages = list_of_key(metadata, "packages");
    let own: Vec<&str> = packages.iter().map(|package| text_of_key(package, "name")).collect();
    let mut violations = Vec::new();
    for package in packages {
        let name = text_of_key(package, "name");
        let manifest = path_of_manifest(metadata, package);
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            let advice = format!("`{name}` is not among the crates in {THIS_FILE}: add it, with an ADR");
            violations.push(Violation::new(manifest, 1, RULE, advice));
            continue;
        };
        for dependency in list_of_key(package, "dependencies") {
            let used = text_of_key(dependency, "name");
            let for_tests = dependency.get("kind").and_then(Value::as_str) == Some("dev");
            let complaint = if own.contains(&used) {
                wrong_inside_use(name, used, allowed, for_tests)
            } else {
                wrong_outside_use(name, used).filter(|_| !for_tests)
            };
            let at = |advice| Violation::new(manifest, line_of(files, manifest, used), RULE, advice);
            violations.extend(complaint.map(at));
        }
    }
    violations
}

/// What is wrong with one of our crates using another, if anything is.
fn wrong_inside_use(name: &str, used: &str, allowed: &[&str], for_tests: bool) -> Option<String> {
    if name == features::TASKS {
        return Some(format!(
            "`{name}` must not use `{used}`: what only tasks need stays out of the product"
        ));
    }
    if FOR_TESTS.contains(&used) {
        return (!for_tests).then(|| format!("`{used}` is for tests: move it to [dev-dependencies]"));
    }
    let known = allowed.contains(&used);
    (!known)
        .then(|| format!("`{name}` must not use `{used}`: a new arrow goes into {THIS_FILE}, with an ADR"))
}

/// What is wrong with one of our crates using somebody else's, if anything is.
fn wrong_outside_use(name: &str, used: &str) -> Option<String> {
    let fine = name != CORE || CORE_DEPENDENCIES.contains(&used);
    let all = CORE_DEPENDENCIES.join(", ");
    (!fine).then(|| format!("`{CORE}` may use {all} only: do what needs `{used}` in another crate"))
}

fn list_of_key<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text_of_key<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The package's manifest, from the repository's root.
fn path_of_manifest<'a>(metadata: &Value, package: &'a Value) -> &'a str {
    let full = text_of_key(package, "manifest_path");
    full.strip_prefix(text_of_key(metadata, "workspace_root")).unwrap_or(full).trim_start_matches('/')
}

/// The line on which a manifest names a dependency.
fn line_of(files: &[SourceFile], manifest: &str, dependency: &str) -> usize {
    let named = |line: &str| {
        let rest = line.trim_start().strip_prefix(dependency);
        rest.is_some_and(|rest| rest.starts_with([' ', '.', '=']))
    };
    let file = files.iter().find(|file| file.path == manifest);
    file.and_then(|file| file.lines().find(|(_, line)| named(line))).map_or(1, |(number, _)| number)
}
