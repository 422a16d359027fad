//! Detects a text that copies the talk instead of summarising it.
//!
//! A memory may quote: a decision in the words of whoever made it is what a memory is for. A copy takes message after
//! message, or most of a long one.

use std::collections::BTreeSet;

use super::units::{Unit, shortest_runs, total_weight, units_of_text};
use crate::ports::TalkLine;

/// The weight of the runs by which words are found again: six words of English, 12 characters of Japanese.
const RUN_WEIGHT: usize = 12;
/// Messages lighter than this ("yes, thanks") stand in any text by chance; they are passed over.
const LEAST_MESSAGE: usize = 16;
/// A message counts as copied if this share of it, in percent, stands in the text.
const COPIED_PERCENT: usize = 90;
/// From this many copied messages in a row on, the text does not merely quote.
const MOST_MESSAGES: usize = 8;
/// From this weight on, words in a row are a long copy: 200 words of English, 400 characters of Japanese.
const MOST_WEIGHT: usize = 400;

/// Whether most of `text` is a long copy of `talk`.
pub(super) fn is_copy(text: &str, talk: &[TalkLine]) -> bool {
    let text = units_of_text(text);
    let known: BTreeSet<&[Unit]> = shortest_runs(&text, RUN_WEIGHT).collect();
    let most = total_weight(&text) / 2;
    let mut in_row = 0;
    let mut row_weight = 0;
    talk.iter().any(|line| {
        let said = units_of_text(&line.text);
        let said_weight = total_weight(&said);
        if said_weight < LEAST_MESSAGE {
            return false;
        }
        let (copied, longest) = found_again(&said, &known);
        if longest >= MOST_WEIGHT && longest >= most {
            return true;
        }
        let is_copied = copied * 100 >= said_weight * COPIED_PERCENT;
        (in_row, row_weight) = if is_copied { (in_row + 1, row_weight + said_weight) } else { (0, 0) };
        in_row >= MOST_MESSAGES && row_weight >= MOST_WEIGHT && row_weight >= most
    })
}

/// The weight of all units of `said` that stand in `known` runs, and of the longest row of such units.
fn found_again(said: &[Unit], known: &BTreeSet<&[Unit]>) -> (usize, usize) {
    let mut is_found = vec![false; said.len()];
    for (start, run) in shortest_runs(said, RUN_WEIGHT).enumerate().filter(|(_, run)| known.contains(run)) {
        is_found.iter_mut().skip(start).take(run.len()).for_each(|found| *found = true);
    }
    let mut all = 0;
    let mut row = 0;
    let mut longest = 0;
    for (unit, found) in said.iter().zip(is_found) {
        row = if found { row + unit.weight } else { 0 };
        all += if found { unit.weight } else { 0 };
        longest = longest.max(row);
    }
    (all, longest)
}
