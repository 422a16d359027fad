//! Which day a sentence names by which something is to be done or takes place, seen from the day it was said on.
//!
//! A weekday is the next one; "next Friday" is the later of the two that it may mean, since a reminder that comes too
//! early is worse than one that comes late.

mod clock;
mod english;
mod japanese;

use std::sync::LazyLock;

use jiff::{
    ToSpan as _,
    civil::{Date, Time, Weekday},
};

use self::{clock::last_clock, english::english_days, japanese::japanese_days};
use super::sentences::OwnSentence;
use crate::worth::WordFinder;

static DEADLINES: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.deadlines"));
static VAGUE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.vague_days"));

/// A day that a sentence names, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DayInSentence {
    day: Date,
    /// Where its name begins, in bytes.
    at: usize,
    /// How surely the words around it say that something is due then: 0 not at all, 1 on it, 2 by it.
    due: u8,
}

/// Whether a sentence names a time that is no day: later, soon, 後で.
pub(super) fn names_vague_time(sentence: &OwnSentence<'_>) -> bool {
    sentence.has(&VAGUE)
}

/// Whether a sentence says that something is done by a time, and not only on a day.
pub(super) fn says_deadline(sentence: &OwnSentence<'_>) -> bool {
    sentence.has(&DEADLINES)
}

/// The day by which something is done: that which the words around it call due, or else the first.
pub(super) fn day_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<Date> {
    let mut days = days_of_sentence(sentence, said_on);
    // Of those that are as surely due, the first.
    days.sort_by_key(|named| (std::cmp::Reverse(named.due), named.at));
    days.first().map(|named| named.day)
}

/// The last time of the day that a sentence names.
pub(super) fn clock_of_sentence(sentence: &OwnSentence<'_>) -> Option<Time> {
    last_clock(&sentence.plain, &sentence.spaced)
}

/// The day from which something moves: the first of several that a sentence names.
pub(super) fn first_day_of_several(sentence: &OwnSentence<'_>, said_on: Date) -> Option<Date> {
    let days = days_of_sentence(sentence, said_on);
    let first = days.iter().min_by_key(|named| named.at)?;
    days.iter().any(|named| named.day != first.day).then_some(first.day)
}

/// The last day that a sentence names: what has moved stands there.
pub(super) fn last_day_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<Date> {
    let days = days_of_sentence(sentence, said_on);
    days.into_iter().max_by_key(|named| named.at).map(|named| named.day)
}

fn days_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Vec<DayInSentence> {
    let mut days = english_days(&sentence.spaced, said_on);
    days.extend(written_days(&sentence.plain, said_on));
    if sentence.is_japanese {
        days.extend(japanese_days(&sentence.plain, said_on));
    }
    days
}

/// `2026-03-05`.
fn written_days(plain: &str, said_on: Date) -> Vec<DayInSentence> {
    let mut found = Vec::new();
    let mut rest_at = 0;
    for number in plain.split(|c: char| !(c.is_ascii_digit() || c == '-')) {
        let at = rest_at + plain.get(rest_at..).and_then(|rest| rest.find(number)).unwrap_or_default();
        rest_at = at + number.len();
        if let Ok(day) = number.parse::<Date>()
            && day >= said_on.checked_sub(1.days()).unwrap_or(said_on)
        {
            found.push(DayInSentence { day, at, due: 1 });
        }
    }
    found
}

/// The next day of this name, never the same day.
fn next_weekday(weekday: Weekday, said_on: Date) -> Option<Date> {
    let ahead = (1..=7).filter_map(|away: i32| said_on.checked_add(away.days()).ok());
    ahead.into_iter().find(|day| day.weekday() == weekday)
}

/// The next day of this number and month; the same day counts.
fn next_date(month: i8, day: i8, said_on: Date) -> Option<Date> {
    let of_year = |year: i16| Date::new(year, month, day).ok();
    of_year(said_on.year()).filter(|day| *day >= said_on).or_else(|| {
        // A day that is long over is one of next year; one that has just passed is one of this.
        let last = of_year(said_on.year())?;
        let is_long_over = last.checked_add(180.days()).is_ok_and(|late| late < said_on);
        if is_long_over { of_year(said_on.year() + 1) } else { Some(last) }
    })
}
