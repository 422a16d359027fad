//! Tells whether words that are written without spaces stand by themselves in a text: 東京都 holds the letters of 京都,
//! and is not about it.

use super::{
    fold::FoldedText,
    script::{LetterScript, letter_script_at, runs_of_text},
};

/// The words of a question that consist of kanji, or of katakana, and of more than one letter.
#[derive(Debug)]
pub(super) struct WholeWords(Vec<Vec<char>>);

impl WholeWords {
    pub(super) fn new(question: &str) -> Self {
        let mut words: Vec<Vec<char>> = Vec::new();
        for run in runs_of_text(&FoldedText::new(question)) {
            let is_word = is_script_of_words(run.script) && run.letters.len() > 1;
            if is_word && !words.contains(&run.letters) {
                words.push(run.letters);
            }
        }
        Self(words)
    }

    /// The share of the words in a text that stand by themselves somewhere in it; 1 if the text holds none of the
    /// words.
    pub(super) fn share_of_whole(&self, text: &FoldedText) -> f64 {
        let held: Vec<bool> = self.0.iter().filter_map(|word| stands_by_itself(text, word)).collect();
        if held.is_empty() {
            return 1.0;
        }
        let whole = held.iter().filter(|stands| **stands).count();
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        count(whole) / count(held.len())
    }
}

fn is_script_of_words(script: LetterScript) -> bool {
    matches!(script, LetterScript::Kanji | LetterScript::Katakana)
}

/// Whether a word stands by itself in a text; `None` if the text does not hold it at all.
fn stands_by_itself(text: &FoldedText, word: &[char]) -> Option<bool> {
    let mut found = None;
    for (at, _) in text.chars().windows(word.len()).enumerate().filter(|(_, window)| *window == word) {
        let of = letter_script_at(text, at);
        let is_joined = |other: Option<usize>| {
            other.is_some_and(|other| is_script_of_words(of) && letter_script_at(text, other) == of)
        };
        if !is_joined(at.checked_sub(1)) && !is_joined(Some(at + word.len())) {
            return Some(true);
        }
        found = Some(false);
    }
    found
}
