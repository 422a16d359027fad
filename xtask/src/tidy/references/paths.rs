//! Files and folders of the repository, as `crates/myao-core/src/lib.rs`, or `recall/rank.rs`.

use std::collections::{BTreeSet, HashSet};

use super::{super::SourceFile, Citation, CitedKind, code, words};

/// A path that ends like this is one of ours, wherever it begins.
const SOURCES: [&str; 2] = [".rs", ".sql"];
/// What is made in the repository's folders and not kept in it.
const MADE: [&str; 3] = ["fuzz/corpus", "fuzz/artifacts", "docs/book"];

/// The paths of all files and folders.
pub(super) struct KnownPaths<'a> {
    files: BTreeSet<&'a str>,
    /// Every path of a file or folder, and each end of it that begins at a part.
    ends: HashSet<&'a str>,
    /// The folders at the root.
    tops: BTreeSet<&'a str>,
}

impl<'a> KnownPaths<'a> {
    pub(super) fn of(files: &'a [SourceFile]) -> Self {
        let files: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let folders: BTreeSet<&str> = files
            .iter()
            .flat_map(|path| path.match_indices('/').filter_map(|(at, _)| path.get(..at)))
            .collect();
        let tops = files.iter().filter_map(|path| Some(path.split_once('/')?.0));
        let ends = files.iter().chain(&folders).flat_map(|path| ends_of(path));
        Self { ends: ends.collect(), tops: tops.collect(), files }
    }

    pub(super) fn cited(&self, text: &str) -> Vec<Citation> {
        let inside: Vec<(usize, &str)> = code(text).filter(|(_, piece)| is_path(piece)).collect();
        let plain = words(text, |letter| is_part(letter) && !"{},*".contains(letter));
        let plain = plain.map(|(at, word)| (at, word.trim_end_matches('.')));
        // Where a link leads is checked as a link.
        let is_link = |at: usize| text.get(..at).is_some_and(|before| before.ends_with("]("));
        let is_inside =
            |at: usize| inside.iter().any(|(start, piece)| (*start..start + piece.len()).contains(&at));
        let plain = plain.filter(|(at, word)| self.is_from_top(word) && !is_link(*at) && !is_inside(*at));
        let cited = inside.iter().copied().filter(|(_, piece)| self.is_ours(piece)).chain(plain);
        cited
            .map(|(at, path)| {
                let complaint = (!self.resolves(path)).then(|| format!("`{path}` is no file or folder here"));
                Citation { kind: CitedKind::Path, at, complaint }
            })
            .collect()
    }

    /// Whether a path can only be meant as one of the repository.
    fn is_ours(&self, path: &str) -> bool {
        self.is_from_top(path) || SOURCES.iter().any(|end| path.ends_with(end) && path.len() > end.len())
    }

    fn is_from_top(&self, path: &str) -> bool {
        path.split_once('/').is_some_and(|(top, rest)| self.tops.contains(top) && !rest.is_empty())
    }

    fn resolves(&self, path: &str) -> bool {
        let path = without_holes(path.trim_end_matches('/'));
        MADE.iter().any(|made| path.starts_with(made))
            || alternatives(path).iter().all(|path| self.is_there(path))
    }

    fn is_there(&self, path: &str) -> bool {
        if let Some((before, _)) = path.split_once('*') {
            return self
                .files
                .iter()
                .any(|file| file.starts_with(before) || file.contains(&format!("/{before}")));
        }
        self.ends.contains(path)
    }
}

/// A path, and each end of it that begins at a part.
fn ends_of(path: &str) -> impl Iterator<Item = &str> {
    let inside = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(inside)
}

fn is_path(piece: &str) -> bool {
    !piece.is_empty() && piece.chars().all(is_part)
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-./{},*".contains(letter)
}

/// The paths that one with a list in braces stands for: `prompts/{ja,en}/reply.md`.
fn alternatives(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (list, after))) => {
            list.split(',').map(|item| format!("{before}{item}{after}")).collect()
        }
        None => vec![path.trim_end_matches(',').to_owned()],
    }
}

/// What stands before a part in capitals, which the reader is to replace: `fuzz/seeds/TARGET`.
fn without_holes(path: &str) -> &str {
    let is_hole = |part: &str| part.len() > 1 && part.chars().all(|letter| letter.is_ascii_uppercase());
    let hole = path.match_indices('/').find(|(at, _)| {
        let rest = path.get(at + 1..).and_then(|rest| rest.split('/').next());
        rest.is_some_and(is_hole)
    });
    hole.and_then(|(at, _)| path.get(..at)).unwrap_or(path)
}
