//! Functions on the characters, words and lengths of Japanese and English text.

use std::collections::BTreeSet;

use myao_core::prompt::estimate_tokens;
use unicode_normalization::UnicodeNormalization;

/// What kind of writing a character belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WritingSystem {
    Hiragana,
    Katakana,
    Han,
    /// Letters of every other script.
    Latin,
    Digit,
    Other,
}

/// The kind of `c`.
pub(super) fn class(c: char) -> WritingSystem {
    match c {
        '\u{3041}'..='\u{309f}' => WritingSystem::Hiragana,
        '\u{30a1}'..='\u{30fa}' | 'ー' | '\u{ff66}'..='\u{ff9f}' => WritingSystem::Katakana,
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' => {
            WritingSystem::Han
        }
        _ if c.is_numeric() => WritingSystem::Digit,
        _ if c.is_alphabetic() => WritingSystem::Latin,
        _ => WritingSystem::Other,
    }
}

/// Whether `c` is one of the three Japanese scripts.
pub(super) fn is_japanese_char(c: char) -> bool {
    matches!(class(c), WritingSystem::Hiragana | WritingSystem::Katakana | WritingSystem::Han)
}

/// Whether a text is Japanese, mixed with English words or not: as many Japanese characters as other words.
/// `None` when it has neither.
pub(super) fn is_japanese(text: &str) -> Option<bool> {
    let japanese = text.chars().filter(|c| is_japanese_char(*c)).count();
    let words = runs(text).into_iter().filter(|(kind, _)| *kind == WritingSystem::Latin).count();
    (japanese + words > 0).then_some(japanese >= words)
}

/// The folded form of a text, for comparison: compatibility forms resolved (NFKC), lower case.
pub(super) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect()
}

/// The first `most` characters.
pub(super) fn head(text: &str, most: usize) -> &str {
    match text.char_indices().nth(most) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}

/// The text on one line: control characters and runs of white space become single spaces, none at the ends.
pub(super) fn one_line(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    text.split(is_gap).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Runs of characters of one kind, in order; what is neither letter nor digit separates them.
pub(super) fn runs(text: &str) -> Vec<(WritingSystem, &str)> {
    let mut found = Vec::new();
    let mut open: Option<(WritingSystem, usize)> = None;
    for (at, c) in text.char_indices() {
        let kind = class(c);
        if open.is_some_and(|(running, _)| running == kind) {
            continue;
        }
        if let Some((running, from)) = open.take() {
            found.extend(text.get(from..at).map(|run| (running, run)));
        }
        open = (kind != WritingSystem::Other).then_some((kind, at));
    }
    if let Some((running, from)) = open {
        found.extend(text.get(from..).map(|run| (running, run)));
    }
    found
}

/// Letters of a Latin word that counts as a term; shorter ones are mostly grammar.
const TERM_LETTERS: usize = 4;

/// The words that two texts about the same matter are likely to share: Latin words of some length, runs of katakana
/// or of Chinese characters, numbers.
pub(super) fn terms(folded: &str) -> BTreeSet<&str> {
    let telling = |(kind, run): &(WritingSystem, &str)| match kind {
        WritingSystem::Latin => run.chars().count() >= TERM_LETTERS && !super::score::is_common_word(run),
        WritingSystem::Katakana | WritingSystem::Han | WritingSystem::Digit => run.chars().nth(1).is_some(),
        WritingSystem::Hiragana | WritingSystem::Other => false,
    };
    runs(folded).into_iter().filter(telling).map(|(_, run)| run).collect()
}

/// The letters and digits of a text, which stay the same however it is punctuated.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The pairs of neighbouring letters or digits, most of which near-duplicates share.
pub(super) fn pairs(folded: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> = folded.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.iter().copied().zip(letters.iter().copied().skip(1)).collect()
}

/// Characters of a token on average, at most: only so much of a text needs to be measured.
const CHARS_PER_TOKEN: usize = 12;
/// The mark of a text cut short.
const CUT: char = '…';

/// `text` if it has at most `most` tokens, else its beginning, cut at a word or clause if possible, with a `…`.
pub(super) fn clip(text: &str, most: usize) -> String {
    let start = head(text, most.saturating_add(1).saturating_mul(CHARS_PER_TOKEN));
    if start.len() == text.len() && estimate_tokens(text) <= most {
        return text.to_owned();
    }
    let ends: Vec<usize> = start.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let cut_at = |count: usize| {
        let end = count.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        start.get(..end).unwrap_or_default()
    };
    let fits = |count: &usize| estimate_tokens(&format!("{}{CUT}", cut_at(*count))) <= most;
    let (mut low, mut high) = (0, ends.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(&middle) { low = middle } else { high = middle - 1 }
    }
    let kept = back_to_boundary(cut_at(low));
    let bare = kept.trim_end_matches(|c: char| c.is_whitespace() || "、,。.…・:：;(（「『".contains(c));
    format!("{bare}{CUT}")
}

/// The text without the last word or clause, which is cut, unless that is more than a quarter of the text.
fn back_to_boundary(text: &str) -> &str {
    let is_boundary = |c: char| c.is_whitespace() || "、。，！？!?」』）)".contains(c);
    let keep = text.len() / 4 * 3;
    let boundary = text.char_indices().rev().find(|(_, c)| is_boundary(*c));
    match boundary {
        Some((at, c)) if at >= keep => text.get(..at + c.len_utf8()).unwrap_or(text),
        Some(_) | None => text,
    }
}
