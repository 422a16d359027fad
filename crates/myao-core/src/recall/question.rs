//! What is looked for: the terms of a text, and which of them are looked up in an index.

use std::collections::{HashMap, HashSet};

use super::{
    everyday::is_everyday_word,
    evidence::QuestionEvidence,
    fold::FoldedText,
    phrase::comparable_form,
    terms::{IndexTerm, RawTerm, Term, terms_in_order, visit_each_term},
};
use crate::text::{LetterKind, letter_kind};

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
    /// For each term, whether it is written with digits or in capitals: the name of something.
    is_sign: Vec<bool>,
    /// Words that stand one behind the other, by their places in the list of terms.
    neighbours: Vec<(usize, usize)>,
    /// Terms that are names of people whom it is about.
    people: HashSet<String>,
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
        let mut places = HashMap::<String, usize>::new();
        let mut terms = Vec::new();
        let mut evidence = QuestionEvidence::new(&folded);
        let mut is_sign = Vec::new();
        let mut neighbours = Vec::new();
        let mut last: Option<(usize, usize)> = None;
        visit_each_term(&folded, &mut |term| {
            let stem = term.stem().into_owned();
            let place = *places.entry(stem).or_insert(terms.len());
            if place == terms.len() {
                terms.push(Term { text: term.stem().into_owned(), is_weak: evidence.add(term) });
                is_sign.push(is_sign_at(&folded, term));
            }
            let is_word = |place: &usize| evidence.is_word(*place);
            let before = last.filter(|(_, end)| term.follows(*end)).map(|(place, _)| place);
            neighbours.extend(before.zip(Some(place)).filter(|(a, b)| a != b && is_word(a) && is_word(b)));
            last = Some((place, term.end()));
        });
        let has_content = terms.iter().any(|term| !term.is_weak && lone_letter(&term.text).is_none());
        if terms.iter().all(|term| term.is_weak) {
            for term in &mut terms {
                term.is_weak = false;
            }
        }
        Self { terms, has_content, evidence, is_sign, neighbours, people: HashSet::new() }
    }

    /// The terms of a phrase that has to stand in a text in one piece.
    pub fn of_phrase(phrase: &str) -> Self {
        Self::new(&comparable_form(phrase))
    }

    /// The terms of a text that is about people with these names: their names are no words like others.
    pub fn about(text: &str, names: &[String]) -> Self {
        let mut question = Self::new(text);
        let terms = names.iter().flat_map(|name| terms_in_order(&FoldedText::new(name)));
        question.people = terms.map(|term| term.text).collect();
        question
    }

    /// Its terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
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

    /// Words that stand one behind the other, by their places in the list of terms.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        self.neighbours.iter().copied().filter(|(a, b)| !self.is_person(*a) && !self.is_person(*b))
    }

    /// Whether the term at `at` is a part of the name of somebody whom it is about.
    pub(super) fn is_person(&self, at: usize) -> bool {
        !self.people.is_empty() && self.terms.get(at).is_some_and(|term| self.people.contains(&term.text))
    }

    /// Whether the term at `at`, if it is rare, tells what the question is about: names of people and everyday words do not.
    pub(super) fn may_tell(&self, at: usize) -> bool {
        let Some(term) = self.terms.get(at) else { return false };
        let is_sign = self.is_sign.get(at).copied().unwrap_or(false);
        !self.is_person(at) && (is_sign || !is_everyday_word(&term.text))
    }

    /// Whether one of its terms may tell what it is about.
    pub(super) fn has_telling_terms(&self) -> bool {
        (0..self.terms.len()).any(|at| !self.is_weak(at) && self.may_tell(at)) && self.has_content
    }

    /// How many of its terms may tell what it is about.
    pub(super) fn count_telling_terms(&self) -> usize {
        (0..self.terms.len()).filter(|at| !self.is_weak(*at) && self.may_tell(*at)).count()
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

/// Whether a word is written with a digit, or in capitals only: `k8s`, `GHA`.
fn is_sign_at(folded: &FoldedText, term: RawTerm<'_>) -> bool {
    let mut letters = term.text.chars().peekable();
    let is_word = letters.peek().is_some_and(|c| letter_kind(*c) == LetterKind::Spaced);
    let length = term.text.chars().count();
    let is_in_capitals = length > 1 && (term.at..term.at + length).all(|at| folded.is_upper(at));
    is_word && (letters.any(char::is_numeric) || is_in_capitals)
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
