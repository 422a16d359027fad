//! The floor of what a prompt shows: what holds much less of a question than something else that was found does not bear on
//! it (ADR 143).
//!
//! Scores order what one search found and mean nothing beside those of another. What is compared here is the share of the
//! question that each text holds, by how rare its words are: from 0 to 1 in every archive.

use std::collections::{BTreeMap, HashMap};

use super::question::RecallQuestion;
use crate::worth::is_question;

/// A text has to hold so much of what the best text with the same telling word holds.
const LEAST_OF_BEST: f64 = 0.75;
/// A message that asks nothing and has more telling words than this is talk: it is about several things.
const MOST_WORDS: usize = 4;

/// How much of what is asked a text holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldEvidence {
    /// The words that it holds and that tell what is asked, folded, English words as stems; for each of them the share of
    /// the question that it holds of the sentence with this word.
    pub telling: BTreeMap<String, f64>,
}

impl HeldEvidence {
    /// What a text holds of a question that was asked in two ways.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        for (word, share) in other.telling {
            let most = self.telling.entry(word).or_default();
            *most = most.max(share);
        }
        self
    }
}

/// Something that was found.
#[derive(Clone, Copy, Debug)]
pub struct RecallFloorCandidate<'a> {
    /// What it holds of the question; `None` if it was found otherwise than by words, and stays.
    pub evidence: Option<&'a HeldEvidence>,
    /// Whether it states something: what only asks the same does not raise the floor.
    pub is_statement: bool,
}

/// Whether the floor holds for what is looked up by `words`: for questions and for short messages, not for long talk.
pub fn has_recall_floor(words: &str) -> bool {
    words.lines().any(is_question) || RecallQuestion::new(words).count_telling_terms() <= MOST_WORDS
}

/// For each of what was found whether a prompt may show it: whether it holds nearly as much of a sentence of the question as
/// the best text that holds the same telling word. Who asks about two things gets the best of each.
pub fn is_above_recall_floor(found: &[RecallFloorCandidate<'_>]) -> Vec<bool> {
    let mut best: HashMap<&str, f64> = HashMap::new();
    for evidence in found.iter().filter(|one| one.is_statement).filter_map(|one| one.evidence) {
        for (word, share) in &evidence.telling {
            let best = best.entry(word).or_default();
            *best = best.max(*share);
        }
    }
    let of_best = |word: &str| best.get(word).copied().unwrap_or_default() * LEAST_OF_BEST;
    let reaches =
        |evidence: &HeldEvidence| evidence.telling.iter().any(|(word, share)| *share >= of_best(word));
    found.iter().map(|one| one.evidence.is_none_or(reaches)).collect()
}
