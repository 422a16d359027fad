//! What bears on what is to be answered: messages and lines of memories that a search found (specification §3, §5).
//! `exchanges` chooses what a prompt shows of it, `recall_lines` writes it down.

use std::collections::BTreeSet;

use super::selection::{Item, Selection};
use crate::{
    memory::MemoryType,
    recall::{FoldedText, RecalledItem, RecalledWords, terms_in_order},
};

/// What was found may take at most this share of a prompt, in percent.
const MOST_PERCENT: usize = 40;
/// Where nobody asks anything, it takes this share of what it may take, in percent.
const UNASKED_PERCENT: usize = 60;

/// Something that was found, as a prompt shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownRecall {
    /// Its mark in the prompt, without brackets: `r1`.
    pub mark: String,
    /// What it is.
    pub item: RecalledItem,
    /// Whether the search found it, or it only stands around something that the search found.
    pub is_hit: bool,
    /// The number of the exchange that it is shown in, from 1.
    pub exchange: usize,
}

/// What was found, for a prompt to choose from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recollections<'a> {
    /// What was looked for.
    pub words: &'a str,
    /// What was found, best first.
    pub items: &'a [RecalledItem],
    /// The most estimated tokens that it may take where somebody asks something (`prompt.recall_tokens`); elsewhere it
    /// takes three fifths of them. It also takes at most two fifths of the prompt.
    pub tokens: usize,
}

impl Recollections<'_> {
    /// The same for a prompt to which somebody is not asking anything: what is looked up then is less often wanted.
    #[must_use]
    pub(super) fn unasked(self) -> Self {
        Self { tokens: self.tokens * UNASKED_PERCENT / 100, ..self }
    }

    /// The most tokens that its lines may take in a prompt of `budget` tokens.
    pub(super) fn most_tokens(&self, budget: usize) -> usize {
        if self.items.is_empty() { 0 } else { self.tokens.min(budget * MOST_PERCENT / 100) }
    }

    /// The most tokens that it may take together with its heading.
    pub(super) fn price(&self, budget: usize, heading: usize) -> usize {
        match self.most_tokens(budget) {
            0 => 0,
            most => most + heading,
        }
    }
}

/// Whether the memory that an item stands in is shown.
pub(super) fn is_remembered(item: &RecalledItem, chosen: &Selection) -> bool {
    match &item.text {
        RecalledWords::Message(_) => false,
        RecalledWords::Line { memory_type: MemoryType::LongTerm, .. } => {
            chosen.has(&Item::LongTerm(item.channel.clone()))
        }
        RecalledWords::Line { version, .. } => {
            chosen.has(&Item::ShortTerm(item.channel.clone(), Some(*version)))
        }
    }
}

/// Whether the words of `item` are in `shown` already. A memory's line counts as the same when it contains the other
/// words or stands in them, since it may quote a message, and when a message holds every word that it says. Of two
/// messages both say something of their own, unless all of their words are equal.
pub(super) fn says_already(shown: &[&RecalledItem], item: &RecalledItem) -> bool {
    let terms = RecallTerms::of(item);
    shown.iter().any(|shown| is_said(shown, item, || terms.are_in(&RecallTerms::of(shown))))
}

/// Whether the words of `item` are those of `shown`; `is_held` tells whether a message holds every word of a memory's
/// line.
pub(super) fn is_said(shown: &RecalledItem, item: &RecalledItem, is_held: impl FnOnce() -> bool) -> bool {
    let words = item.text.words().trim();
    let others = shown.text.words().trim();
    match (&shown.text, &item.text) {
        _ if words.is_empty() || others.is_empty() => false,
        (RecalledWords::Message(_), RecalledWords::Message(_)) => words == others,
        (RecalledWords::Message(_), RecalledWords::Line { ended: None, .. }) if is_held() => true,
        (RecalledWords::Line { .. }, _) | (_, RecalledWords::Line { .. }) => {
            words.contains(others) || others.contains(words)
        }
    }
}

/// The words that something says; of a memory's line without who is named in front of it.
#[derive(Clone, Debug)]
pub(super) struct RecallTerms(BTreeSet<String>);

impl RecallTerms {
    pub(super) fn of(item: &RecalledItem) -> Self {
        let words = item.text.words();
        let said = match &item.text {
            RecalledWords::Message(_) => words,
            RecalledWords::Line { .. } => words.split_once(": ").map_or(words, |(_, said)| said),
        };
        Self(terms_in_order(&FoldedText::new(said)).into_iter().map(|term| term.text).collect())
    }

    /// Whether there are any, and all of them are among the others.
    pub(super) fn are_in(&self, others: &Self) -> bool {
        !self.0.is_empty() && self.0.is_subset(&others.0)
    }
}
