//! What changed between two texts of a memory: line by line, and word by word where a line was rewritten.

use std::collections::BTreeSet;

use myao_core::memory::{Change, DiffPiece, diff_of_words};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::lines::SheetLine;

/// The least share of pairs of letters, in percent, that a line must have in common with an older one to count as a
/// rewriting of it. With less, the old line was removed and the new one was added.
const REWRITTEN: usize = 40;

/// A line of a memory, compared with what it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparedLine {
    /// The line now; for a line that is gone, as it was.
    pub(crate) line: SheetLine,
    /// The words of the line, and those that were removed from it.
    pub(crate) pieces: Vec<DiffPiece>,
    /// Whether the line stands only in the earlier text.
    pub(crate) is_gone: bool,
}

impl ComparedLine {
    fn whole(line: &SheetLine, change: Change) -> Self {
        let pieces = vec![DiffPiece { change, text: line.words.clone() }];
        Self { line: line.clone(), pieces, is_gone: change == Change::Removed }
    }

    /// Whether a word of the line changed.
    pub(crate) fn is_changed(&self) -> bool {
        self.pieces.iter().any(|piece| piece.change != Change::Kept)
    }
}

/// The lines of `new`, and the lines of `old` that are gone, each where it stood. Without an earlier text, nothing
/// counts as changed.
pub(crate) fn changed_lines(old: Option<&[SheetLine]>, new: &[SheetLine]) -> Vec<ComparedLine> {
    let Some(old) = old else {
        return new.iter().map(|line| ComparedLine::whole(line, Change::Kept)).collect();
    };
    // The number of a line is left out: it does not matter for what the line says.
    let keys = |lines: &[SheetLine]| -> Vec<(Option<jiff::civil::Date>, Option<String>, String)> {
        lines.iter().map(|line| (line.day, line.name.clone(), line.words.clone())).collect()
    };
    let mut compared = Vec::with_capacity(new.len());
    for op in capture_diff_slices(Algorithm::Myers, &keys(old), &keys(new)) {
        let of_old = old.get(op.old_range()).unwrap_or_default();
        let of_new = new.get(op.new_range()).unwrap_or_default();
        match op {
            DiffOp::Equal { .. } => {
                compared.extend(of_new.iter().map(|line| ComparedLine::whole(line, Change::Kept)));
            }
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                compared.extend(pair_rewritten_lines(of_old, of_new));
            }
        }
    }
    compared
}

/// Pairs the lines of a stretch that was rewritten: each new line with the old line that is most like it, in order.
fn pair_rewritten_lines(old: &[SheetLine], new: &[SheetLine]) -> Vec<ComparedLine> {
    let mut compared = Vec::new();
    let mut waiting = 0;
    for line in new {
        let candidates = old.iter().enumerate().skip(waiting);
        let likeness = candidates.map(|(nth, before)| (percent_alike(before, line), nth));
        let best = likeness
            .filter(|(score, _)| *score >= REWRITTEN)
            .max_by_key(|(score, nth)| (*score, usize::MAX - nth));
        let Some((_, nth)) = best else {
            compared.push(ComparedLine::whole(line, Change::Added));
            continue;
        };
        let gone = old.get(waiting..nth).unwrap_or_default();
        compared.extend(gone.iter().map(|line| ComparedLine::whole(line, Change::Removed)));
        if let Some(before) = old.get(nth) {
            compared.push(ComparedLine {
                line: line.clone(),
                pieces: diff_of_words(&before.words, &line.words),
                is_gone: false,
            });
        }
        waiting = nth + 1;
    }
    let gone = old.get(waiting..).unwrap_or_default();
    compared.extend(gone.iter().map(|line| ComparedLine::whole(line, Change::Removed)));
    compared
}

/// How many percent of their pairs of letters two lines of the same day and person have in common; 0 for other lines.
fn percent_alike(one: &SheetLine, other: &SheetLine) -> usize {
    if one.says(other) {
        return 100;
    }
    if !one.is_like(other) {
        return 0;
    }
    let a = letter_pairs(&one.words);
    let b = letter_pairs(&other.words);
    let shared = a.intersection(&b).count();
    (shared * 2 * 100).checked_div(a.len() + b.len()).unwrap_or(0)
}

/// The pairs of neighbouring letters of a text, by which texts of any language can be compared.
fn letter_pairs(text: &str) -> BTreeSet<(char, char)> {
    text.chars().zip(text.chars().skip(1)).collect()
}
