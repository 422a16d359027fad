//! Runs of letters of one script. Japanese writes no spaces, but it changes the script where a word ends or its ending
//! begins.

use super::fold::FoldedText;
use crate::text::{LetterKind, letter_kind};

/// How a letter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterScript {
    Kanji,
    Katakana,
    Hiragana,
    /// Another script without spaces between words.
    Unspaced,
    /// A script with spaces, or no letter.
    Other,
}

/// Neighbouring letters of one script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptRun {
    pub(super) script: LetterScript,
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Its letters, folded.
    pub(super) letters: Vec<char>,
}

impl ScriptRun {
    /// The place after its last letter.
    pub(super) fn end(&self) -> usize {
        self.start + self.letters.len()
    }

    /// How many pairs of neighbouring letters it has.
    pub(super) fn pairs(&self) -> usize {
        self.letters.len().saturating_sub(1)
    }
}

/// The script of the character at `at`.
pub(super) fn letter_script_at(text: &FoldedText, at: usize) -> LetterScript {
    let Some(c) = text.chars().get(at) else { return LetterScript::Other };
    match c {
        '\u{3041}'..='\u{309f}' if text.is_hiragana(at) => LetterScript::Hiragana,
        '\u{3041}'..='\u{309f}' | 'ー' => LetterScript::Katakana,
        c => match letter_kind(*c) {
            LetterKind::Kanji => LetterScript::Kanji,
            LetterKind::Unspaced => LetterScript::Unspaced,
            LetterKind::Spaced | LetterKind::Emoji | LetterKind::Between => LetterScript::Other,
        },
    }
}

/// The runs of a text, in their order.
pub(super) fn runs_of_text(text: &FoldedText) -> Vec<ScriptRun> {
    let mut runs: Vec<ScriptRun> = Vec::new();
    for (at, c) in text.chars().iter().enumerate() {
        let script = letter_script_at(text, at);
        // What makes a sound longer belongs to the letter before it: すげー, スゲー.
        let is_longer = |run: &ScriptRun| *c == 'ー' && run.script == LetterScript::Hiragana;
        match runs.last_mut().filter(|run| run.script == script || is_longer(run)) {
            Some(run) => run.letters.push(*c),
            None => runs.push(ScriptRun { script, start: at, letters: vec![*c] }),
        }
    }
    runs
}
