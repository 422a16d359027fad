//! Finds where in a text stands what was asked for.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::{
    fold::FoldedText,
    phrase::comparable_form,
    question::RecallQuestion,
    terms::{terms_in_order, time_length},
};
use crate::text::{LetterKind, letter_kind};

/// What is looked for, to be marked in texts.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {
    /// The terms, each with whether it is most likely grammar.
    terms: HashMap<String, bool>,
    /// The phrases, folded.
    phrases: Vec<Vec<char>>,
    /// Each phrase in the form in which it is compared, and its terms, for texts in which marks, blanks or links stand
    /// between its words.
    of_phrases: Vec<(String, HashMap<String, bool>)>,
}

/// A stretch of a text that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Where it stands in the text, in bytes.
    pub(super) range: Range<usize>,
    /// The terms and phrases in it, folded.
    pub(super) held: BTreeSet<String>,
    is_strong: bool,
}

impl Highlighter {
    /// A highlighter for the words and phrases of a query.
    pub fn new(words: &str, phrases: &[String]) -> Self {
        let question = RecallQuestion::new(words);
        let terms = question.terms().iter().map(|term| (term.text.clone(), term.is_weak)).collect();
        let folded = |phrase: &String| FoldedText::new(phrase).chars().to_vec();
        let of_phrase = |phrase: &String| {
            let question = RecallQuestion::of_phrase(phrase);
            let terms = question.terms().iter().map(|term| (term.text.clone(), term.is_weak));
            (phrase_form(phrase), terms.collect())
        };
        let phrases = phrases.iter().map(|phrase| (folded(phrase), of_phrase(phrase)));
        let (phrases, of_phrases) = phrases.filter(|(phrase, _)| !phrase.is_empty()).unzip();
        Self { terms, phrases, of_phrases }
    }

    /// The stretches of a text that hold what is looked for, in order. What overlaps or touches is one mark. Terms that
    /// are most likely grammar are marked only where they touch a term that tells more.
    pub(super) fn marks(&self, text: &str) -> Vec<Mark> {
        let folded = FoldedText::new(text);
        let is_whole = |phrase: &Vec<char>| folded.chars().windows(phrase.len()).any(|part| part == phrase);
        let divided: Vec<&(String, HashMap<String, bool>)> = self
            .phrases
            .iter()
            .zip(&self.of_phrases)
            .filter_map(|(phrase, of_phrase)| Some(of_phrase).filter(|_| !is_whole(phrase)))
            .collect();
        let plain = if divided.is_empty() { String::new() } else { phrase_form(text) };
        let divided = divided.into_iter().filter(|(phrase, _)| !phrase.is_empty() && plain.contains(phrase));
        let divided: Vec<_> = divided.flat_map(|(_, terms)| terms.clone()).collect();
        if divided.is_empty() {
            return self.marks_of(text, &folded);
        }
        let mut wider = self.clone();
        wider.terms.extend(divided);
        wider.marks_of(text, &folded)
    }

