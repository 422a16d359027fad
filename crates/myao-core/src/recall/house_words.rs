//! Reads what words of the house mean: abbreviations, nicknames, names of projects, as people explain them in talk (ADR 137).
//!
//! No model is asked. A message teaches a word only where a sentence of it says so in a form that says nothing else
//! (`lexicons/*/house_words.json`); a question, a guess, a joke, a quotation and code teach nothing. A wrong meaning would
//! be worse than none, since a question is also looked up by what its words mean.
//!
//! Read in this order: `sentences`, what of a message can teach; `names`, what can be a word or a meaning; `english` and
//! `japanese`, the forms; `standing`, which of what was said counts; `places`, where a word stands in a question.

mod english;
mod japanese;
mod names;
mod places;
mod sentences;
mod standing;

use super::terms::IndexTerm;
use crate::{
    memory::is_joke,
    text::{head_of_text, is_japanese_char, key_of_term},
};
pub use places::{asks_for_meaning, holds_one_of_names, question_in_other_words};
pub use standing::{HouseWordState, SaidHouseWord, states_of_house_words};

/// So many characters of a message are read: who explains a word does so in a line or two.
const LOOKED_AT: usize = 2_000;
/// The most words that one message teaches.
const MOST_OF_A_MESSAGE: usize = 8;

/// A word of the house, as one message explains it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HouseWord {
    /// The word: an abbreviation, a nickname, a name. As it was written.
    pub word: String,
    /// What it means, as it was written.
    pub meaning: String,
    /// How the message says so.
    pub form: HouseWordForm,
}

/// How a message says what a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HouseWordForm {
    /// It says that the word means this.
    Stated,
    /// It writes one in brackets behind the other: that counts once two people did so, and nobody with another.
    Beside,
    /// It says that the word does not mean this.
    Denied,
}

impl HouseWord {
    /// 64 bits that stand for word and meaning, however they are written.
    pub fn key(&self) -> i64 {
        key_of_term(&format!("{}={}", places::letters_of(&self.word), places::letters_of(&self.meaning)))
    }

    /// Whether another one is about the same word and the same meaning.
    pub fn is_same_pair(&self, other: &Self) -> bool {
        places::letters_of(&self.word) == places::letters_of(&other.word)
            && places::letters_of(&self.meaning) == places::letters_of(&other.meaning)
    }

    /// Whether another one is about the same word.
    pub fn is_same_word(&self, other: &Self) -> bool {
        places::letters_of(&self.word) == places::letters_of(&other.word)
    }

    /// Whether this is the word, however it is written.
    pub fn is_word(&self, word: &str) -> bool {
        places::letters_of(&self.word) == places::letters_of(word)
    }

    /// Whether this is the meaning, however it is written.
    pub fn is_meaning(&self, meaning: &str) -> bool {
        places::letters_of(&self.meaning) == places::letters_of(meaning)
    }
}

/// The words that a message explains, at most eight, each pair once.
pub fn house_words_in(text: &str) -> Vec<HouseWord> {
    let text = head_of_text(text, LOOKED_AT);
    if !may_explain(text) || is_joke(text) {
        return Vec::new();
    }
    let mut found: Vec<HouseWord> = Vec::new();
    for sentence in sentences::sentences_that_tell(text) {
        let read = if sentence.contains(is_japanese_char) {
            japanese::words_of_sentence(&sentence)
        } else {
            english::words_of_sentence(&sentence)
        };
        for one in read {
            if found.len() < MOST_OF_A_MESSAGE && !found.iter().any(|other| other.is_same_pair(&one)) {
                found.push(one);
            }
        }
    }
    found
}

/// Whether a text has any of what explains words: most talk has not, and is read no further.
fn may_explain(text: &str) -> bool {
    let has_sign = text.contains(['=', '＝', '(', '（']);
    has_sign
        || if text.contains(is_japanese_char) {
            japanese::may_explain(text)
        } else {
            english::may_explain(text)
        }
}

/// The terms by which a message is found that explains words: nothing for one that explains none.
pub fn index_terms_of_house_words(text: &str) -> Vec<IndexTerm> {
    let words = house_words_in(text);
    let mut terms: Vec<IndexTerm> = Vec::new();
    if !words.is_empty() {
        terms.push(IndexTerm::of_house_words());
    }
    for one in &words {
        for name in [&one.word, &one.meaning] {
            terms.extend(places::first_unit(name).map(|unit| IndexTerm::of_house_word(&unit)));
        }
    }
    terms
}

/// The terms by which messages are found that explain words of a question, at most 24.
pub fn index_terms_of_question(question: &str) -> Vec<IndexTerm> {
    places::units_of(question).into_iter().map(|unit| IndexTerm::of_house_word(&unit)).collect()
}
