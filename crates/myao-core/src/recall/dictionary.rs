//! Which words of what was said a dictionary holds, so that somebody who types the beginning of one, or types it wrong,
//! still finds it (ADR 104).
//!
//! Words that are written with spaces, of letters alone, and words of katakana. What is written in kanji and hiragana has
//! no borders that could be seen without a grammar, and is found by pairs of letters anyway.

use std::{borrow::Cow, collections::BTreeSet};

use unicode_normalization::UnicodeNormalization as _;

use super::terms::is_everywhere;
use crate::text::{LetterKind, is_invisible, key_of_term, letter_kind};

/// The fewest letters of a word that is written with spaces: a shorter one has no beginning that tells it from others.
const SHORTEST_WORD: usize = 4;
/// The fewest letters of a word of katakana.
const SHORTEST_KATAKANA: usize = 2;
/// The most letters of a word: longer ones are keys and the like.
pub(super) const LONGEST_WORD: usize = 32;
/// Keeps a word of katakana apart from the terms, which are pieces of such words: no term has this sign in it.
const KATAKANA_MARK: &str = "~";

/// Whether a dictionary holds a word that is written with spaces, given in lower case.
pub fn is_dictionary_word(word: &str) -> bool {
    word.len() >= SHORTEST_WORD
        && (SHORTEST_WORD..=LONGEST_WORD).contains(&word.chars().count())
        && word.chars().all(is_letter_of_a_word)
        && !is_everywhere(word)
}

/// The words of katakana in a text, in full width.
pub fn katakana_words(text: &str) -> BTreeSet<String> {
    let text = in_full_width(text);
    if !text.contains(is_katakana) {
        return BTreeSet::new();
    }
    let letters: Vec<char> = text.chars().filter(|c| !is_invisible(*c)).collect();
    let runs = letters.chunk_by(|a, b| is_katakana(*a) == is_katakana(*b));
    let runs = runs.filter(|run| run.first().is_some_and(|c| is_katakana(*c)));
    runs.filter_map(|run| katakana_word(&run.iter().collect::<String>())).collect()
}

/// The key under which a word of katakana is counted.
pub fn katakana_key(word: &str) -> i64 {
    key_of_term(&format!("{KATAKANA_MARK}{word}"))
}

/// The word that a run of katakana is; `None` if it is too short or too long for one.
fn katakana_word(run: &str) -> Option<String> {
    // A long-vowel mark in front belongs to what stands before it: すごーイ.
    let word = run.trim_start_matches('ー');
    (SHORTEST_KATAKANA..=LONGEST_WORD).contains(&word.chars().count()).then(|| word.to_owned())
}

pub(super) fn is_letter_of_a_word(c: char) -> bool {
    c.is_ascii_lowercase() || (c.is_alphabetic() && letter_kind(c) == LetterKind::Spaced)
}

pub(super) fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー')
}

fn in_full_width(text: &str) -> Cow<'_, str> {
    let has_half_width = text.contains(|c| matches!(c, '\u{ff66}'..='\u{ff9f}'));
    if has_half_width { Cow::Owned(text.nfkc().collect()) } else { Cow::Borrowed(text) }
}
