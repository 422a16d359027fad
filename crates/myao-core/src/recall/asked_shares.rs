//! How much each word of a question is of what it asks, whatever the archive, and which of its words tell what it is about.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    asked_aspects::{AskedAspect, asked_aspects, without_places},
    fold::FoldedText,
    question::{IndexSize, RecallQuestion},
    recall_floor::HeldEvidence,
    sentence_names::japanese_name,
    terms::terms_in_order,
};
use crate::text::Lexicon;

/// Days and months are no names of what is asked about: people say them in many ways.
static DAYS: Lexicon = Lexicon::of_all("changes.days");

/// What an everyday word counts beside others.
const OF_EVERYDAY: f64 = 0.2;
/// A word is telling if it weighs at least so much of the heaviest word of its sentence that stands anywhere.
const OF_HEAVIEST: f64 = 0.5;
/// A name has to be held by a text or its thread; to be said beside it is not enough.
const OF_HELD_NAME: f64 = 0.5;
/// What stands in more than one row of this many is known all over the place, and names nothing in particular.
const RARE_SHARE: u64 = 100;

/// What a question names and where it stands.
pub(super) struct AskedWords<'a> {
    pub(super) question: &'a RecallQuestion,
    /// For each term, its weight.
    pub(super) weights: &'a [f64],
    /// The question as it was asked.
    pub(super) text: &'a str,
    /// The terms in it that begin with a capital.
    pub(super) capitals: &'a HashSet<String>,
    pub(super) size: &'a IndexSize,
    /// For each term that was looked up, in how many rows it stands.
    pub(super) found: &'a HashMap<usize, usize>,
}

/// The shares of a question's terms.
#[derive(Debug)]
pub(super) struct AskedShares {
    /// For each term, its text and its share; together 1, or 0 if nothing is asked.
    terms: Vec<(String, f64)>,
    sentences: Vec<AskedSentence>,
}

/// A sentence of a question. Who asks two things in one message asks two questions.
#[derive(Debug)]
struct AskedSentence {
    /// Its terms, by their places in the question.
    terms: HashSet<usize>,
    /// What it names, if that stands anywhere: then nothing else tells what it is about.
    names: HashSet<usize>,
    /// The terms that may tell what it is about: not those that say what is asked of a thing, if it says of which thing.
    may_tell: HashSet<usize>,
    /// The share from which on another term is telling; infinite if it names only what stands nowhere.
    least_telling: f64,
}

