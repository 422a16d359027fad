//! Numbers, and how they are written: with separators, units and multipliers, as digits and as words.

use super::pieces::{
    COUNTERS,
    WrittenPiece::{self, Digits, Hiragana, Kanji, Katakana, Mark, Word},
};

/// Values are whole numbers of thousandths, so that equal values are equal: 1.5 is 1500, and 1,500 is 1,500,000.
const THOUSANDTHS: u64 = 1000;
/// A summary may count up to this itself: "two people", "three options".
const MOST_COUNTED: u64 = 12;

const MULTIPLIERS: [(&str, u64); 5] =
    [("k", 1_000), ("K", 1_000), ("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000)];
/// Those that stand right behind digits, and before one another, as in 3千万.
const JAPANESE_MULTIPLIERS: [(char, u64); 5] =
    [('百', 100), ('千', 1_000), ('万', 10_000), ('億', 100_000_000), ('兆', 1_000_000_000_000)];
/// What a number is measured in. A number with such a unit is nothing that a summary counts itself.
const MEASURES: [&str; 38] = [
    "GB",
    "MB",
    "KB",
    "TB",
    "GHz",
    "MHz",
    "Hz",
    "kg",
    "g",
    "km",
    "cm",
    "mm",
    "m",
    "ms",
    "s",
    "h",
    "px",
    "fps",
    "bps",
    "usd",
    "eur",
    "dollars",
    "euros",
    "bucks",
    "yen",
    "percent",
    "degrees",
    "円",
    "歳",
    "階",
    "ドル",
    "ユーロ",
    "パーセント",
    "キロ",
    "メートル",
    "ギガ",
    "メガ",
    "票",
];
const MONEY: &str = "$€£¥";
const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    /// As it is written, without separators of thousands and without a unit.
    pub(super) written: String,
    /// Its value in thousandths, its multiplier included; `None` if it has two points or too many digits.
    pub(super) value: Option<u64>,
    /// Whether it is a place in an order: 16th.
    pub(super) is_ordinal: bool,
    /// Whether a unit stands beside it.
    is_measure: bool,
}

impl Number {
    /// The number that `rest` begins with, and how many pieces it takes. What is written in several steps, each smaller
    /// than the one before, is one number: 12万5,000, 1億2千万.
    pub(super) fn read(rest: &[WrittenPiece<'_>]) -> Option<(Self, usize)> {
        let mut step = NumberStep::read(rest)?;
        let mut pieces = step.pieces;
        while let Some(times) = step.goes_on_below
            && let Some(next) = rest.get(pieces..).and_then(NumberStep::read)
            && let Some((value, added)) = step.number.value.zip(next.number.value)
            && added < times.saturating_mul(THOUSANDTHS)
            && !rest.get(pieces + next.pieces).is_some_and(counts_time)
        {
            pieces += next.pieces;
            step = NumberStep { number: Self { value: value.checked_add(added), ..next.number }, ..next };
        }
        Some((step.number, pieces))
    }

    /// The same number as a sum of money.
    pub(super) fn in_money(self) -> Self {
        Self { is_measure: true, ..self }
    }

    /// Whether a summary may have counted it itself.
    pub(super) fn may_be_counted(&self) -> bool {
        !self.is_measure
            && self.value.is_some_and(|v| v % THOUSANDTHS == 0 && v <= MOST_COUNTED * THOUSANDTHS)
    }

    /// Its value if it is a whole number.
    pub(super) fn whole(&self) -> Option<u64> {
        self.value.filter(|value| value % THOUSANDTHS == 0).map(|value| value / THOUSANDTHS)
    }

    /// Whether it is `other` as a round figure: 100 or more, one or two digits and then zeros, and at most a tenth of
    /// itself away from `other`, which is in thousandths.
    pub(super) fn rounds(&self, other: u64) -> bool {
        let Some(value) = self.value else { return false };
        let digits = value.to_string();
        let told = digits.trim_end_matches('0').len();
        value >= 100 * THOUSANDTHS && told <= 2 && value.abs_diff(other).saturating_mul(10) <= value
    }
}

/// A part of a number: digits and their multiplier.
struct NumberStep {
    number: Number,
    pieces: usize,
    /// Its multiplier, if a smaller part of the same number may stand behind it.
    goes_on_below: Option<u64>,
}

impl NumberStep {
    /// The one that `rest` begins with.
    fn read(rest: &[WrittenPiece<'_>]) -> Option<Self> {
        let [Digits(first), ..] = rest else { return None };
        let mut written = (*first).to_owned();
        let mut pieces = 1;
        while let Some([Mark(','), Digits(more)]) = rest.get(pieces..pieces + 2)
            && more.len() == 3
            && written.len() <= 15
        {
            written.push_str(more);
            pieces += 2;
        }
        while let Some([Mark('.'), Digits(more)]) = rest.get(pieces..pieces + 2) {
            written.push('.');
            written.push_str(more);
            pieces += 2;
        }
        let (space, unit) = match (rest.get(pieces), rest.get(pieces + 1)) {
            (Some(Mark(' ')), unit) => (1, unit),
            (unit, _) => (0, unit),
        };
        let mut times = 1;
        let mut goes_on_below = None;
        let mut is_measure = false;
        let mut is_place = false;
        if let Some(Word(unit) | Kanji(unit) | Katakana(unit)) = unit {
            // Behind a space 千 mostly begins a name: 10 千葉.
            let japanese = japanese_multiplier_of(unit);
            let is_multiplied = space == 0 || japanese.0.is_some_and(|factor| factor >= 10_000);
            let (factor, unit) = if is_multiplied { japanese } else { (None, *unit) };
            let other = || MULTIPLIERS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
            // Latin units are words of their own; Japanese ones may have more behind them.
            let is = |name: &str| unit == name || (!name.is_ascii() && unit.starts_with(name));
            is_measure = MEASURES.iter().any(|name| is(name));
            let is_joined = space == 0 && matches!(rest.get(pieces), Some(Word(_)));
            is_place = is_joined && is_ordinal(unit);
            if let Some(factor) = factor.or_else(other) {
                times = factor;
                pieces += space + 1;
                goes_on_below = Some(factor).filter(|_| space == 0 && unit.is_empty());
            } else if (is_joined && is_measure) || is_place || is_plural(unit, space) {
                pieces += 1;
            }
        }
        is_measure |= matches!(unit, Some(Mark('%')));
        let value = in_thousandths(&written, times);
        let number = Number { written, value, is_ordinal: is_place, is_measure };
        Some(Self { number, pieces, goes_on_below })
    }
}

/// The Japanese multiplier that a unit begins with, and the rest of the unit.
fn japanese_multiplier_of(unit: &str) -> (Option<u64>, &str) {
    // 百 begins other words as well: 3百貨店.
    let is_meant =
        |times: u64, behind: &str| times > 100 || behind.is_empty() || behind.starts_with(is_behind_hundred);
    let mut factor = None;
    let mut rest = unit;
    while let Some((times, behind)) = JAPANESE_MULTIPLIERS
        .iter()
        .find_map(|(sign, times)| Some((*times, rest.strip_prefix(*sign)?)))
        .filter(|(times, behind)| is_meant(*times, behind))
    {
        factor = Some(factor.unwrap_or(1_u64).saturating_mul(times));
        rest = behind;
    }
    (factor, rest)
}

/// What may stand behind 百 where it multiplies: a larger multiplier, or what is counted.
fn is_behind_hundred(c: char) -> bool {
    c == '兆' || COUNTERS.contains(c)
}

/// Whether digits before this piece are a part of a date or a time.
fn counts_time(piece: &WrittenPiece<'_>) -> bool {
    matches!(piece, Kanji(unit) if unit.starts_with(['年', '月', '日', '時', '分', '秒']))
}

/// The `s` of `1980s` and `10s`.
fn is_plural(unit: &str, space: usize) -> bool {
    space == 0 && unit == "s"
}

fn in_thousandths(written: &str, times: u64) -> Option<u64> {
    let (whole, part) = written.split_once('.').unwrap_or((written, ""));
    if part.contains('.') {
        return None;
    }
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    let value = whole.parse::<u64>().ok()?.checked_mul(THOUSANDTHS)?.checked_add(part.parse().ok()?)?;
    value.checked_mul(times)
}

/// The values, in thousandths, of the numbers that a text writes as words: twenty-five, a dozen, half, 半分.
pub(super) fn in_words(pieces: &[WrittenPiece<'_>]) -> Vec<u64> {
    let mut values = Vec::new();
    let mut open: Option<u64> = None;
    for piece in pieces {
        let word = match piece {
            Word(word) => word.to_lowercase(),
            Mark(' ' | '-') => continue,
            Kanji(kanji) if kanji.contains('半') => {
                values.extend([THOUSANDTHS / 2, 30 * THOUSANDTHS, 50 * THOUSANDTHS]);
                continue;
            }
            Mark(_) | Digits(_) | Kanji(_) | Katakana(_) | Hiragana(_) => {
                open = None;
                continue;
            }
        };
        let at = |list: &[&str]| list.iter().position(|w| **w == word).and_then(|at| u64::try_from(at).ok());
        open = match (at(&ONES), at(&TENS), word.as_str()) {
            (Some(one), _, _) => Some(open.filter(|o| o % 10 == 0 && *o > 0).map_or(one, |tens| tens + one)),
            (_, Some(ten), _) => Some((ten + 2) * 10),
            (_, _, "hundred") => Some(open.unwrap_or(1).saturating_mul(100)),
            (_, _, "thousand") => Some(open.unwrap_or(1).saturating_mul(1000)),
            (_, _, "dozen") => Some(open.unwrap_or(1).saturating_mul(12)),
            (_, _, "half") => {
                values.extend([THOUSANDTHS / 2, 30 * THOUSANDTHS, 50 * THOUSANDTHS]);
                None
            }
            (_, _, "quarter") => {
                values.extend([THOUSANDTHS / 4, 15 * THOUSANDTHS, 45 * THOUSANDTHS, 25 * THOUSANDTHS]);
                None
            }
            _ => None,
        };
        values.extend(open.map(|value| value.saturating_mul(THOUSANDTHS)));
    }
    values
}

/// Whether the sign of a currency stands before a number, so that it is a sum of money.
pub(super) fn is_money(before: Option<&WrittenPiece<'_>>) -> bool {
    matches!(before, Some(Mark(c)) if MONEY.contains(*c))
}

pub(super) fn is_ordinal(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "st" | "nd" | "rd" | "th")
}
