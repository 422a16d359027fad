//! Counts how often the terms of a question stand in a text, without looking up each term of the text.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    fold::FoldedText,
    question::RecallQuestion,
    terms::{RawTerm, visit_each_term},
};
use crate::text::{LetterKind, letter_kind};

/// Finds the terms of a question in texts.
#[derive(Debug)]
pub(super) struct TermCounter {
    /// For each term, its place in the question.
    places: HashMap<String, usize>,
    /// The same for terms that are a single kanji, which may stand inside of words.
    kanji: HashMap<char, usize>,
    beginnings: Beginnings,
    /// Terms that stand one behind the other in the question, each at most once.
    neighbours: HashSet<(usize, usize)>,
}

/// The terms of a question that a text holds, counted.
#[derive(Debug)]
pub(super) struct TermCounts {
    /// How often each term stands in the text, by its place in the question.
    pub(super) held: BTreeMap<usize, f64>,
    /// How many terms the text has, without those that are most likely grammar.
    pub(super) length: f64,
    /// Whether two terms that stand together in the question do so in the text.
    pub(super) stand_together: bool,
}

impl TermCounter {
    pub(super) fn new(question: &RecallQuestion) -> Self {
        let mut places = HashMap::new();
        let mut kanji = HashMap::new();
        for (place, term) in question.terms().iter().enumerate() {
            match single_kanji(&term.text) {
                Some(c) => drop(kanji.insert(c, place)),
                None => drop(places.insert(term.text.clone(), place)),
            }
        }
        Self {
            places,
            kanji,
            beginnings: Beginnings::of(question),
            neighbours: question.neighbours().collect(),
        }
    }

    pub(super) fn count(&self, text: &FoldedText) -> TermCounts {
        let mut counts = TermCounts { held: BTreeMap::new(), length: 0.0, stand_together: false };
        let mut last: Option<(usize, usize)> = None;
        visit_each_term(text, &mut |term| {
            counts.length += if term.is_weak { 0.0 } else { 1.0 };
            let place = self.place(term);
            let before = last.filter(|(_, end)| term.follows(*end)).map(|(place, _)| place);
            let pair = before.zip(place);
            counts.stand_together |= pair.is_some_and(|pair| self.neighbours.contains(&pair));
            last = place.map(|place| (place, term.end()));
            if let Some(place) = place {
                *counts.held.entry(place).or_default() += 1.0;
            }
        });
        if !self.kanji.is_empty() {
            for place in text.chars().iter().filter_map(|c| self.kanji.get(c)) {
                *counts.held.entry(*place).or_default() += 1.0;
            }
        }
        counts
    }

    fn place(&self, term: RawTerm<'_>) -> Option<usize> {
        if term.is_english && !self.beginnings.may_begin(term.text) {
            return None;
        }
        self.places.get(term.stem().as_ref()).copied()
    }
}

fn single_kanji(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next().filter(|c| letter_kind(*c) == LetterKind::Kanji);
    first.filter(|_| chars.next().is_none())
}

/// The first two letters of the English terms of a question: for each first letter, a bit for each second one. Most
/// words begin with other letters, and so need not be stemmed, which would take the most time.
#[derive(Debug, Default)]
struct Beginnings([u32; 26]);

const ANY: u32 = u32::MAX;

impl Beginnings {
    fn of(question: &RecallQuestion) -> Self {
        let mut beginnings = Self::default();
        for term in question.terms() {
            let mut letters = term.text.bytes();
            let first = letters.next();
            let second = letters.next();
            if let Some(seconds) = first.and_then(letter_index).and_then(|first| beginnings.0.get_mut(first))
            {
                *seconds |= second.map_or(ANY, |second| letter_index(second).map_or(0, |second| 1 << second));
            }
        }
        beginnings
    }

    /// Whether the stem of a word may be one of the terms. A stem begins with the first two letters of its word, except
    /// for a few words with a y (`dying`: `die`), and stems of one letter only.
    fn may_begin(&self, word: &str) -> bool {
        let mut letters = word.bytes();
        let first = letters.next();
        let second = letters.next();
        let seconds =
            first.and_then(letter_index).and_then(|first| self.0.get(first)).copied().unwrap_or(ANY);
        match second {
            None | Some(b'y') => seconds != 0,
            Some(second) => letter_index(second).is_none_or(|second| seconds & (1 << second) != 0),
        }
    }
}

fn letter_index(c: u8) -> Option<usize> {
    c.is_ascii_lowercase().then(|| usize::from(c - b'a'))
}
