//! Checks that no two folders of a crate need one another, so that each can be read on its own.

use std::collections::{BTreeMap, BTreeSet};

use super::{SourceFile, Violation};

const RULE: &str = "circles";
const THIS_FILE: &str = "xtask/src/tidy/circles.rs";

/// Crates whose folders may need one another (ADR 40).
const ENTWINED: [&str; 2] = [
    // Its folders share one vocabulary.
    "myao-core",
    // Its tables refer to one another.
    "myao-store",
];

/// The folders that each folder of a crate uses, with the first file that does.
type Uses<'a> = BTreeMap<&'a str, BTreeMap<String, &'a SourceFile>>;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut crates: BTreeMap<&str, Uses<'_>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is("rs")) {
        let Some((name, folder)) = place(&file.path).filter(|(name, _)| !ENTWINED.contains(name)) else {
            continue;
        };
        let uses = crates.entry(name).or_default().entry(folder).or_default();
        for used in used_by(&file.text, roots(&file.path)).into_iter().filter(|used| used != folder) {
            uses.entry(used).or_insert(file);
        }
    }
    crates.values().flat_map(circles).collect()
}

/// The crate of a file and its folder there; `None` for `lib.rs`, `main.rs` and files outside of crates.
fn place(path: &str) -> Option<(&str, &str)> {
    let (name, inside) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let folder = inside.split('/').next()?.trim_end_matches(".rs");
    (!["lib", "main"].contains(&folder)).then_some((name, folder))
}

/// The beginnings of paths to the crate's folders, as a file writes them. In a file that lies in no folder, `super` is
/// the crate, too.
fn roots(path: &str) -> &'static [&'static str] {
    let inside = path.split_once("/src/").map_or("", |(_, inside)| inside);
    if inside.contains('/') { &["crate::"] } else { &["crate::", "super::"] }
}

/// The names of the folders in all paths that begin with one of `roots`. After a list in braces, these are the names at
/// its outermost level.
fn used_by(text: &str, roots: &[&str]) -> BTreeSet<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let paths = roots.iter().flat_map(|root| code.match_indices(root));
    let paths = paths.filter_map(|(at, root)| code.get(at + root.len()..));
    paths.flat_map(|path| path.strip_prefix('{').map_or_else(|| vec![name_of(path)], listed)).collect()
}

/// The first names of the items of a list, up to the brace that ends it.
fn listed(list: &str) -> Vec<String> {
    let mut depth = 1_usize;
    let mut items = vec![String::new()];
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => items.push(String::new()),
            _ if depth == 1 => items.iter_mut().last().into_iter().for_each(|item| item.push(letter)),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    items.iter().map(|item| name_of(item.trim_start())).filter(|name| !name.is_empty()).collect()
}

fn name_of(path: &str) -> String {
    path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// One violation for each use on a circle that goes forward in the alphabet. So a circle of two folders gives one.
fn circles(uses: &Uses<'_>) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (folder, used) in uses {
        for (other, file) in used {
            if *folder < other.as_str() && reaches(uses, other, folder) {
                let advice = format!(
                    "`{folder}` and `{other}` need one another: move what both need, or explain it in {THIS_FILE} and an ADR"
                );
                violations.push(Violation::new(&file.path, 1, RULE, advice));
            }
        }
    }
    violations
}

fn reaches(uses: &Uses<'_>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(folder) = next.pop() {
        if folder == to {
            return true;
        }
        if seen.insert(folder) {
            next.extend(uses.get(folder).into_iter().flat_map(|used| used.keys().map(String::as_str)));
        }
    }
    false
}
