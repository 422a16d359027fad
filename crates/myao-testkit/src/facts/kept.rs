//! Measures what a text still holds of what was said.

use std::collections::BTreeSet;

use super::{Fact, FactValue};

/// A line holds a message if it has at least this share of the message's terms, in percent.
const HELD_PERCENT: usize = 60;

/// What a text says about a fact that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKept {
    /// The current value. The former one is missing, or stands only in lines that say the current one, too.
    New,
    /// Both values. Every line that has only the former one says until when it held.
    BothMarked,
    /// Both values. A line says the former one as if it still held.
    Both,
    /// Only the former value, and every line that has it says until when it held.
    OldMarked,
    /// Only the former value, as if it still held.
    OnlyOld,
    /// Neither value.
    Neither,
}

impl ChangeKept {
    /// All of them, the best first.
    pub const ALL: [Self; 6] =
        [Self::New, Self::BothMarked, Self::Both, Self::OldMarked, Self::OnlyOld, Self::Neither];

    /// The name in a table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::BothMarked => "both, old marked",
            Self::Both => "both",
            Self::OldMarked => "only old, marked",
            Self::OnlyOld => "only old",
            Self::Neither => "neither",
        }
    }
}

/// Whether a line, or two neighbouring lines, have the fact's name and its value. For a fact that changes, this means
/// the current value.
pub fn is_kept(text: &str, fact: &Fact) -> bool {
    let value = fact.change.as_ref().map_or(&fact.value, |change| &change.value);
    let lines = lines_in_lower_case(text);
    lines_with(&lines, &fact.name, value).next().is_some()
}

/// What a text says about a fact that changes. A fact that does not change is treated as if no value held now.
pub fn kept_of_change(text: &str, fact: &Fact) -> ChangeKept {
    let lines = lines_in_lower_case(text);
    let now = fact.change.as_ref().map(|change| &change.value);
    let is_new = now.is_some_and(|value| lines_with(&lines, &fact.name, value).next().is_some());
    let says_change = |line: &&str| now.is_some_and(|value| has_value(line, value));
    let old: Vec<&str> =
        lines_with(&lines, &fact.name, &fact.value).filter(|line| !says_change(line)).collect();
    let is_marked = old.iter().all(|line| has_end_mark(line));
    match (is_new, old.is_empty()) {
        (true, true) => ChangeKept::New,
        (true, false) if is_marked => ChangeKept::BothMarked,
        (true, false) => ChangeKept::Both,
        (false, false) if is_marked => ChangeKept::OldMarked,
        (false, false) => ChangeKept::OnlyOld,
        (false, true) => ChangeKept::Neither,
    }
}

/// Whether one of `lines`, or two neighbouring ones together, have at least 60 % of `terms`. False if there are no
/// terms.
pub fn shares_lines(lines: &[BTreeSet<String>], terms: &BTreeSet<String>) -> bool {
    let is_enough = |shared: usize| shared * 100 >= terms.len() * HELD_PERCENT;
    let in_pair = |pair: &[BTreeSet<String>]| {
        let shared = terms.iter().filter(|term| pair.iter().any(|line| line.contains(*term)));
        is_enough(shared.count())
    };
    !terms.is_empty() && (lines.windows(2).any(in_pair) || lines.chunks(1).any(in_pair))
}

fn lines_in_lower_case(text: &str) -> Vec<String> {
    text.lines().map(str::to_lowercase).filter(|line| !line.trim().is_empty()).collect()
}

/// The lines that have the value, and also have the name or stand beside a line that has it.
fn lines_with<'l>(
    lines: &'l [String],
    name: &'l str,
    value: &'l FactValue,
) -> impl Iterator<Item = &'l str> + use<'l> {
    let name = name.to_lowercase();
    lines.iter().enumerate().filter_map(move |(at, line)| {
        let beside = lines.get(at.saturating_sub(1)..(at + 2).min(lines.len())).unwrap_or_default();
        let is_named = beside.iter().any(|line| stands_in(line, &name));
        (has_value(line, value) && is_named).then_some(line.as_str())
    })
}

/// Whether a line, in lower case, has a value in one of its spellings.
fn has_value(line: &str, value: &FactValue) -> bool {
    value.spellings.iter().any(|spelling| stands_in(line, &spelling.to_lowercase()))
}

/// Whether `word` stands in `line` on its own, and not only inside a longer word or number.
fn stands_in(line: &str, word: &str) -> bool {
    let goes_on = |inner: Option<char>, outer: Option<char>| match (inner, outer) {
        (Some(inner), Some(outer)) => inner.is_ascii_alphanumeric() && outer.is_ascii_alphanumeric(),
        _ => false,
    };
    line.match_indices(word).any(|(at, found)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + found.len()..).and_then(|after| after.chars().next());
        !goes_on(found.chars().next(), before) && !goes_on(found.chars().next_back(), after)
    })
}

/// Whether a line, in lower case, says until when something held: `until 2026-03-14`, `2026-03-14まで`.
fn has_end_mark(line: &str) -> bool {
    let english = line.match_indices("until ").any(|(at, word)| {
        let date = line.get(at + word.len()..).unwrap_or_default();
        date.starts_with(|c: char| c.is_ascii_digit())
    });
    let japanese = line.match_indices("まで").any(|(at, _)| {
        let date = line.get(..at).unwrap_or_default();
        date.ends_with(|c: char| c.is_ascii_digit() || c == '日')
    });
    english || japanese
}
