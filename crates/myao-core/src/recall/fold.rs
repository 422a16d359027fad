//! Folds letters to the form in which they are compared: full and half width, upper and lower case, katakana and
//! hiragana are the same.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::text::is_invisible;

/// The code point of a katakana letter is this much larger than that of the same letter in hiragana.
const KANA_DISTANCE: u32 = 0x60;
/// So many letters on both sides tell whether a text is written in capitals.
const NEAR: usize = 40;

/// A text in the form in which it is compared. Each of its characters has the place in the original that it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldedText {
    chars: Vec<char>,
    /// Where each character comes from.
    origins: Vec<CharOrigin>,
}

/// What a folded character was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CharOrigin {
    /// Where it begins, in bytes.
    start: usize,
    /// Where it ends.
    end: usize,
    is_upper: bool,
    is_hiragana: bool,
}

impl FoldedText {
    /// Folds a text: compatibility forms (NFKC), case and kana. Invisible characters are left out.
    pub fn new(text: &str) -> Self {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Self::of_plain_letters(text);
        }
        let length = text.chars().count();
        let mut folded = Self { chars: Vec::with_capacity(length), origins: Vec::with_capacity(length) };
        let is_seen = |(_, c): &(usize, char)| is_settled(*c) || !is_invisible(*c);
        let mut letters = text.char_indices().filter(is_seen).peekable();
        let mut cluster = String::new();
        while let Some((start, first)) = letters.next() {
            let mut next = letters.peek().copied();
            if is_settled(first) && !next.is_some_and(|(_, c)| belongs_to_the_one_before(c)) {
                folded.add_normal(first, start, next.map_or(text.len(), |(at, _)| at));
                continue;
            }
            cluster.clear();
            cluster.push(first);
            while let Some((_, c)) = next.filter(|(_, c)| belongs_to_the_one_before(*c)) {
                cluster.push(c);
                letters.next();
                next = letters.peek().copied();
            }
            folded.add(&cluster, start, next.map_or(text.len(), |(at, _)| at));
        }
        folded
    }

    /// Folds a text of ASCII letters, digits, marks and blanks: only case is folded, and each character is a byte.
    fn of_plain_letters(text: &str) -> Self {
        let origin = |(start, byte): (usize, u8)| CharOrigin {
            start,
            end: start + 1,
            is_upper: byte.is_ascii_uppercase(),
            is_hiragana: false,
        };
        Self {
            chars: text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())).collect(),
            origins: text.bytes().enumerate().map(origin).collect(),
        }
    }

    /// Adds the characters that stand from `start` to before `end` in the original.
    fn add(&mut self, cluster: &str, start: usize, end: usize) {
        let mut chars = cluster.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if is_settled(c) => self.add_normal(c, start, end),
            _ => cluster.nfkc().for_each(|c| self.add_normal(c, start, end)),
        }
    }

    /// Adds a character of a normalised text.
    fn add_normal(&mut self, original: char, start: usize, end: usize) {
        let is_hiragana = matches!(original, '\u{3041}'..='\u{309f}');
        if is_settled(original) {
            self.chars.push(in_hiragana(original.to_ascii_lowercase()));
            return self.origins.push(CharOrigin {
                start,
                end,
                is_upper: original.is_ascii_uppercase(),
                is_hiragana,
            });
        }
        let origin = CharOrigin { start, end, is_upper: original.is_uppercase(), is_hiragana };
        for c in original.to_lowercase().map(in_hiragana) {
            self.chars.push(c);
            self.origins.push(origin);
        }
    }

    /// Whether the character at `at` was an upper-case letter.
    pub(super) fn is_upper(&self, at: usize) -> bool {
        self.origins.get(at).is_some_and(|origin| origin.is_upper)
    }

    /// Whether these characters were upper-case letters, and others near them were not.
    pub(super) fn is_name_in_capitals(&self, start: usize, end: usize) -> bool {
        let is_lower =
            |at: usize| self.chars.get(at).is_some_and(char::is_ascii_lowercase) && !self.is_upper(at);
        let near = start.saturating_sub(NEAR)..end.saturating_add(NEAR).min(self.chars.len());
        (start..end).all(|at| self.is_upper(at)) && near.into_iter().any(is_lower)
    }

    /// Whether the character at `at` was hiragana, and not katakana.
    pub(super) fn is_hiragana(&self, at: usize) -> bool {
        self.origins.get(at).is_some_and(|origin| origin.is_hiragana)
    }

    /// The characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Where the characters from `start` to before `end` stand in the original, in bytes.
    pub fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let begin = self.origins.get(start).map_or(0, |origin| origin.start);
        let last = end.checked_sub(1).and_then(|last| self.origins.get(last));
        (begin, last.map_or(begin, |origin| origin.end))
    }
}

/// Whether a character is one of those that most talk consists of. These are visible, no marks, and unchanged by
/// normalisation where no mark follows. Since this is known without looking them up, they are folded ten times as fast.
fn is_settled(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{3001}'..='\u{3002}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | 'ー'
        | '\u{4e00}'..='\u{9fff}')
}

/// Whether a character is a mark that changes the letter before it. The sound marks of half-width katakana become marks
/// when they are normalised.
fn belongs_to_the_one_before(c: char) -> bool {
    !is_settled(c) && (is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}'))
}

fn in_hiragana(c: char) -> char {
    match c {
        '\u{30a1}'..='\u{30f6}' => char::from_u32(u32::from(c) - KANA_DISTANCE).unwrap_or(c),
        c => c,
    }
}
