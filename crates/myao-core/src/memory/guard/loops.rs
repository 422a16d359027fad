//! Detects a text that goes round in circles: the same line, or the same words, over and over.

use std::collections::BTreeMap;

use super::{
    lines::without_bullet,
    units::{Unit, total_weight, units_of_text},
};

/// A line that stands in a text this often is said over and over, if the repetitions are half of all lines.
const MOST_SAME: usize = 3;
/// A line of less weight may stand in any text often: a day alone, a name.
const LEAST_LINE: usize = 8;
/// How many units the longest phrase has that is looked for: a line or two.
const LONGEST_PHRASE: usize = 64;
/// A phrase that stands this often in a row is a loop, if the repetitions weigh [`LEAST_LOOP`].
const MOST_IN_ROW: usize = 4;
/// From this weight on, a repeated phrase is no laughter or cheering: 30 words of English, 60 characters of Japanese.
const LEAST_LOOP: usize = 60;

/// How many characters are looked at: a model that goes round in circles has begun to by then.
const LOOKED_AT: usize = 10_000;

/// Whether half of the lines repeat others, or a phrase follows itself again and again. Lines that differ only in
/// numbers and dates count as the same.
pub(super) fn goes_round(text: &str) -> bool {
    let end = text.char_indices().nth(LOOKED_AT).map_or(text.len(), |(end, _)| end);
    let (text, _) = text.split_at(end);
    has_same_lines(text) || has_same_phrase(&units_of_text(text))
}

fn has_same_lines(text: &str) -> bool {
    let mut lines: BTreeMap<Vec<Unit>, usize> = BTreeMap::new();
    let mut all = 0_usize;
    for line in text.lines() {
        let mut line = units_of_text(without_bullet(line).unwrap_or(line));
        line.retain(|unit| !unit.text.chars().all(char::is_numeric));
        if total_weight(&line) >= LEAST_LINE {
            all += 1;
            *lines.entry(line).or_default() += 1;
        }
    }
    let again: usize = lines.values().filter(|count| **count >= MOST_SAME).map(|count| count - 1).sum();
    again * 2 >= all && again > 0
}

/// Whether some phrase follows itself again and again. If a phrase of `length` units does, each unit in a row equals
/// the one `length` before it.
fn has_same_phrase(units: &[Unit]) -> bool {
    (1..=LONGEST_PHRASE).any(|length| {
        let mut equal = 0_usize;
        let mut heavy = 0_usize;
        units.iter().zip(units.iter().skip(length)).any(|(before, unit)| {
            (equal, heavy) = if before == unit { (equal + 1, heavy + unit.weight) } else { (0, 0) };
            equal >= length * (MOST_IN_ROW - 1) && heavy >= LEAST_LOOP
        })
    })
}
