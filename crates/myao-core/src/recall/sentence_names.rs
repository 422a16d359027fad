//! What a Japanese sentence names: 「霧ヶ浦の監査はいつ？」 asks about 霧ヶ浦.

use crate::text::{LetterKind, letter_kind};

/// The most letters of a name in front of a sentence.
const MOST_LETTERS: usize = 8;
/// Particles behind what a sentence is about.
const PARTICLES: &str = "のはにでへが";
/// Characters of words that tell when, as in 来週の.
const TIMES: &str = "今来先次前後週日月年時毎";

/// Kanji and katakana at the beginning of a sentence, before a particle. Other writing shows no names.
pub(super) fn japanese_name(sentence: &str) -> Option<&str> {
    let said = sentence.trim_start();
    let is_letter = |c: char| letter_kind(c) == LetterKind::Kanji || matches!(c, 'ァ'..='ヺ' | 'ー' | '々');
    let behind = said.trim_start_matches(is_letter);
    let name = said.strip_suffix(behind)?;
    let is_name = (2..=MOST_LETTERS).contains(&name.chars().count())
        && behind.starts_with(|c| PARTICLES.contains(c))
        && !name.contains(|c| TIMES.contains(c));
    is_name.then_some(name)
}