    fn marks_of(&self, text: &str, folded: &FoldedText) -> Vec<Mark> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(c) = folded.chars().get(at) {
            let rest = folded.chars().get(at..).unwrap_or_default();
            let kind = letter_kind(*c);
            let time = Some(kind).filter(|kind| *kind == LetterKind::Spaced).and_then(|_| time_length(rest));
            let word = || rest.iter().take_while(|c| is_of_one_word(kind, **c)).count().max(1);
            let length = time.unwrap_or_else(word);
            match kind {
                LetterKind::Kanji | LetterKind::Unspaced => {
                    self.mark_pairs(folded, at..at + length, &mut found);
                }
                LetterKind::Spaced => self.mark_word(text, folded, at..at + length, &mut found),
                LetterKind::Emoji => self.mark_piece(folded, at..at + 1, &mut found),
                LetterKind::Between => {}
            }
            at += if kind == LetterKind::Emoji { 1 } else { length };
        }
        self.mark_phrases(folded, &mut found);
        join_marks(found)
    }

    /// Marks pairs of neighbouring characters and single kanji; any other single letter only where it stands alone.
    fn mark_pairs(&self, folded: &FoldedText, run: Range<usize>, found: &mut Vec<Mark>) {
        let is_kanji =
            |at: usize| folded.chars().get(at).is_some_and(|c| letter_kind(*c) == LetterKind::Kanji);
        let is_single = run.len() == 1;
        for at in run.clone() {
            if is_kanji(at) || is_single {
                self.mark_piece(folded, at..at + 1, found);
            }
            if at + 1 < run.end {
                self.mark_piece(folded, at..at + 2, found);
            }
        }
    }

    /// Marks these characters if they are a term as they stand.
    fn mark_piece(&self, folded: &FoldedText, place: Range<usize>, found: &mut Vec<Mark>) {
        let term: String = folded.chars().get(place.clone()).unwrap_or_default().iter().collect();
        if let Some(is_weak) = self.terms.get(&term) {
            let range = folded.original(place.start, place.end);
            found.push(Mark { range: range.0..range.1, held: BTreeSet::from([term]), is_strong: !is_weak });
        }
    }

    /// Marks the parts of a word that hold a term, or the whole word if none of its parts does and the whole does.
    fn mark_word(&self, text: &str, folded: &FoldedText, place: Range<usize>, found: &mut Vec<Mark>) {
        let letters = folded.chars().get(place.clone()).unwrap_or_default();
        let before = found.len();
        let mut at = place.start;
        for part in letters.split_inclusive(|c| letter_kind(*c) != LetterKind::Spaced) {
            let is_joined = part.last().is_some_and(|c| letter_kind(*c) != LetterKind::Spaced);
            let (start, end) = folded.original(at, at + part.len() - usize::from(is_joined));
            self.mark_stem(text, start..end, found);
            at += part.len();
        }
        if found.len() == before {
            let (start, end) = folded.original(place.start, place.end);
            self.mark_stem(text, start..end, found);
        }
    }

    /// Marks a stretch of the text, in bytes, if one of its terms is asked for.
    fn mark_stem(&self, text: &str, range: Range<usize>, found: &mut Vec<Mark>) {
        let word = FoldedText::new(text.get(range.clone()).unwrap_or_default());
        let terms = terms_in_order(&word).into_iter().map(|term| term.text);
        let held: BTreeSet<String> = terms.filter(|term| self.terms.contains_key(term)).collect();
        if !held.is_empty() {
            found.push(Mark { range, held, is_strong: true });
        }
    }

    fn mark_phrases(&self, folded: &FoldedText, found: &mut Vec<Mark>) {
        for phrase in &self.phrases {
            let windows = folded.chars().windows(phrase.len()).enumerate();
            for (at, _) in windows.filter(|(_, window)| *window == phrase.as_slice()) {
                let range = folded.original(at, at + phrase.len());
                let held = BTreeSet::from([phrase.iter().collect()]);
                found.push(Mark { range: range.0..range.1, held, is_strong: true });
            }
        }
    }
}

/// A text in the form in which phrases are compared, folded.
fn phrase_form(text: &str) -> String {
    FoldedText::new(&comparable_form(text)).chars().iter().collect()
}

/// Whether a character continues a word that began with a character of this kind.
fn is_of_one_word(kind: LetterKind, c: char) -> bool {
    match (kind, letter_kind(c)) {
        (LetterKind::Kanji | LetterKind::Unspaced, LetterKind::Kanji | LetterKind::Unspaced)
        | (LetterKind::Spaced, LetterKind::Spaced) => true,
        (LetterKind::Spaced, LetterKind::Between) => matches!(c, '_' | '.' | '-' | '\'' | '’'),
        _ => false,
    }
}

/// Joins marks that overlap or touch, and drops those that hold only grammar.
fn join_marks(mut found: Vec<Mark>) -> Vec<Mark> {
    found.retain(|mark| !mark.range.is_empty());
    found.sort_by_key(|mark| (mark.range.start, mark.range.end));
    let mut marks: Vec<Mark> = Vec::new();
    for mark in found {
        match marks.last_mut() {
            Some(last) if mark.range.start <= last.range.end => {
                last.range.end = last.range.end.max(mark.range.end);
                last.held.extend(mark.held);
                last.is_strong |= mark.is_strong;
            }
            Some(_) | None => marks.push(mark),
        }
    }
    marks.retain(|mark| mark.is_strong);
    marks
}
