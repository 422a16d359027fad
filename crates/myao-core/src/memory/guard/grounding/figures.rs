//! Finds dates, times and numbers in a text, in the ways in which English and Japanese write them.

use super::{
    number::{Number, is_money, is_ordinal},
    pieces::WrittenPiece::{self, Digits, Kanji, Mark, Word},
};
use crate::text::{is_day, month_of};

/// What follows 日 where it counts days rather than naming the day of a month: 三日間, 二日後, 五日前.
const NO_DAY_BEFORE: &str = "間目前後以内分ご数当本記付程";
/// No month has more days than this.
const MOST_DAYS: i8 = 31;

/// A date, a time or a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Figure {
    /// A day: 2026-03-16, 3/16, 3月16日, March 16th.
    Day { year: Option<i16>, month: i8, day: i8 },
    /// A month: 2026-03, 3月, March 2026.
    Month { year: Option<i16>, month: i8 },
    /// A day of a month that is not named: 16日.
    DayOfMonth(i8),
    /// A time, from 0:00 to 24:59; which half of the day is meant is not always said.
    Time { hour: i8, minute: i8 },
    /// Any other number.
    Number(Number),
}

/// What was read at the beginning of some pieces.
pub(super) struct Found {
    pub(super) figures: Vec<Figure>,
    /// How many pieces it takes up.
    pub(super) pieces: usize,
}

impl Found {
    fn one(figure: Figure, pieces: usize) -> Self {
        Self { figures: vec![figure], pieces }
    }
}

