//! Checks the repository's rules and lists what breaks them.

mod arrows;
mod books;
mod circles;
mod claims;
mod features;
mod finished;
mod links;
mod locks;
mod machines;
mod manifests;
mod markdown;
mod names;
mod references;
mod samples;
mod sizes;
mod snapshots;
mod tables;
mod traits;
mod twins;
mod types;

use std::{fmt, io::Write};

use serde_json::Value;

use self::references::Resolved;
use crate::features::unshared_packages;
pub use crate::tree::SourceFile;
use crate::tree::{self, cargo_metadata};

/// One place that breaks one rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The file, from the repository's root.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The rule's name.
    pub rule: &'static str,
    /// What to do about it.
    pub advice: String,
}

impl Violation {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, advice: advice.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.rule, self.advice)
    }
}

/// Checks the repository that the working directory is in, writes every violation and a summary to `out`,
/// and returns how many violations there are.
///
/// # Errors
/// When the repository cannot be read (`cargo metadata` and `git ls-files` must work), or `out` cannot be written.
pub fn check_repository(out: &mut impl Write) -> anyhow::Result<usize> {
    let metadata = cargo_metadata()?;
    let files = tree::read_all_files(&metadata)?;
    let (mut violations, resolved) = survey(&metadata, &files);
    violations.extend(features::check(&unshared_packages(&metadata)?));
    for violation in &violations {
        writeln!(out, "{violation}")?;
    }
    let (count, median) = sizes::count_and_median(&files);
    writeln!(
        out,
        "tidy: {} violations; {count} Rust files, {median} lines in the median; {resolved}",
        violations.len()
    )?;
    Ok(violations.len())
}

/// Every violation, by file and line. `metadata` is the output of `cargo metadata --no-deps`, `files` are the
/// repository's files.
pub fn all_violations(metadata: &Value, files: &[SourceFile]) -> Vec<Violation> {
    survey(metadata, files).0
}

/// The same, and how many references were resolved.
fn survey(metadata: &Value, files: &[SourceFile]) -> (Vec<Violation>, Resolved) {
    let (open, resolved) = references::check(files);
    let mut violations = [
        sizes::check(files),
        arrows::check(metadata, files),
        books::check(files),
        samples::check(files),
        circles::check(files),
        manifests::check(files),
        twins::check(files),
        types::check(files),
        snapshots::check(files),
        names::check(files),
        links::check(files),
        locks::check(files),
        machines::check(files),
        finished::check(files),
        open,
        claims::check(files),
        traits::check(files),
        tables::check(files),
    ]
    .concat();
    violations.sort();
    (violations, resolved)
}
