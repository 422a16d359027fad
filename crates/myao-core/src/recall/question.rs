//! What is looked for: a text as terms, and which of them an index is asked for.

use std::collections::HashSet;

use super::{
    FoldedText,
    terms::{IndexTerm, Term, terms_in_order},
};
use crate::memory::{LetterKind, letter_kind};

/// Terms that an index is asked for at most, for one question.
const MOST_LOOKUPS: usize = 40;
/// A term that stands in more rows than this is common: it is not looked up where another is not common.
pub const COMMON: u64 = 4_000;
/// Terms that a row has to hold together where all are common.
const MOST_TOGETHER: usize = 3;
/// Rows that an index is taken to have at least: in a small one a word tells something, however often it stands.
const FEWEST_ROWS: u64 = 1_000;
/// A term that is most likely grammar, and was not counted, is taken to stand in one row of this many.
const WEAK_SHARE: u64 = 100;

/// A question, cut into terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallQuestion {
    /// Each once, in the order of the text.
    terms: Vec<Term>,
    /// Whether one of them was more than grammar before all counted as such.
    has_content: bool,
}

/// How large an index is, and in how many of its rows some terms stand, about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexSize {
    /// Rows in all.
    pub rows: u64,
    /// Of each term of a question, in its order; 0 for one that stands in few.
    pub holding: Vec<u64>,
}

/// What an index is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermLookups {
    /// Each of these terms by itself, by their places in the question; the rarest first.
    Each(Vec<usize>),
    /// Rows that hold all of these: each alone is in too many.
    Together(Vec<usize>),
}

impl RecallQuestion {
    /// The terms of a text. What is most likely grammar counts only beside something else.
    pub fn new(text: &str) -> Self {
        let mut seen = HashSet::new();
        let mut terms = terms_in_order(&FoldedText::new(text));
        terms.retain(|term| seen.insert(term.text.clone()));
        let has_content = terms.iter().any(|term| !term.is_weak && lone_letter(&term.text).is_none());
        if terms.iter().all(|term| term.is_weak) {
            for term in &mut terms {
                term.is_weak = false;
            }
        }
        Self { terms, has_content }
    }

    /// Its terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether it holds more than what is most likely grammar.
    pub fn has_strong_terms(&self) -> bool {
        self.has_content
    }

    /// The letter that it consists of, where that is one of those that an index holds in pairs only.
    pub fn lone_letter(&self) -> Option<char> {
        let [term] = self.terms() else { return None };
        lone_letter(&term.text)
    }

    /// Its terms as an index holds them.
    pub fn keys(&self) -> Vec<IndexTerm> {
        self.terms.iter().map(Term::key).collect()
    }

    /// Which of its terms an index of this size is asked for.
    pub fn lookups(&self, size: &IndexSize) -> TermLookups {
        let holding = |term: &usize| size.holding.get(*term).copied().unwrap_or(0);
        let strong = self.terms.iter().enumerate().filter(|(_, term)| !term.is_weak);
        let mut strong: Vec<usize> = strong.map(|(at, _)| at).collect();
        strong.sort_by_key(holding);
        let rare: Vec<usize> = strong.iter().copied().filter(|term| holding(term) <= COMMON).collect();
        if rare.is_empty() {
            return TermLookups::Together(strong.into_iter().take(MOST_TOGETHER).collect());
        }
        TermLookups::Each(rare.into_iter().take(MOST_LOOKUPS).collect())
    }

    /// In how many rows the term at `at` stands, where `found` were found, or none were looked for.
    pub(super) fn rows_with(&self, at: usize, size: &IndexSize, found: Option<usize>) -> u64 {
        let counted = size.holding.get(at).copied().unwrap_or(0);
        let found = found.and_then(|found| u64::try_from(found).ok());
        let is_weak = self.terms.get(at).is_some_and(|term| term.is_weak);
        match found {
            None if counted == 0 && is_weak => size.rows.max(FEWEST_ROWS) / WEAK_SHARE,
            _ => counted.max(found.unwrap_or(0)),
        }
    }
}

/// A letter of those that an index holds in pairs only, where a term is no more than that.
fn lone_letter(term: &str) -> Option<char> {
    let mut chars = term.chars();
    let letter = chars.next().filter(|c| letter_kind(*c) == LetterKind::Unspaced);
    letter.filter(|_| chars.next().is_none())
}

impl IndexSize {
    pub(super) fn rows_at_least(&self) -> u64 {
        self.rows.max(FEWEST_ROWS)
    }
}
