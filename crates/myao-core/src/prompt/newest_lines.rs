//! Raises what was said last of a thing above what was said of it before, so that no prompt shows the earlier line
//! without the later one; and finds what a prompt says otherwise of a later day.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    context::LineInForce,
    memory::{Line, Statements},
};

/// How many words two lines about the same thing have in common at least.
const LEAST_SHARED: usize = 2;
/// A word in at most this many lines tells which thing they are about: it is mostly a name.
const RARE: usize = 4;
/// A word in more lines than this tells nothing.
const COMMON: usize = 24;

/// A line in force, taken apart once, since it is compared with many others.
pub(super) struct ParsedLine<'l> {
    pub(super) line: &'l LineInForce,
    pub(super) said: Statements,
}

impl<'l> ParsedLine<'l> {
    pub(super) fn new(line: &'l LineInForce) -> Self {
        Self { line, said: Statements::of(&line.words) }
    }
}

/// What two lines have in common.
#[derive(Default)]
struct SharedWords {
    count: usize,
    has_rare: bool,
}

/// What each line is worth: one more than every earlier line about the same thing, if it is worth less by itself. Two
/// lines are about the same thing if they share two words of which one is rare, or if the later one may replace the
/// earlier one.
pub(super) fn worth_of_newest(lines: &[ParsedLine<'_>]) -> Vec<i64> {
    let mut by_day: Vec<(usize, &ParsedLine<'_>)> = lines.iter().enumerate().collect();
    by_day.sort_by_key(|(at, compared)| (compared.line.day, *at));
    let mut worth: Vec<i64> = lines.iter().map(|compared| compared.line.worth).collect();
    for ((later, earlier), shared) in shared_words(&by_day) {
        let (Some((at, new)), Some((before, old))) = (by_day.get(later), by_day.get(earlier)) else {
            continue;
        };
        let is_about_same = shared.count >= LEAST_SHARED
            && old.line.day < new.line.day
            && (shared.has_rare || new.said.may_replace(&old.said));
        let beside = worth.get(*before).copied().unwrap_or_default();
        if is_about_same && let Some(own) = worth.get_mut(*at) {
            *own = (*own).max(beside + 1);
        }
    }
    worth
}

/// What pairs of lines have in common, by the places of the later and the earlier one. Only these pairs are compared,
/// since comparing all of them would take long.
fn shared_words(by_day: &[(usize, &ParsedLine<'_>)]) -> BTreeMap<(usize, usize), SharedWords> {
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (nth, (_, compared)) in by_day.iter().enumerate() {
        for word in compared.said.telling_subjects() {
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

    /// Whether one of them gives another value, of a later day, for what `earlier` speaks of. Then `earlier` does not
    /// hold, as far as anybody can tell who reads both.
    pub(super) fn replace(&self, earlier: &ParsedLine<'_>) -> bool {
        let subjects: BTreeSet<&str> = earlier.said.subjects().collect();
        let later = self.lines.iter().filter(|(shown, _)| shown.day > earlier.line.day);
        let mut related = later.filter(|(_, said)| said.subjects().any(|word| subjects.contains(word)));
        related.any(|(_, said)| said.may_replace(&earlier.said))
    }
}
