//! Files stay small enough to be read in one go.

use super::{SourceFile, Violation};

const RULE: &str = "size";
/// HOUSE: about 120 lines in the median, 500 at most.
const MOST_LINES: usize = 500;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let long = rust_sizes(files).filter(|(_, lines)| *lines > MOST_LINES);
    long.map(|(file, lines)| {
        let advice = format!(
            "{lines} lines, at most {MOST_LINES} are allowed: split the file where its topic changes"
        );
        Violation::new(&file.path, MOST_LINES + 1, RULE, advice)
    })
    .collect()
}

/// How many Rust files there are and how many lines the one in the middle has.
pub(super) fn median(files: &[SourceFile]) -> (usize, usize) {
    let mut sizes: Vec<usize> = rust_sizes(files).map(|(_, lines)| lines).collect();
    sizes.sort_unstable();
    (sizes.len(), sizes.get(sizes.len() / 2).copied().unwrap_or(0))
}

fn rust_sizes(files: &[SourceFile]) -> impl Iterator<Item = (&SourceFile, usize)> {
    files.iter().filter(|file| file.is("rs")).map(|file| (file, file.text.lines().count()))
}
