//! Raises what was said last of a thing above what was said of it before, so that no prompt shows the earlier line
//! without the later one; and finds what a prompt says otherwise of a later day.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    context::LineInForce,
    memory::{Line, Statements, subject_words},
};

/// How many words two lines about the same thing have in common at least.
const LEAST_SHARED: usize = 2;
/// A word in at most this many lines tells which thing they are about: it is mostly a name.
const RARE: usize = 4;
/// A word in more lines than this tells nothing.
const COMMON: usize = 24;

/// What two lines have in common.
#[derive(Default)]
struct SharedWords {
    count: usize,
    has_rare: bool,
}

/// What each line is worth: one more than every earlier line about the same thing, if it is worth less by itself. Two
/// lines are about the same thing if they share two words of which one is rare, or if the later one may replace the
/// earlier one.
pub(super) fn worth_of_newest(lines: &[LineInForce]) -> Vec<i64> {
    let mut by_day: Vec<(usize, &LineInForce)> = lines.iter().enumerate().collect();
    by_day.sort_by_key(|(at, line)| (line.day, *at));
    let mut worth: Vec<i64> = lines.iter().map(|line| line.worth).collect();
    for ((later, earlier), shared) in shared_words(&by_day) {
        let (Some((at, line)), Some((before, other))) = (by_day.get(later), by_day.get(earlier)) else {
            continue;
        };
        let is_about_same = shared.count >= LEAST_SHARED
            && other.day < line.day
            && (shared.has_rare || Statements::of(&line.words).may_replace(&Statements::of(&other.words)));
        let beside = worth.get(*before).copied().unwrap_or_default();
        if is_about_same && let Some(own) = worth.get_mut(*at) {
            *own = (*own).max(beside + 1);
        }
    }
    worth
}

/// What pairs of lines have in common, by the places of the later and the earlier one. Only these pairs are compared,
/// since comparing all of them would take long.
fn shared_words(by_day: &[(usize, &LineInForce)]) -> BTreeMap<(usize, usize), SharedWords> {
    let subjects: Vec<BTreeSet<String>> = by_day.iter().map(|(_, line)| subject_words(&line.words)).collect();
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (nth, subject) in subjects.iter().enumerate() {
        for word in subject {
            holders.entry(word).or_default().push(nth);
        }
    }
    let mut shared: BTreeMap<(usize, usize), SharedWords> = BTreeMap::new();
    for holders in holders.values().filter(|holders| holders.len() <= COMMON) {
        for (nth, later) in holders.iter().enumerate() {
            for earlier in holders.iter().take(nth) {
                let words = shared.entry((*later, *earlier)).or_default();
                words.count += 1;
                words.has_rare |= holders.len() <= RARE;
            }
        }
    }
    shared
}

/// Lines that a prompt shows, taken apart.
pub(super) struct LaterLines<'l> {
    lines: Vec<(&'l Line, Statements)>,
}

impl<'l> LaterLines<'l> {
    pub(super) fn new(shown: &'l [Line]) -> Self {
        Self { lines: shown.iter().map(|line| (line, Statements::of(&line.words))).collect() }
    }

    /// Whether one of them gives another value, of a later day, for what `line` speaks of. Then `line` does not hold,
    /// as far as anybody can tell who reads both.
    pub(super) fn replace(&self, line: &LineInForce) -> bool {
        let earlier = Statements::of(&line.words);
        let subjects: BTreeSet<&str> = earlier.subjects().collect();
        let later = self.lines.iter().filter(|(shown, _)| shown.day > line.day);
        let mut related = later.filter(|(_, said)| said.subjects().any(|word| subjects.contains(word)));
        related.any(|(_, said)| said.may_replace(&earlier))
    }
}
