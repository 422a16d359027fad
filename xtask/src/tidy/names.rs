//! Checks that names in the documents exist in the source.

use std::collections::BTreeSet;

use super::{SourceFile, Violation, markdown};

const RULE: &str = "names";
/// The documents that are checked. ADRs are not, since they describe the past.
const DOCUMENTS: [&str; 5] =
    ["docs/design.md", "docs/glossary.md", "docs/differences.md", "docs/specification.md", "ARCHITECTURE.md"];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let known = all_identifiers(files);
    let documents = files.iter().filter(|file| DOCUMENTS.contains(&file.path.as_str()));
    let mut violations = Vec::new();
    for file in documents {
        for (number, line) in markdown::lines_of_prose(file) {
            for name in markdown::pieces_of_code(line).filter(|name| is_rust(name)) {
                if let Some(unknown) = segments_of_name(name).find(|segment| !known.contains(segment)) {
                    let advice =
                        format!("`{name}`: there is no `{unknown}` in the source: use the name the code has");
                    violations.push(Violation::new(&file.path, number, RULE, advice));
                }
            }
        }
    }
    violations
}

/// Whether something in backticks is a type (`MessageTs`), or a path that has one (`IntakeHandle::apply`). Paths of
/// lower-case names are resolved wherever they are cited (`references`).
fn is_rust(name: &str) -> bool {
    let is_identifier =
        |segment: &str| !segment.is_empty() && segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_type = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_lowercase())
    };
    segments_of_name(name).all(is_identifier) && segments_of_name(name).any(is_type)
}

fn segments_of_name(name: &str) -> impl Iterator<Item = &str> {
    name.trim_end_matches("()").split("::")
}

/// Every identifier of the crates' code, without comments, and the crates' names in full and short.
fn all_identifiers(files: &[SourceFile]) -> BTreeSet<&str> {
    let mut known = BTreeSet::new();
    for file in files.iter().filter(|file| file.is("rs") && file.path.starts_with("crates/")) {
        known.extend(file.path.split('/').nth(1).and_then(|name| name.strip_prefix("myao-")));
        for (_, line) in file.lines() {
            let code = line.split_once("//").map_or(line, |(code, _)| code);
            known.extend(code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        }
    }
    known
}
