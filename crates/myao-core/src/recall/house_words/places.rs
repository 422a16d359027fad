//! Where a word of the house stands in a text, as a whole word; and questions in which the other word stands in its place.

use std::sync::LazyLock;

use super::names::is_sign;
use crate::{
    recall::{FoldedText, terms::is_everywhere},
    text::{Lexicon, WritingSystem, fold_for_comparison, is_japanese_char, writing_system},
};

static HONORIFICS: Lexicon = Lexicon::japanese("recall.honorifics");
static ASKING: Lexicon = Lexicon::english("house_words.asking");
static ASKING_FOR_MEANING: Lexicon = Lexicon::of_all("house_words.asking_for_meaning");
/// The longest first, so that a piece is taken before a piece of it.
static JAPANESE_ASKING: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut pieces: Vec<String> =
        Lexicon::japanese("house_words.asking").into_words().into_iter().map(fold_for_comparison).collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.chars().count()));
    pieces
});

/// The most units of a question that are looked up.
const MOST_UNITS: usize = 24;
/// The most questions in other words: each is searched like the question itself.
const MOST_QUESTIONS: usize = 3;

/// The letters and digits of a name, folded: what is compared of it.
pub(super) fn letters_of(name: &str) -> String {
    FoldedText::new(name).chars().iter().filter(|c| c.is_alphanumeric()).collect()
}

/// What a character belongs to: a word ends where that changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitScript {
    /// Letters and digits that are written with spaces.
    Spaced,
    Han,
    Katakana,
    Hiragana,
    None,
}

fn script_of(c: char) -> UnitScript {
    match writing_system(c) {
        WritingSystem::Latin | WritingSystem::Digit => UnitScript::Spaced,
        WritingSystem::Han => UnitScript::Han,
        WritingSystem::Katakana => UnitScript::Katakana,
        WritingSystem::Hiragana => UnitScript::Hiragana,
        WritingSystem::Other => UnitScript::None,
    }
}

/// Whether this joins letters of one word: `PJ-K`, `R&D`.
const fn joins(c: char) -> bool {
    matches!(c, '-' | '_' | '&' | '.' | '/')
}

/// A folded text, with the script of each character as it was written.
struct ScriptedText {
    folded: FoldedText,
    scripts: Vec<UnitScript>,
}

impl ScriptedText {
    fn new(text: &str) -> Self {
        let folded = FoldedText::new(text);
        let written = |at: usize| {
            let (from, to) = folded.original(at, at + 1);
            text.get(from..to).and_then(|c| c.chars().next()).unwrap_or(' ')
        };
        let scripts = (0..folded.chars().len()).map(|at| script_of(written(at))).collect();
        Self { folded, scripts }
    }

    fn script(&self, at: usize) -> UnitScript {
        self.scripts.get(at).copied().unwrap_or(UnitScript::None)
    }

    /// Whether a mark at a place joins letters on both sides of it.
    fn is_joint(&self, at: usize) -> bool {
        let is_letter = |at: Option<usize>| at.is_some_and(|at| self.script(at) == UnitScript::Spaced);
        self.folded.chars().get(at).copied().is_some_and(joins)
            && is_letter(at.checked_sub(1))
            && is_letter(Some(at + 1))
    }

    /// Whether a word may end before the character at a place, and another begin there.
    fn is_edge(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        let (left, right) = (self.script(before), self.script(at));
        left != right && !self.is_joint(before) && !self.is_joint(at)
            || left == UnitScript::None && !self.is_joint(before)
    }

    /// Whether a word may end before the character at a place: where another may begin, or さん and the like follow.
    fn is_end(&self, at: usize) -> bool {
        let follows = |honorific: &&str| {
            let letters: Vec<char> = FoldedText::new(honorific).chars().to_vec();
            self.folded.chars().get(at..).is_some_and(|rest| rest.starts_with(&letters))
        };
        self.is_edge(at) || HONORIFICS.iter().any(follows)
    }

