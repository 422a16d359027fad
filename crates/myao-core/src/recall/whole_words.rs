//! Tells whether words that are written without spaces stand by themselves in a text: 東京都 holds the letters of 京都,
//! and is not about it.

use super::FoldedText;
use crate::memory::{LetterKind, letter_kind};

/// The words of a question that consist of kanji, or of katakana, and of more than one letter.
#[derive(Debug)]
pub(super) struct WholeWords(Vec<Vec<char>>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum JapaneseScript {
    Kanji,
    Katakana,
    Other,
}

fn script(text: &FoldedText, at: usize) -> JapaneseScript {
    match text.chars().get(at) {
        Some(c) if letter_kind(*c) == LetterKind::Kanji => JapaneseScript::Kanji,
        Some('\u{3041}'..='\u{309f}' | 'ー') if !text.is_hiragana(at) => JapaneseScript::Katakana,
        Some(_) | None => JapaneseScript::Other,
    }
}

impl WholeWords {
    pub(super) fn new(question: &str) -> Self {
        let text = FoldedText::new(question);
        let mut words: Vec<Vec<char>> = Vec::new();
        let positions: Vec<usize> = (0..text.chars().len()).collect();
        for run in positions.chunk_by(|a, b| script(&text, *a) == script(&text, *b)) {
            let word: Vec<char> = run.iter().filter_map(|at| text.chars().get(*at).copied()).collect();
            let is_word = run.first().is_some_and(|at| script(&text, *at) != JapaneseScript::Other);
            if is_word && word.len() > 1 && !words.contains(&word) {
                words.push(word);
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

/// Whether a word stands by itself in a text; `None` if the text does not hold it at all.
fn stands_by_itself(text: &FoldedText, word: &[char]) -> Option<bool> {
    let mut found = None;
    for (at, _) in text.chars().windows(word.len()).enumerate().filter(|(_, window)| *window == word) {
        let of = script(text, at);
        let is_joined = |other: Option<usize>| {
            other.is_some_and(|other| of != JapaneseScript::Other && script(text, other) == of)
        };
        if !is_joined(at.checked_sub(1)) && !is_joined(Some(at + word.len())) {
            return Some(true);
        }
        found = Some(false);
    }
    found
}
