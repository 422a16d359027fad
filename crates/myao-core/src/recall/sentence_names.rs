//! What a Japanese sentence names: 「霧ヶ浦の監査はいつ？」 asks about 霧ヶ浦.

use crate::text::{LetterKind, Lexicon, letter_kind};

/// Words that tell when, and others that name nothing: in front of a name they are no part of it.
static NO_NAMES: Lexicon = Lexicon::japanese("another.no_names");
/// Words that tell a thing from no other, such as 全体.
static NO_SUBJECTS: Lexicon = Lexicon::japanese("aspects.no_subjects");

/// The most letters of a name in front of a sentence.
const MOST_LETTERS: usize = 8;
/// Particles behind what a sentence is about.
const PARTICLES: &str = "のはにでへが";
/// Characters of words that tell when, as in 月末の: a name may hold them (霜月台), but is no such word.
const TIMES: &str = "今来先次前後週日月年時毎";
/// A word of so many letters is one of these if it begins with such a character, a longer one if it ends with one.
const SHORT: usize = 2;

/// Kanji and katakana at the beginning of a sentence, before a particle. Other writing shows no names.
pub(super) fn japanese_name(sentence: &str) -> Option<&str> {
    let said = sentence.trim_start();
    let is_letter = |c: char| letter_kind(c) == LetterKind::Kanji || matches!(c, 'ァ'..='ヺ' | 'ー' | '々');
    let behind = said.trim_start_matches(is_letter);
    let name = without_time(said.strip_suffix(behind)?);
    let letters = name.chars().count();
    let is_name = (2..=MOST_LETTERS).contains(&letters)
        && behind.starts_with(|c| PARTICLES.contains(c))
        && !tells_when(name)
        && !NO_SUBJECTS.words().any(|word| word == name);
    is_name.then_some(name)
}

/// Whether a word tells when, and names nothing: 月末, 3月.
pub(super) fn tells_when(name: &str) -> bool {
    let is_short = name.chars().count() <= SHORT;
    name.ends_with(|c| TIMES.contains(c)) || (is_short && name.starts_with(|c| TIMES.contains(c)))
}

/// A name without the words in front that tell when: 来春蓬生町チーム is 蓬生町チーム.
fn without_time(name: &str) -> &str {
    let is_word = |word: &&str| word.chars().nth(1).is_some();
    let times = NO_NAMES.words().filter(is_word).find_map(|word| name.strip_prefix(word));
    times.filter(|rest| !rest.is_empty()).unwrap_or(name)
}