    /// Where a name stands as a whole word, in characters.
    fn places_of(&self, name: &FoldedText) -> Vec<usize> {
        let length = name.chars().len();
        if length == 0 {
            return Vec::new();
        }
        let is_there = |(at, part): &(usize, &[char])| {
            *part == name.chars() && self.is_edge(*at) && self.is_end(at + length)
        };
        self.folded.chars().windows(length).enumerate().filter(is_there).map(|(at, _)| at).collect()
    }
}

/// The words and the runs of one script that a text consists of, as they are compared; without grammar.
pub(super) fn units_of(text: &str) -> Vec<String> {
    let scripted = ScriptedText::new(text);
    let mut units: Vec<String> = Vec::new();
    let mut at = 0;
    while at < scripted.scripts.len() && units.len() < MOST_UNITS {
        let script = scripted.script(at);
        let mut end = at + 1;
        while end < scripted.scripts.len() && !scripted.is_edge(end) {
            end += 1;
        }
        let (from, to) = scripted.folded.original(at, end);
        let unit = text.get(from..to).unwrap_or_default();
        let is_grammar = script == UnitScript::Hiragana
            || script == UnitScript::None
            || !is_sign(unit) && is_everywhere(&fold_for_comparison(unit));
        let letters = letters_of(unit);
        if !is_grammar && !units.contains(&letters) {
            units.push(letters);
        }
        at = end;
    }
    units
}

/// The first unit of a name: what it is looked up by.
pub(super) fn first_unit(name: &str) -> Option<String> {
    units_of(name).into_iter().next()
}

/// A text with another name in place of one; `None` if that does not stand in it as a whole word.
fn with_other_name(text: &str, name: &str, other: &str) -> Option<String> {
    let scripted = ScriptedText::new(text);
    let name = FoldedText::new(name);
    let places = scripted.places_of(&name);
    if places.is_empty() {
        return None;
    }
    let mut written = String::new();
    let mut done = 0;
    for at in places {
        let (from, to) = scripted.folded.original(at, at + name.chars().len());
        written.push_str(text.get(done..from).unwrap_or_default());
        written.push_str(other);
        done = to.max(done);
    }
    written.push_str(text.get(done..).unwrap_or_default());
    Some(written)
}

/// Whether a text holds one of these names as a whole word.
pub fn holds_one_of_names(text: &str, names: impl IntoIterator<Item = impl AsRef<str>>) -> bool {
    let text = ScriptedText::new(text);
    names.into_iter().any(|name| !text.places_of(&FoldedText::new(name.as_ref())).is_empty())
}

/// A question in other words, at most three times: each with the meaning of a word of it, or with the word for what it
/// names. `pairs` are words and what they mean.
pub fn question_in_other_words<'p>(
    question: &str,
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> Vec<String> {
    let mut questions: Vec<String> = Vec::new();
    for (word, meaning) in pairs {
        let by_word = with_other_name(question, word, meaning);
        let by_meaning = with_other_name(question, meaning, word);
        // Where both stand, nothing is missing.
        let ((Some(other), None) | (None, Some(other))) = (by_word, by_meaning) else { continue };
        if questions.len() < MOST_QUESTIONS && !questions.contains(&other) {
            questions.push(other);
        }
    }
    questions
}

/// Whether a question asks nothing but what a word means: "what is PJ-K?", 「PJ-Kって何？」.
pub fn asks_for_meaning(question: &str, word: &str) -> bool {
    let said: Vec<&str> =
        question.split_whitespace().filter(|word| !word.starts_with(['@', '＠', '<'])).collect();
    let Some(rest) = with_other_name(&said.join(" "), word, " ") else { return false };
    let rest = fold_for_comparison(&rest);
    if !rest.contains(is_japanese_char) {
        let words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        return words.iter().all(|word| ASKING.contains(word))
            && words.iter().any(|word| ASKING_FOR_MEANING.contains(word));
    }
    let mut rest: String = rest.chars().filter(|c| c.is_alphanumeric()).collect();
    let asks = ASKING_FOR_MEANING.words().any(|piece| !piece.is_ascii() && rest.contains(piece));
    for piece in JAPANESE_ASKING.iter() {
        rest = rest.replace(piece.as_str(), "");
    }
    asks && rest.is_empty()
}
