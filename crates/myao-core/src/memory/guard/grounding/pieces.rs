//! Cuts a text into words, numbers and marks, in one form whatever way they were typed.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::{LetterKind, is_invisible, letter_kind};

/// What has to follow a kanji numeral so that it is a number: 三人, 十六日. Elsewhere it is part of a word or a name.
pub(super) const COUNTERS: &str = "月日時年人分秒週個件回点名歳万億円つヶ階台枚冊本号票割";
const KANJI_DIGITS: &str = "〇一二三四五六七八九";

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenPiece<'t> {
    /// Letters of a script with spaces, including the apostrophes between them.
    Word(&'t str),
    /// Digits from 0 to 9.
    Digits(&'t str),
    /// Kanji.
    Kanji(&'t str),
    /// Katakana.
    Katakana(&'t str),
    /// Hiragana, and other letters of scripts without spaces.
    Hiragana(&'t str),
    /// Any other character. Every blank but a line break is a space.
    Mark(char),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Word,
    Digits,
    Kanji,
    Katakana,
    Hiragana,
    Mark,
}

fn kind_of(c: char) -> PieceKind {
    match (c, letter_kind(c)) {
        ('0'..='9', _) => PieceKind::Digits,
        (_, LetterKind::Kanji) => PieceKind::Kanji,
        ('\u{30a0}'..='\u{30ff}', LetterKind::Unspaced) => PieceKind::Katakana,
        (_, LetterKind::Unspaced) => PieceKind::Hiragana,
        (_, LetterKind::Spaced) => PieceKind::Word,
        (_, LetterKind::Emoji | LetterKind::Between) => PieceKind::Mark,
    }
}

/// The text with full-width letters and digits as plain ones, kanji numerals as digits where they count something, one
/// form of apostrophe, and no spaces around the signs of Japanese dates.
pub(super) fn plain_form(text: &str) -> String {
    let chars: Vec<char> = text
        .nfkc()
        .filter(|c| !is_invisible(*c))
        .map(|c| match c {
            '’' | '‘' | 'ʼ' => '\'',
            '\n' => '\n',
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect();
    let mut out = String::with_capacity(text.len());
    let mut rest = chars.as_slice();
    while let [first, behind @ ..] = rest {
        let numeral = rest.iter().take_while(|c| is_numeral(**c)).count();
        if numeral > 0 {
            let (said, after) = rest.split_at(numeral);
            let counts = after.first().is_some_and(|c| COUNTERS.contains(*c));
            // The 千 of 5千万 is no number of its own.
            let is_own = !out.ends_with(|c: char| c.is_ascii_digit());
            match value_of(said).filter(|_| counts && is_own) {
                Some(value) => out.push_str(&value.to_string()),
                None => out.extend(said),
            }
            rest = after;
            continue;
        }
        let before = out.chars().next_back();
        let next = behind.first().copied();
        let around =
            |a: &str, b: &str| before.is_some_and(|c| a.contains(c)) && next.is_some_and(|c| b.contains(c));
        let is_loose = around("0123456789", "年月日時分") || around("年月", "0123456789");
        if *first != ' ' || !is_loose {
            out.push(*first);
        }
        rest = behind;
    }
    out
}

fn is_numeral(c: char) -> bool {
    KANJI_DIGITS.contains(c) || "十百千".contains(c)
}

/// The value of a kanji numeral, of which at most eight characters are read: 二十五, 百, 二〇二六.
fn value_of(numeral: &[char]) -> Option<u32> {
    let digit = |c: &char| KANJI_DIGITS.chars().position(|d| d == *c).and_then(|d| u32::try_from(d).ok());
    if numeral.iter().all(|c| digit(c).is_some()) {
        let digits = numeral.iter().filter_map(digit).take(8);
        return Some(digits.fold(0, |value, digit| value * 10 + digit));
    }
    let mut sum = 0_u32;
    let mut open = None;
    for c in numeral.iter().take(8) {
        let place = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            c => {
                open = digit(c);
                continue;
            }
        };
        sum = sum.checked_add(open.take().unwrap_or(1) * place)?;
    }
    sum.checked_add(open.unwrap_or(0))
}

/// The pieces of a text that is [`plain_form`].
pub(super) fn pieces_of_text(plain: &str) -> Vec<WrittenPiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = plain;
    while let Some(first) = rest.chars().next() {
        let kind = kind_of(first);
        let length = if kind == PieceKind::Mark { first.len_utf8() } else { length_of(rest, kind) };
        let (text, behind) = rest.split_at(length);
        pieces.push(match kind {
            PieceKind::Word => WrittenPiece::Word(text),
            PieceKind::Digits => WrittenPiece::Digits(text),
            PieceKind::Kanji => WrittenPiece::Kanji(text),
            PieceKind::Katakana => WrittenPiece::Katakana(text),
            PieceKind::Hiragana => WrittenPiece::Hiragana(text),
            PieceKind::Mark => WrittenPiece::Mark(first),
        });
        rest = behind;
    }
    pieces
}

/// The length in bytes of the run of this kind at the beginning of `text`.
fn length_of(text: &str, kind: PieceKind) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| kind_of(*next));
        let joins = c == '\'' && kind == PieceKind::Word && next == Some(PieceKind::Word);
        if kind_of(c) != kind && !joins {
            return at;
        }
    }
    text.len()
}
