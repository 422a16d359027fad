//! Finds phrases from which the keys of a wallet are made (BIP 39).

use std::{collections::BTreeSet, ops::Range};

use bip39::{Language, Mnemonic};

/// How many words such a phrase has, the longest first.
const WORD_COUNTS: [usize; 5] = [24, 21, 18, 15, 12];
/// The fewest words of a phrase, and the lengths of its words.
const LEAST_WORDS: usize = 12;
const SHORTEST_WORD: usize = 3;
const WORD_LENGTHS: std::ops::RangeInclusive<usize> = SHORTEST_WORD..=8;
/// How many letters the shortest phrase has at least.
pub(super) const SHORTEST_PHRASE: usize = LEAST_WORDS * SHORTEST_WORD;
/// How many characters may stand between two words: a blank, or the number of the next word.
const MOST_BETWEEN: usize = 8;

/// Whether as many words as the shortest phrase has stand together, each as long as the words of a phrase are, with
/// nothing but blanks, commas and numbers between them. Ordinary talk seldom has that.
pub(super) fn has_many_short_words(text: &[u8]) -> bool {
    let mut words = 0;
    let mut letters = 0;
    let mut between = 0;
    for byte in text.iter().chain(b"\n") {
        if byte.is_ascii_alphabetic() {
            letters += 1;
            between = 0;
            continue;
        }
        if letters > 0 {
            words = if WORD_LENGTHS.contains(&letters) { words + 1 } else { 0 };
            letters = 0;
        }
        if words >= LEAST_WORDS {
            return true;
        }
        between += 1;
        let may_stand = byte.is_ascii_whitespace() || byte.is_ascii_digit() || b",.;)".contains(byte);
        if !may_stand || between > MOST_BETWEEN {
            words = 0;
        }
    }
    false
}

/// Where phrases stand in a row of words, in order. The words around them may be words of the list as well, so every place
/// is tried; the checksum tells which is a phrase.
pub(super) fn find_seed_phrases(text: &[u8]) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let words = places_of_words(&lower);
    let is_listed = |word: &Range<usize>| {
        let word = lower.get(word.clone()).and_then(|word| std::str::from_utf8(word).ok());
        word.is_some_and(|word| Language::English.find_word(word).is_some())
    };
    let mut found = Vec::new();
    for mut run in words.split(|word| !is_listed(word)) {
        while run.len() >= LEAST_WORDS {
            let begins = |count: &usize| run.get(..*count).filter(|phrase| is_seed_phrase(&lower, phrase));
            let phrase = WORD_COUNTS.iter().find_map(begins);
            if let Some([first, .., last]) = phrase {
                found.push(first.start..last.end);
            }
            run = run.get(phrase.map_or(1, <[_]>::len)..).unwrap_or_default();
        }
    }
    found
}

fn is_seed_phrase(text: &[u8], words: &[Range<usize>]) -> bool {
    let words: Vec<&str> = words
        .iter()
        .filter_map(|word| text.get(word.clone()).and_then(|word| std::str::from_utf8(word).ok()))
        .collect();
    // The same few words over and over are drawn by nobody, and every sixteenth such row has a right checksum.
    let different = words.iter().collect::<BTreeSet<_>>().len();
    different * 2 > words.len() && Mnemonic::parse_in_normalized(Language::English, &words.join(" ")).is_ok()
}

/// Where the words of a text stand.
fn places_of_words(text: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, byte) in text.iter().chain(b" ").enumerate() {
        match (byte.is_ascii_alphabetic(), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                words.push(begin..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    words
}