/// All figures of a text, in order.
pub(super) fn figures_of_text(pieces: &[WrittenPiece<'_>]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut rest = pieces;
    let mut before = None;
    while let [first, behind @ ..] = rest {
        let found = numeric_date(rest)
            .or_else(|| day_first(rest))
            .or_else(|| month_first(rest))
            .or_else(|| read_time(rest))
            .or_else(|| read_number(before, rest));
        if let Some(found) = found {
            let (taken, left) = rest.split_at_checked(found.pieces).unwrap_or((rest, &[]));
            before = taken.last();
            rest = left;
            figures.extend(found.figures);
        } else {
            before = Some(first);
            rest = behind;
        }
    }
    figures
}

fn small_number(digits: &str) -> Option<i8> {
    digits.parse().ok().filter(|_| digits.len() <= 2)
}

fn year_number(digits: &str) -> Option<i16> {
    digits.parse().ok().filter(|year| digits.len() == 4 && (1900..=2199).contains(year))
}

fn found_day(year: Option<i16>, month: &str, day: &str, pieces: usize) -> Option<Found> {
    let month = small_number(month)?;
    let day = small_number(day)?;
    is_day(month, day).then(|| Found::one(Figure::Day { year, month, day }, pieces))
}

fn found_month(year: Option<i16>, month: &str, pieces: usize) -> Option<Found> {
    let month = small_number(month).filter(|month| (1..=12).contains(month))?;
    Some(Found::one(Figure::Month { year, month }, pieces))
}

/// Dates written in digits.
fn numeric_date(rest: &[WrittenPiece<'_>]) -> Option<Found> {
    match rest {
        [Digits(y), Mark(mark @ ('-' | '/' | '.')), Digits(m), Mark(other), Digits(d), ..]
            if y.len() == 4 && mark == other =>
        {
            found_day(Some(year_number(y)?), m, d, 5)
        }
        [Digits(y), Kanji("年"), Digits(m), Kanji("月"), Digits(d), Kanji(k), ..] if k.starts_with('日') => {
            found_day(Some(year_number(y)?), m, d, 6)
        }
        [Digits(y), Kanji("年"), Digits(m), Kanji(k), ..] if k.starts_with('月') => {
            found_month(year_number(y), m, 4)
        }
        [Digits(m), Kanji("月"), Digits(d), Kanji(k), ..] if k.starts_with('日') => {
            found_day(None, m, d, 4)
        }
        [Digits(m), Kanji(k), ..] if k.starts_with('月') => found_month(None, m, 2),
        [Digits(a), Mark('/'), Digits(b), Mark('/'), Digits(y), ..] if y.len() == 4 => {
            found_day(year_number(y), a, b, 5).or_else(|| found_day(year_number(y), b, a, 5))
        }
        [Digits(_), Mark('/'), Digits(_), Mark('/'), Digits(_), ..] => None,
        // 24/7 and 50/50 are no dates.
        [Digits("24"), Mark('/'), Digits("7"), ..] | [Digits("50"), Mark('/'), Digits("50"), ..] => {
            Some(Found { figures: Vec::new(), pieces: 3 })
        }
        [Digits(a), Mark('/'), Digits(b), ..] => {
            found_day(None, a, b, 3).or_else(|| found_day(None, b, a, 3))
        }
        [Digits(y), Mark('-'), Digits(m), ..] if m.len() == 2 => found_month(Some(year_number(y)?), m, 3),
        [Digits(d), Kanji(k), ..] => {
            let behind = k.strip_prefix('日')?;
            let is_span = behind.starts_with(|c| NO_DAY_BEFORE.contains(c));
            let day = small_number(d).filter(|day| (1..=MOST_DAYS).contains(day) && !is_span)?;
            Some(Found::one(Figure::DayOfMonth(day), 2))
        }
        _ => None,
    }
}

/// Pieces that are read one after the other.
pub(super) struct Reader<'a, 't> {
    rest: &'a [WrittenPiece<'t>],
    pub(super) taken: usize,
}

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn new(rest: &'a [WrittenPiece<'t>]) -> Self {
        Self { rest, taken: 0 }
    }

    /// The next piece if `read` makes something of it.
    pub(super) fn next<T>(&mut self, read: impl FnOnce(&WrittenPiece<'t>) -> Option<T>) -> Option<T> {
        let (first, behind) = self.rest.split_first()?;
        let found = read(first)?;
        self.rest = behind;
        self.taken += 1;
        Some(found)
    }

    pub(super) fn skip(&mut self, marks: &str) {
        while self.next(|p| matches!(p, Mark(c) if marks.contains(*c)).then_some(())).is_some() {}
    }

    pub(super) fn word(&mut self, is: impl FnOnce(&str) -> bool) -> Option<&'t str> {
        self.next(|p| if let Word(word) = p { is(word).then_some(*word) } else { None })
    }

    fn digits(&mut self) -> Option<&'t str> {
        self.next(|p| if let Digits(digits) = p { Some(*digits) } else { None })
    }

    /// A day of a month, with its ending: `16`, `16th`.
    fn day(&mut self) -> Option<i8> {
        let rest = self.rest;
        let taken = self.taken;
        let day = self.digits().and_then(small_number).filter(|day| (1..=MOST_DAYS).contains(day));
        if day.is_none() {
            (self.rest, self.taken) = (rest, taken);
        } else {
            self.word(is_ordinal);
        }
        day
    }

    /// What `read` makes of the next pieces; if it makes nothing, none is taken.
    fn all<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let rest = self.rest;
        let taken = self.taken;
        let found = read(self);
        if found.is_none() {
            (self.rest, self.taken) = (rest, taken);
        }
        found
    }

    /// A year behind a date: `, 2026` or ` 2026`.
    fn year(&mut self) -> Option<i16> {
        self.all(|reader| {
            reader.skip(", ");
            year_number(reader.digits()?)
        })
    }

    /// The second day of a range: `–20`, ` to 20th`.
    fn range_end(&mut self) -> Option<i8> {
        self.all(|reader| {
            reader.skip(" ");
            reader
                .next(|p| matches!(p, Mark('-' | '–' | '—' | '~' | '〜' | '&')).then_some(()))
                .or_else(|| reader.word(|word| matches!(word, "to" | "and" | "or")).map(drop))?;
            reader.skip(" ");
            reader.day()
        })
    }
}

