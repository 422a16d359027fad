//! Finds the messages that a line of a memory was most likely made from.
//!
//! A line repeats the telling words of its source, and says who said it and on which day. But none of that is certain:
//! a model uses its own words, and leaves out day and name. So each of these counts, and none decides alone.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::{fold::FoldedText, terms::terms_in_order};
use crate::memory::lines_of_text;

/// What is added to a message's likelihood if it was said on the day of the line. All words of the line together count
/// 1.
const SAME_DAY: f64 = 0.3;
/// What is added if the line names who said the message.
const SAME_NAME: f64 = 0.3;
/// What is added if the line repeats all of the message; for a part of it, that share. So of two messages that hold the
/// line's words, the one that says less besides is more likely.
const REPEATED: f64 = 0.2;
/// The least share of a line's words that a source has to hold.
const FEWEST_WORDS: f64 = 0.25;

/// A message that may be a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceCandidate {
    /// The day on which it was said.
    pub day: Date,
    /// What its author is called.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Messages that may be the sources of lines.
#[derive(Clone, Debug, Default)]
pub struct SourceCandidates {
    all: Vec<(SourceCandidate, BTreeSet<String>)>,
}

impl FromIterator<SourceCandidate> for SourceCandidates {
    fn from_iter<I: IntoIterator<Item = SourceCandidate>>(candidates: I) -> Self {
        let with_terms = |candidate: SourceCandidate| {
            let terms = comparable_terms(&candidate.text);
            (candidate, terms)
        };
        Self { all: candidates.into_iter().map(with_terms).collect() }
    }
}

impl SourceCandidates {
    /// The sources of a line, the most likely first: each candidate's place in the list, and its likelihood, a number
    /// to compare it by. Those that share few of the line's words are left out. Equals stay in the order of the list.
    pub fn of_line(&self, line: &str) -> Vec<(usize, f64)> {
        let known = lines_of_text(line).into_iter().next();
        let day = known.as_ref().and_then(|line| line.day);
        let words = known.map_or_else(|| line.to_owned(), |line| line.words);
        let sought = telling_terms(&words);
        let weights = self.weights(&sought);
        if weights.is_empty() {
            return Vec::new();
        }
        // Words that nobody said count against all candidates: a name, a date instead of "tomorrow", an invented word.
        let unsaid = share_of_whole(sought.len() - weights.len(), 1);
        let whole = weights.values().sum::<f64>() + unsaid;
        let likelihood = |(candidate, terms): &(SourceCandidate, BTreeSet<String>)| {
            let held: Vec<f64> = terms.iter().filter_map(|term| weights.get(term).copied()).collect();
            let share = held.iter().sum::<f64>() / whole;
            let is_named = !candidate.name.is_empty() && words.contains(&format!("{}:", candidate.name));
            let score = share
                + share_of_whole(held.len(), terms.len()) * REPEATED
                + if day == Some(candidate.day) { SAME_DAY } else { 0.0 }
                + if is_named { SAME_NAME } else { 0.0 };
            (share >= FEWEST_WORDS).then_some(score)
        };
        let mut likely: Vec<(usize, f64)> =
            self.all.iter().enumerate().filter_map(|(nth, one)| Some((nth, likelihood(one)?))).collect();
        likely.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        likely
    }

    /// The weight of each term that any candidate holds: the fewer hold it, the larger it is.
    fn weights<'t>(&self, sought: &'t BTreeSet<String>) -> BTreeMap<&'t String, f64> {
        let weigh = |term: &'t String| {
            let holding = self.all.iter().filter(|(_, terms)| terms.contains(term)).count();
            (holding > 0).then(|| (term, 1.0 + share_of_whole(self.all.len(), 1 + holding).ln().max(0.0)))
        };
        sought.iter().filter_map(weigh).collect()
    }
}

/// The terms of a line that are more than grammar; if there are none, all of its terms.
fn telling_terms(line: &str) -> BTreeSet<String> {
    let terms = terms_in_order(&FoldedText::new(line)).into_iter();
    let telling: BTreeSet<String> = terms.filter(|term| !term.is_weak).map(|term| term.text).collect();
    if telling.is_empty() { comparable_terms(line) } else { telling }
}

fn comparable_terms(text: &str) -> BTreeSet<String> {
    terms_in_order(&FoldedText::new(text)).into_iter().map(|term| term.text).collect()
}

#[expect(clippy::cast_precision_loss, reason = "fewer messages and terms than a float counts")]
fn share_of_whole(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
