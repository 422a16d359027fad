//! Checks that no Rust file is too long.

use super::{SourceFile, Violation};

const RULE: &str = "size";
/// The most lines of a file. The median should be about 120 (CONTRIBUTING.md, Style).
const MOST_LINES: usize = 500;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let long = lines_per_file(files).filter(|(_, lines)| *lines > MOST_LINES);
    long.map(|(file, lines)| {
        let advice = format!(
            "{lines} lines, at most {MOST_LINES} are allowed: split the file where its topic changes"
        );
        Violation::new(&file.path, MOST_LINES + 1, RULE, advice)
    })
    .collect()
}

/// The number of Rust files, and the median of their lines.
pub(super) fn count_and_median(files: &[SourceFile]) -> (usize, usize) {
    let mut sizes: Vec<usize> = lines_per_file(files).map(|(_, lines)| lines).collect();
    sizes.sort_unstable();
    (sizes.len(), sizes.get(sizes.len() / 2).copied().unwrap_or(0))
}

fn lines_per_file(files: &[SourceFile]) -> impl Iterator<Item = (&SourceFile, usize)> {
    files.iter().filter(|file| file.is("rs")).map(|file| (file, file.text.lines().count()))
}
