//! The characters and words of Japanese and English text.

use std::{borrow::Cow, collections::BTreeSet, sync::LazyLock};

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// What kind of writing a character belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritingSystem {
    /// Hiragana.
    Hiragana,
    /// Katakana, full or half width.
    Katakana,
    /// Chinese characters.
    Han,
    /// Letters of every other script.
    Latin,
    /// Digits and other numerals.
    Digit,
    /// Neither a letter nor a digit.
    Other,
}

/// What kind of writing `c` belongs to.
pub fn writing_system(c: char) -> WritingSystem {
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

/// Whether `c` belongs to one of the three Japanese scripts.
pub fn is_japanese_char(c: char) -> bool {
    matches!(writing_system(c), WritingSystem::Hiragana | WritingSystem::Katakana | WritingSystem::Han)
}

/// Whether a text is Japanese, mixed with English words or not: it has at least as many Japanese characters as words of
/// other scripts. `None` if it has neither.
pub fn is_japanese(text: &str) -> Option<bool> {
    let japanese = text.chars().filter(|c| is_japanese_char(*c)).count();
    let words = runs_of_one_kind(text).into_iter().filter(|(kind, _)| *kind == WritingSystem::Latin).count();
    (japanese + words > 0).then_some(japanese >= words)
}

/// The folded form of a text, for comparison: compatibility forms resolved (NFKC), lower case.
pub fn fold_for_comparison(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in without_compatibility_forms(text).chars() {
        match c {
            '’' => folded.push('\''),
            c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            c if stands_for_itself(c) => folded.push(c),
            c => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

/// Whether a character is one of those that nearly all Japanese and English talk consists of: no compatibility form, no mark
/// that joins what stands before it, and, unless it is ASCII, the same in lower case.
fn stands_for_itself(c: char) -> bool {
    matches!(c,
        '\0'..='\x7f'
        | '\u{2018}'..='\u{201d}'
        | '\u{3001}'..='\u{3011}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | 'ー'
        | '\u{4e00}'..='\u{9fff}')
}

/// What one of the usual compatibility forms stands for: ASCII in full width, a wide space, an ellipsis. What these stand for
/// joins with nothing that [`stands_for_itself`].
fn usual_form(c: char) -> Option<&'static str> {
    const FULL_WIDTH: &str =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    match c {
        '\u{3000}' => Some(" "),
        '…' => Some("..."),
        '\u{ff01}'..='\u{ff5e}' => {
            let at = usize::try_from(u32::from(c) - 0xff01).ok()?;
            FULL_WIDTH.get(at..=at)
        }
        _ => None,
    }
}

/// The stem of an English word, which is folded: "posted" and "posts" have the stem "post".
pub fn english_stem(folded: &str) -> Cow<'_, str> {
    ENGLISH.stem(folded)
}

/// A text with its compatibility forms resolved (NFKC). Most texts have none, which is seen much faster than they are
/// resolved. Those of the usual ones are resolved one by one.
pub(crate) fn without_compatibility_forms(text: &str) -> Cow<'_, str> {
    if text.chars().all(stands_for_itself) {
        return Cow::Borrowed(text);
    }
    if text.chars().all(|c| stands_for_itself(c) || usual_form(c).is_some()) {
        let mut resolved = String::with_capacity(text.len());
        for c in text.chars() {
            match usual_form(c) {
                Some(form) => resolved.push_str(form),
                None => resolved.push(c),
            }
        }
        return Cow::Owned(resolved);
    }
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfkc().collect()),
    }
}

/// The first `most` characters.
pub fn head_of_text(text: &str, most: usize) -> &str {
    match text.char_indices().nth(most) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}

/// The text on one line: each run of white space and control characters becomes one space, or nothing at the ends.
pub fn one_line(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    text.split(is_gap).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Runs of characters of one kind, in order; what is neither letter nor digit separates them.
pub fn runs_of_one_kind(text: &str) -> Vec<(WritingSystem, &str)> {
    let mut found = Vec::new();
    let mut open: Option<(WritingSystem, usize)> = None;
    for (at, c) in text.char_indices() {
        let kind = writing_system(c);
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

/// The letters and digits of a text, without spaces and punctuation.
pub fn letters_and_digits(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The pairs of neighbouring letters or digits of a text. Texts that are nearly the same share most of them.
pub fn letter_pairs(folded: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> = folded.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.iter().copied().zip(letters.iter().copied().skip(1)).collect()
}
