//! Joins what was found by words and what was found by meaning into one list.

use std::collections::HashMap;

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::StepId,
    recall::fuse_ranked_lists,
};

use super::{request::Recalled, texts::RecalledText};

/// How many entries of each list are used, however few are asked for: something far down in both may come first in one.
pub(super) const DEPTH: usize = 100;

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

/// The `most` best of both lists by their ranks. The scores are those of the words, in the new order.
pub(super) fn fuse_by_ranks(found: Vec<Recalled>, near: Vec<RecalledText>, most: usize) -> Vec<Recalled> {
    let scores: Vec<f64> = found.iter().map(|recalled| recalled.score).collect();
    let by_words: Vec<FoundPlace> = found.iter().map(|recalled| FoundPlace::of(&recalled.text)).collect();
    let by_meaning: Vec<FoundPlace> = near.iter().take(DEPTH).map(FoundPlace::of).collect();
    let mut things: HashMap<FoundPlace, Recalled> = HashMap::new();
    for text in near {
        let recalled = Recalled { text, score: 0.0, terms: Vec::new(), is_incidental: false };
        things.insert(FoundPlace::of(&recalled.text), recalled);
    }
    for mut recalled in found {
        let place = FoundPlace::of(&recalled.text);
        recalled.is_incidental &= !things.contains_key(&place);
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
