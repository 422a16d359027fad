//! Reads numbers that are written in kanji.

/// The numbers from 1 to 10.
pub(super) const KANJI_NUMBERS: &str = "一二三四五六七八九十";

/// Up to 99: 三, 十, 十二, 二十, 三十五.
pub(super) fn kanji_number(text: &str) -> Option<i64> {
    let digit = |text: &str| {
        let mut chars = text.chars();
        let at = chars.next().and_then(|c| KANJI_NUMBERS.chars().position(|number| number == c))?;
        i64::try_from(at + 1).ok().filter(|_| chars.next().is_none())
    };
    let Some((tens, ones)) = text.split_once('十') else { return digit(text) };
    let tens = if tens.is_empty() { 1 } else { digit(tens)? };
    let ones = if ones.is_empty() { 0 } else { digit(ones)? };
    Some(tens * 10 + ones).filter(|_| tens < 10 && ones < 10)
}
