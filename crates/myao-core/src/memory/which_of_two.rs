//! Reads which of two statements somebody means who was asked which of them is wrong.

use std::collections::BTreeSet;

use super::{said_right::is_joke, telling::can_tell};
use crate::text::{Lexicon, fold_for_comparison, terms_of_text};

/// A message of more characters is no answer to that.
const LONGEST: usize = 200;

static FIRST: Lexicon = Lexicon::of_all("corrections.first");
static SECOND: Lexicon = Lexicon::of_all("corrections.second");
static NEITHER: Lexicon = Lexicon::of_all("corrections.neither");

/// One of two statements that somebody was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeantStatement {
    /// The one that was named first.
    First,
    /// The other one.
    Second,
}

impl MeantStatement {
    /// Which of two statements a message means: the one whose number it says, or of which it says words that the other one
    /// lacks. `None` if that is not clear.
    pub fn of_message(said: &str, first: &str, second: &str) -> Option<Self> {
        if said.chars().count() > LONGEST || is_joke(said) {
            return None;
        }
        let said = fold_for_comparison(said);
        let statements = fold_for_comparison(&format!("{first} {second}"));
        let says = |word: &str| holds_word(&said, word) && !holds_word(&statements, word);
        if NEITHER.words().any(says) {
            return None;
        }
        match (FIRST.words().any(says), SECOND.words().any(says)) {
            (true, false) => return Some(Self::First),
            (false, true) => return Some(Self::Second),
            (true, true) => return None,
            (false, false) => {}
        }
        let tells = |term: &String| can_tell(term) || term.chars().all(char::is_numeric);
        let terms = |text: &str| terms_of_text(text).into_iter().filter(tells).collect::<BTreeSet<String>>();
        let (said, first, second) = (terms(&said), terms(first), terms(second));
        let says_only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.difference(other).any(|term| said.contains(term))
        };
        match (says_only(&first, &second), says_only(&second, &first)) {
            (true, false) => Some(Self::First),
            (false, true) => Some(Self::Second),
            (true, true) | (false, false) => None,
        }
    }
}

/// Whether a folded text holds a word: one of Latin letters or digits as a whole, a Japanese one anywhere.
fn holds_word(text: &str, word: &str) -> bool {
    if word.is_ascii() {
        let is_within = |c: char| c.is_ascii_alphanumeric() || c == '\'';
        return text.split(|c: char| !is_within(c)).any(|said| said == word);
    }
    text.contains(word)
}