/// `March 16, 2026`, `Mar. 16th`, `March 16–20`, `March 2026`, `March`.
fn month_first(rest: &[WrittenPiece<'_>]) -> Option<Found> {
    let mut reader = Reader::new(rest);
    let name = reader.next(|p| if let Word(word) = p { Some(*word) } else { None })?;
    let month = month_of(name)?;
    let alone = reader.taken;
    reader.skip(". ");
    reader.all(|reader| {
        reader.word(|word| word == "the")?;
        reader.next(|p| (*p == Mark(' ')).then_some(()))
    });
    let Some(day) = reader.day() else {
        // Without a day or a year, `march`, `sept` and words of three letters (`may`) may mean something else.
        let year = reader.year();
        let is_name = name.len() > 3 && !matches!(name.to_lowercase().as_str(), "march" | "sept");
        if year.is_none() && !is_name {
            return None;
        }
        let taken = if year.is_some() { reader.taken } else { alone };
        return Some(Found::one(Figure::Month { year, month }, taken));
    };
    let end = reader.range_end();
    let year = reader.year();
    let days = [Some(day), end].into_iter().flatten().filter(|day| is_day(month, *day));
    let figures = days.map(|day| Figure::Day { year, month, day }).collect();
    Some(Found { figures, pieces: reader.taken })
}

/// `16 March 2026`, `the 16th of March`, `16–20 March`.
fn day_first(rest: &[WrittenPiece<'_>]) -> Option<Found> {
    let mut reader = Reader::new(rest);
    let day = reader.day()?;
    let end = reader.range_end();
    reader.skip(" ");
    reader.all(|reader| {
        reader.word(|word| word == "of")?;
        reader.next(|p| (*p == Mark(' ')).then_some(()))
    });
    let name = reader.next(|p| if let Word(word) = p { Some(*word) } else { None })?;
    let month = month_of(name)?;
    if name == "may" || name == "march" {
        return None;
    }
    let year = reader.year();
    let days = [Some(day), end].into_iter().flatten().filter(|day| is_day(month, *day));
    let figures = days.map(|day| Figure::Day { year, month, day }).collect();
    Some(Found { figures, pieces: reader.taken })
}

/// `15:00`, `3pm`, `3 p.m.`, 15時30分, 3時半.
fn read_time(rest: &[WrittenPiece<'_>]) -> Option<Found> {
    let found = |hour: &str, minute: &str, pieces| {
        let hour = small_number(hour)?;
        let minute = small_number(minute)?;
        let is_time = (0..=24).contains(&hour) && (0..60).contains(&minute);
        is_time.then(|| Found::one(Figure::Time { hour, minute }, pieces))
    };
    let is_half_day =
        |word: &str| matches!(word.to_lowercase().as_str(), "am" | "pm" | "a" | "p" | "o'clock");
    match rest {
        [Digits(h), Mark(':'), Digits(m), Mark(':'), Digits(s), ..] if m.len() == 2 && s.len() == 2 => {
            found(h, m, 5)
        }
        [Digits(h), Mark(':'), Digits(m), ..] if m.len() == 2 => found(h, m, 3),
        [Digits(h), Kanji("時"), Digits(m), Kanji(k), ..] if k.starts_with('分') => found(h, m, 4),
        [Digits(h), Kanji(k), ..] if k.starts_with("時半") => found(h, "30", 2),
        [Digits(h), Kanji(k), ..] if k.starts_with('時') && !k.starts_with("時間") => found(h, "0", 2),
        [Digits(h), Word(w), ..] if is_half_day(w) && w.len() > 1 => found(h, "0", 2),
        [Digits(h), Mark(' '), Word(w), ..] if is_half_day(w) && w.len() > 1 => found(h, "0", 3),
        [Digits(h), Mark(' '), Word(w @ ("a" | "p")), Mark('.'), Word("m"), ..] if is_half_day(w) => {
            found(h, "0", 5)
        }
        _ => None,
    }
}

/// Reads a number. One within a word (the 86 of `x86`, the 2 of `2FA`) or one that is cut off (`12…`) is no figure.
fn read_number(before: Option<&WrittenPiece<'_>>, rest: &[WrittenPiece<'_>]) -> Option<Found> {
    let (number, pieces) = Number::read(rest)?;
    let number = if is_money(before) { number.in_money() } else { number };
    let behind = rest.get(pieces..).unwrap_or_default();
    let is_within =
        matches!(before, Some(Word(_))) || matches!(behind, [Word(_), ..] | [Mark('.'), Mark('.'), ..]);
    let figures = if is_within { Vec::new() } else { vec![Figure::Number(number)] };
    Some(Found { figures, pieces })
}
