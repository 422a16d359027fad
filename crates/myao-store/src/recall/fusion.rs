//! Fuses what was found into one list: within the bounds that a question names and without them, and by meaning.

use std::collections::HashMap;

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::StepId,
    recall::fuse_ranked_lists,
};

use super::{
    bearing::Bearing,
    plan::{NamedSearch, SearchPlan, SearchWithinBounds},
    request::Recalled,
    texts::RecalledText,
};

/// By how much the newest of a question that is about nothing else score more than the best of what holds its words.
const NEWEST: f64 = 1.5;

/// The ratio of each of their scores to the one before.
const OLDER: f64 = 0.99;

/// How many entries of each list are used, however few are asked for: something far down in both may come first in one.
const DEPTH: usize = 100;

/// How much a rank in either list counts: what lies near in meaning is a guess, a word is not.
const BY_WORDS: f64 = 1.0;

const BY_MEANING: f64 = 0.5;

/// Identifies something that both lists may hold: a message, or a line of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FoundPlace {
    Message(ChannelId, MessageTs),
    Line(StepId, String),
}

impl FoundPlace {
    fn of(text: &RecalledText) -> Self {
        match text {
            RecalledText::Message(message) => Self::Message(message.channel.clone(), message.ts),
            RecalledText::Line(line) => Self::Line(line.step, line.text.clone()),
        }
    }
}

/// The best of all that was found for a plan: `wide` and `named` by its searches for words, `near` by meaning.
pub(super) fn fuse_found_lists(
    plan: &SearchPlan,
    wide: Vec<Recalled>,
    named: Vec<Recalled>,
    near: Vec<RecalledText>,
) -> Vec<Recalled> {
    let by_words = match &plan.named {
        Some(search) => join_named(search, wide, named, plan.most),
        None => wide,
    };
    if near.is_empty() { by_words } else { fuse_by_ranks(by_words, near, plan.most) }
}

/// Puts what lies within the bounds that a question names before the rest.
fn join_named(search: &NamedSearch, wide: Vec<Recalled>, named: Vec<Recalled>, most: usize) -> Vec<Recalled> {
    let wide = weigh_by_bearing(wide, &search.bearing);
    let named = match &search.within {
        SearchWithinBounds::Words(_) => weigh_by_bearing(named, &search.bearing),
        SearchWithinBounds::Newest(..) => score_newest(named, &wide),
    };
    join_both_lists(named, wide, most)
}

fn weigh_by_bearing(mut list: Vec<Recalled>, bearing: &Bearing) -> Vec<Recalled> {
    for one in &mut list {
        one.score *= bearing.of(&one.text);
    }
    list
}

/// Scores the newest messages in front of what only mentions those who said them.
fn score_newest(mut newest: Vec<Recalled>, mentions: &[Recalled]) -> Vec<Recalled> {
    let best = mentions.iter().map(|one| one.score).fold(1.0, f64::max) * NEWEST;
    for (nth, found) in (0..).zip(&mut newest) {
        found.score = best * OLDER.powi(nth);
    }
    newest
}

/// Joins both lists, each text once, best first.
pub(crate) fn join_both_lists(mut met: Vec<Recalled>, found: Vec<Recalled>, most: usize) -> Vec<Recalled> {
    for one in found {
        match met.iter_mut().find(|other| other.text == one.text) {
            Some(other) => {
                other.score = other.score.max(one.score);
                other.is_incidental &= one.is_incidental;
                other.evidence = match (other.evidence.take(), one.evidence) {
                    (Some(own), Some(others)) => Some(own.with(others)),
                    (None, _) | (_, None) => None,
                };
                let terms = one.terms.into_iter().filter(|term| !other.terms.contains(term));
                let terms: Vec<String> = terms.collect();
                other.terms.extend(terms);
            }
            None => met.push(one),
        }
    }
    met.sort_by(|a, b| b.score.total_cmp(&a.score));
    met.truncate(most);
    met
}

/// The `most` best of both lists by their ranks. The scores are those of the words, in the new order.
fn fuse_by_ranks(found: Vec<Recalled>, near: Vec<RecalledText>, most: usize) -> Vec<Recalled> {
    let scores: Vec<f64> = found.iter().map(|recalled| recalled.score).collect();
    let by_words: Vec<FoundPlace> = found.iter().map(|recalled| FoundPlace::of(&recalled.text)).collect();
    let by_meaning: Vec<FoundPlace> = near.iter().take(DEPTH).map(FoundPlace::of).collect();
    let mut things: HashMap<FoundPlace, Recalled> = HashMap::new();
    for text in near {
        let recalled = Recalled {
            text,
            score: 0.0,
            terms: Vec::new(),
            evidence: None,
            is_incidental: false,
            replaced_on: None,
        };
        things.insert(FoundPlace::of(&recalled.text), recalled);
    }
    for mut recalled in found {
        let place = FoundPlace::of(&recalled.text);
        if things.contains_key(&place) {
            // What lies near in meaning needs no words.
            recalled.is_incidental = false;
            recalled.evidence = None;
        }
        things.insert(place, recalled);
    }
    let order = fuse_ranked_lists(&[(BY_WORDS, by_words), (BY_MEANING, by_meaning)]);
    let ranked = order.into_iter().zip(scores_for(scores)).take(most);
    ranked.filter_map(|(place, score)| Some(Recalled { score, ..things.remove(&place)? })).collect()
}

/// The scores of a list, followed by smaller and smaller ones.
fn scores_for(scores: Vec<f64>) -> impl Iterator<Item = f64> {
    let last = scores.last().copied().unwrap_or(1.0);
    let behind = std::iter::successors(Some(last), |score| Some(score * SMALLER));
    scores.into_iter().chain(behind.skip(1))
}

/// The ratio of each score to the one before, after the end of the list.
const SMALLER: f64 = 0.98;
