//! What is looked for: the terms of a text, and which of them are looked up in an index.

use std::collections::HashSet;

use super::{
    FoldedText,
    evidence::QuestionEvidence,
    terms::{IndexTerm, Term, each_term},
};
use crate::memory::{LetterKind, letter_kind};

/// The most terms that are looked up for one question.
const MOST_LOOKUPS: usize = 40;
/// A term that stands in more rows than this is common. It is not looked up if the question has a term that is not
/// common.
pub const COMMON: u64 = 4_000;
/// The most terms that a row has to hold together if all terms are common.
const MOST_TOGETHER: usize = 3;
/// An estimate below this may be far too high: two rows of a rare name that happen to be in the sample make it look like
/// a word of every day. The rows that were found are counted instead.
const RELIABLE: u64 = 1_024;
/// An index is treated as if it had at least this many rows: in a small one a word tells something, however often it
/// stands there.
const FEWEST_ROWS: u64 = 1_000;
/// A term that is most likely grammar, and was not counted, is assumed to stand in one row of this many.
const WEAK_SHARE: u64 = 100;

/// A question, cut into terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallQuestion {
    /// The terms, each once, in the order of the text.
    terms: Vec<Term>,
    /// Whether one of them is more than grammar. In a question of nothing but grammar, no term is marked as weak, so
    /// this is noted before.
    has_content: bool,
    /// What each of the terms is in the question.
    evidence: QuestionEvidence,
}

/// How large an index is, and in about how many of its rows the terms of a question stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexSize {
    /// How many rows it has.
    pub rows: u64,
    /// For each term of the question, in order: in how many rows it stands, or 0 if it stands in few.
    pub holding: Vec<u64>,
}

/// What is looked up in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermLookups {
    /// Each of these terms by itself, the rarest first, those that are most likely grammar last. They are given by
    /// their places in the question.
    Each(Vec<usize>),
    /// Rows that hold all of these terms, since each alone stands in too many rows.
    Together(Vec<usize>),
}

impl RecallQuestion {
    /// The terms of a text. A term that is most likely grammar is marked as weak only if the text has others.
    pub fn new(text: &str) -> Self {
        let folded = FoldedText::new(text);
        let (mut seen, mut terms) = (HashSet::new(), Vec::new());
        let mut evidence = QuestionEvidence::new(&folded);
        each_term(&folded, &mut |term| {
            if seen.insert(term.stem().into_owned()) {
                terms.push(Term { text: term.stem().into_owned(), is_weak: evidence.add(term) });
            }
        });
        let has_content = terms.iter().any(|term| !term.is_weak && lone_letter(&term.text).is_none());
        if terms.iter().all(|term| term.is_weak) {
            for term in &mut terms {
                term.is_weak = false;
            }
        }
        Self { terms, has_content, evidence }
    }

    /// Its terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether it holds more than what is most likely grammar.
    pub fn has_strong_terms(&self) -> bool {
        self.has_content
    }

    /// The letter that it consists of, if it is a single letter of a kind that an index holds only in pairs.
    pub fn lone_letter(&self) -> Option<char> {
        let [term] = self.terms() else { return None };
        lone_letter(&term.text)
    }

    /// Its terms as an index holds them.
    pub fn keys(&self) -> Vec<IndexTerm> {
        self.terms.iter().map(Term::key).collect()
    }

    /// Which of its terms are looked up in an index of this size.
    pub fn lookups(&self, size: &IndexSize) -> TermLookups {
        let holding = |term: &usize| size.holding.get(*term).copied().unwrap_or(0);
        let mut terms: Vec<usize> = (0..self.terms.len()).collect();
        terms.sort_by_key(|term| (self.is_weak(*term), holding(term)));
        let is_rare = |term: &usize| holding(term) <= COMMON;
        if !terms.iter().any(|term| is_rare(term) && !self.is_weak(*term)) {
            let strong = terms.into_iter().filter(|term| !self.is_weak(*term));
            return TermLookups::Together(strong.take(MOST_TOGETHER).collect());
        }
        TermLookups::Each(terms.into_iter().filter(is_rare).take(MOST_LOOKUPS).collect())
    }

    /// What its terms are.
    pub(super) fn evidence(&self) -> &QuestionEvidence {
        &self.evidence
    }

    /// Whether the term at `at` is most likely grammar.
    pub(super) fn is_weak(&self, at: usize) -> bool {
        self.terms.get(at).is_some_and(|term| term.is_weak)
    }

    /// In how many rows the term at `at` stands. `found` is how many rows were found with it, `None` if it was not
    /// looked up.
    pub(super) fn rows_with(&self, at: usize, size: &IndexSize, found: Option<usize>) -> u64 {
        let counted = size.holding.get(at).copied().unwrap_or(0);
        let found = found.and_then(|found| u64::try_from(found).ok());
        match found {
            None if counted == 0 && self.is_weak(at) => size.rows.max(FEWEST_ROWS) / WEAK_SHARE,
            Some(found) if counted < RELIABLE => found,
            _ => counted.max(found.unwrap_or(0)),
        }
    }
}

/// The letter that a term consists of, if it is a single letter of a kind that an index holds only in pairs.
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
