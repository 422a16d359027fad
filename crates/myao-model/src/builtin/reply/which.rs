//! Whether a sentence tells one of several things: who asks which server is used is not told by "the server is down".

use std::collections::BTreeSet;

use myao_core::{
    text::{Lexicon, english_stem, fold_for_comparison},
    worth::{is_common_word, words_with_spaces},
};

use super::topics::{is_slight, is_word};

static WHICH: Lexicon = Lexicon::english("asked.which");
static BEHIND_NAMED: Lexicon = Lexicon::english("asked.behind_named");
static TIMES: Lexicon = Lexicon::english("kind.times");
/// How many words behind a thing may tell it from others.
const BEHIND: usize = 5;
/// What ends a sentence, behind which every word begins with a capital.
const SENTENCE_ENDS: [char; 6] = ['.', '?', '!', ':', ';', '…'];
const QUOTES: [char; 6] = ['"', '“', '”', '「', '『', '`'];

/// A thing of which a question asks which one is meant.
pub(super) struct OneOfSeveral {
    /// What it may be called, as stems: the first and the last word behind `which`.
    things: BTreeSet<String>,
    /// All stems of the question.
    asked: BTreeSet<String>,
}

impl OneOfSeveral {
    /// Of a folded question; `None` if it asks for none of several things.
    pub(super) fn of(question: &str) -> Option<Self> {
        let spaced = words_with_spaces(question);
        let behind = WHICH.words().find_map(|word| spaced.split_once(&format!(" {word} ")))?.1;
        let named: Vec<&str> = behind.split_whitespace().take_while(|word| is_word(word)).collect();
        let things: BTreeSet<String> =
            [named.first(), named.last()].into_iter().flatten().map(|word| stem(word)).collect();
        let asked = spaced.split_whitespace().map(stem).collect();
        (!things.is_empty()).then_some(Self { things, asked })
    }

    /// Whether sentences of which some speak of such a thing tell which one. If none speaks of it, nothing is known.
    pub(super) fn may_be_told_in(&self, sentences: &[String]) -> bool {
        let told: Vec<bool> = sentences.iter().filter_map(|sentence| self.is_told_in(sentence)).collect();
        told.is_empty() || told.contains(&true)
    }

    /// Whether a sentence tells which one; `None` if it speaks of no such thing.
    fn is_told_in(&self, sentence: &str) -> Option<bool> {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let stems: Vec<String> = words.iter().map(|word| stem(bare(&fold_for_comparison(word)))).collect();
        let places: Vec<usize> = (0..stems.len())
            .filter(|at| stems.get(*at).is_some_and(|stem| self.things.contains(stem)))
            .collect();
        let is_told = || {
            sentence.contains(QUOTES)
                || words.windows(2).zip(stems.iter().skip(1)).any(|(pair, stem)| match pair {
                    [before, word] => !before.ends_with(SENTENCE_ENDS) && self.is_name(word, stem),
                    _ => false,
                })
                || places.iter().any(|at| self.is_told_from_others(&stems, &words, *at))
        };
        (!places.is_empty()).then(is_told)
    }

    /// Whether a word within a sentence begins with a capital and is a name that the question does not have.
    fn is_name(&self, word: &str, stem: &str) -> bool {
        let mut letters = bare(word).chars();
        let is_large = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some();
        let folded = fold_for_comparison(bare(word));
        is_large
            && folded.chars().all(char::is_alphabetic)
            && is_word(&folded)
            && !TIMES.contains(&folded.as_str())
            && !self.asked.contains(stem)
    }

    /// Whether a word before the thing, or behind it, tells which one is meant.
    fn is_told_from_others(&self, stems: &[String], words: &[&str], at: usize) -> bool {
        let tells = |stem: &String| {
            stem.chars().all(char::is_alphabetic)
                && is_word(stem)
                && !is_slight(stem)
                && !is_common_word(stem)
                && !self.asked.contains(stem)
        };
        let before = at.checked_sub(1).and_then(|before| stems.get(before));
        let ends = words.get(at).is_some_and(|word| word.ends_with([',', '.', ';', '!', '?']));
        let behind = stems.get(at + 1..).unwrap_or_default();
        let next = behind.first().filter(|_| !ends);
        let is_number = next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        let is_described = next.is_some_and(|next| BEHIND_NAMED.contains(&next.as_str()))
            && behind.iter().skip(1).take(BEHIND).any(tells);
        let begins = words.get(at).is_some_and(|word| word.starts_with(|c: char| !c.is_alphanumeric()));
        let ended = at.checked_sub(1).and_then(|before| words.get(before));
        let is_apart = begins || ended.is_some_and(|word| word.ends_with(|c: char| !c.is_alphanumeric()));
        (before.is_some_and(tells) && !is_apart) || is_number || is_described
    }
}

fn stem(word: &str) -> String {
    english_stem(word.trim_end_matches("'s")).into_owned()
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