impl AskedWords<'_> {
    /// The shares of the terms. Names of people are no part of what is asked about them.
    pub(super) fn shares(&self) -> AskedShares {
        let of_term = |(at, weight): (usize, &f64)| match self.question.may_tell(at) {
            _ if self.question.is_person(at) => 0.0,
            true => *weight,
            false => weight * OF_EVERYDAY,
        };
        let mut shares: Vec<f64> = self.weights.iter().enumerate().map(of_term).collect();
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 {
            for share in &mut shares {
                *share /= sum;
            }
        }
        let sentences = self.text.split(['\n', '?', '？', '。']).filter(|said| !said.trim().is_empty());
        let sentences = sentences.map(|said| self.sentence(said, &shares)).collect();
        let terms = self.question.terms().iter().map(|term| term.text.clone()).zip(shares).collect();
        AskedShares { terms, sentences }
    }

    fn sentence(&self, said: &str, shares: &[f64]) -> AskedSentence {
        let terms = self.places_of(said);
        let mut names: HashSet<usize> = terms.iter().copied().filter(|at| self.is_capital(*at)).collect();
        let name = japanese_name(said).map(|name| self.places_of(name)).unwrap_or_default();
        if !name.iter().any(|at| self.question.is_person(*at)) {
            names.extend(name);
        }
        let known: HashSet<usize> = names.iter().copied().filter(|at| self.stands_anywhere(*at)).collect();
        let is_unheard = !names.is_empty() && known.is_empty();
        let may_tell = self.without_aspects(said).unwrap_or_else(|| terms.clone());
        let is_unheard = is_unheard || !may_tell.iter().any(|at| self.stands_anywhere(*at));
        let found = may_tell.iter().filter(|at| self.stands_anywhere(**at)).filter_map(|at| shares.get(*at));
        let least_telling =
            if is_unheard { f64::INFINITY } else { found.copied().fold(0.0, f64::max) * OF_HEAVIEST };
        let names = known.into_iter().filter(|at| self.is_rare(*at)).collect();
        AskedSentence { terms, names, may_tell, least_telling }
    }

    /// The terms of a sentence that may tell what it is about, if it says what is asked and of which thing; `None` if it
    /// does not, or if that is a person: people are looked after elsewhere (ADR 54).
    fn without_aspects(&self, said: &str) -> Option<HashSet<usize>> {
        let aspects = asked_aspects(said);
        let is_of_thing = |aspect: &&AskedAspect<'_>| {
            !self.places_of(aspect.subject).iter().any(|at| self.question.is_person(*at))
        };
        let mut asked = aspects.iter().filter(is_of_thing).map(|aspect| &aspect.place).peekable();
        asked.peek()?;
        let mut rest = self.places_of(&without_places(said, asked));
        rest.retain(|at| !self.question.is_weak(*at));
        Some(rest)
    }

    /// The places of a text's terms in the question.
    fn places_of(&self, text: &str) -> HashSet<usize> {
        let terms = terms_in_order(&FoldedText::new(text)).into_iter();
        let place = |text: &str| self.question.terms().iter().position(|term| term.text == text);
        terms.filter_map(|term| place(&term.text)).collect()
    }

    fn is_capital(&self, at: usize) -> bool {
        let term = self.question.terms().get(at).filter(|term| self.capitals.contains(&term.text));
        let is_day = |text: &str| DAYS.words().any(|day| day.starts_with(text));
        term.is_some_and(|term| !self.question.is_person(at) && !is_day(&term.text))
    }

    fn stands_anywhere(&self, at: usize) -> bool {
        self.found.get(&at).is_none_or(|rows| *rows > 0)
    }

    fn is_rare(&self, at: usize) -> bool {
        let rows = self.question.rows_with(at, self.size, self.found.get(&at).copied());
        rows.saturating_mul(RARE_SHARE) <= self.size.rows_at_least()
    }
}

impl AskedShares {
    /// What a text holds that holds these terms, each so much, from 0 to 1.
    pub(super) fn evidence(&self, held: &HashMap<usize, f64>) -> HeldEvidence {
        let mut telling: BTreeMap<String, f64> = BTreeMap::new();
        for sentence in &self.sentences {
            let of_sentence = |(at, _): &(&usize, &f64)| sentence.terms.contains(*at);
            let share_of = |(at, much): (&usize, &f64)| self.share(*at) * much;
            let mut shares: Vec<f64> = held.iter().filter(of_sentence).map(share_of).collect();
            // Sums of the same numbers are the same numbers only in the same order.
            shares.sort_by(f64::total_cmp);
            let share: f64 = shares.into_iter().sum();
            for (at, much) in
                held.iter().filter(of_sentence).filter(|(at, much)| self.tells(sentence, **at, **much))
            {
                let Some((term, _)) = self.terms.get(*at).filter(|_| *much > 0.0) else { continue };
                let most = telling.entry(term.clone()).or_default();
                *most = most.max(share);
            }
        }
        HeldEvidence { telling }
    }

    fn share(&self, at: usize) -> f64 {
        self.terms.get(at).map_or(0.0, |(_, share)| *share)
    }

    fn tells(&self, sentence: &AskedSentence, at: usize, much: f64) -> bool {
        let share = self.share(at) * much;
        if sentence.names.is_empty() {
            share > 0.0 && share >= sentence.least_telling && sentence.may_tell.contains(&at)
        } else {
            sentence.names.contains(&at) && much >= OF_HELD_NAME
        }
    }
}
