//! Which day a sentence names by which something is to be done or takes place, seen from the day it was said on.
//!
//! A weekday is the next one; "next Friday" is the later of the two that it may mean, since a reminder that comes too
//! early is worse than one that comes late.

use std::sync::LazyLock;

use jiff::{
    ToSpan as _,
    civil::{Date, Weekday},
};

use super::sentences::OwnSentence;
use crate::{
    text::{Lexicon, month_of, weekday_of, weekday_of_kanji},
    worth::WordFinder,
};

static ENGLISH_DAYS: Lexicon<(&'static str, i32)> = Lexicon::english("loops.days");
static JAPANESE_DAYS: Lexicon<(&'static str, i32)> = Lexicon::japanese("loops.days");
static WEEKS: Lexicon<(&'static str, i32)> = Lexicon::japanese("loops.weeks");
static LEADS: Lexicon = Lexicon::english("loops.day_leads");
static DAY_ENDS: Lexicon = Lexicon::japanese("loops.day_ends");
static VAGUE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.vague_days"));

/// Words before a day by which something is done, and not only on it.
const BY: [&str; 5] = ["by", "until", "till", "before", "than"];
/// The most days or weeks from now that are counted: in 20 days.
const MOST_AHEAD: i32 = 60;
/// What may stand between a day and the word that says that something is due then: 金曜日の夜までに, 5日(木)まで.
const BEHIND_DAYS: &str = "日()月火水木金土曜の朝夜";
/// What may stand between a weekday and its date: 月曜日、4月13日, 月曜（4/13）.
const BETWEEN_DAYS: &str = "日の(（、, ";
/// A name of a weekday with fewer letters is also a word (sat, sun), and counts only behind a word that leads to a day.
const SHORTEST_NAME: usize = 6;

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
    VAGUE.stands_in(&sentence.plain)
}

/// Whether a sentence says that something is done by a time, and not only on a day.
pub(super) fn says_deadline(sentence: &OwnSentence<'_>) -> bool {
    sentence.spaced.contains(" by ")
        || ["まで", "中に", "中には"].iter().any(|end| sentence.plain.contains(end))
}

/// The day by which something is done: that which the words around it call due, or else the first.
pub(super) fn day_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<Date> {
    let mut days = english_days(&sentence.spaced, said_on);
    days.extend(written_days(&sentence.plain, said_on));
    if sentence.is_japanese {
        days.extend(japanese_days(&sentence.plain, said_on));
    }
    // Of those that are as surely due, the first.
    days.sort_by_key(|named| (std::cmp::Reverse(named.due), named.at));
    days.first().map(|named| named.day)
}

/// The last day that a sentence names: what has moved stands there.
pub(super) fn last_day_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<Date> {
    let mut days = english_days(&sentence.spaced, said_on);
    days.extend(written_days(&sentence.plain, said_on));
    if sentence.is_japanese {
        days.extend(japanese_days(&sentence.plain, said_on));
    }
    days.into_iter().max_by_key(|named| named.at).map(|named| named.day)
}

fn english_days(spaced: &str, said_on: Date) -> Vec<DayInSentence> {
    let mut found = Vec::new();
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (at, _) in spaced.match_indices(' ') {
        let word = spaced.get(at + 1..).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        if !word.is_empty() {
            words.push((at + 1, word));
        }
    }
    let word = |nth: usize| words.get(nth).map_or("", |(_, word)| *word);
    // The day after tomorrow is not tomorrow.
    let mut read_until = 0;
    for (nth, (at, first)) in words.iter().enumerate() {
        if *at < read_until {
            continue;
        }
        let before = nth.checked_sub(1).map_or("", word);
        let lead = if before == "the" && nth > 1 { word(nth - 2) } else { before };
        let due = u8::from(LEADS.contains(&lead)) + u8::from(BY.contains(&lead));
        let after = spaced.get(*at..).unwrap_or_default();
        let away = ENGLISH_DAYS.iter().find(|(name, _)| begins_with_word(after, name));
        read_until = away.map_or(read_until, |(name, _)| *at + name.len());
        let dated = |nth: usize| day_of_month(word(nth), word(nth + 1), word(nth + 2), said_on);
        // Of `Monday, 13 April` the date tells which Monday.
        let of_weekday = weekday_of(first)
            .and_then(|_| if word(nth + 1) == "the" { dated(nth + 2) } else { dated(nth + 1) });
        let day = away
            .and_then(|(_, away)| said_on.checked_add(away.days()).ok())
            .or(of_weekday)
            .or_else(|| weekday_ahead(first, before, due > 0, said_on))
            .or_else(|| dated(nth))
            .or_else(|| counted_ahead(first, word(nth + 1), word(nth + 2), said_on))
            .or_else(|| end_of_span(after, said_on));
        found.extend(day.map(|day| DayInSentence { day, at: *at, due }));
    }
    found
}

fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))
}

/// `friday`, `by fri`, `next friday`.
fn weekday_ahead(word: &str, before: &str, is_led: bool, said_on: Date) -> Option<Date> {
    let is_next = before == "next";
    if matches!(before, "last" | "every" | "each" | "past") || word.ends_with("days") {
        return None;
    }
    let weekday = weekday_of(word)
        .filter(|_| word.len() >= SHORTEST_NAME || is_led || is_next)
        .filter(|_| word.len() > 2)?;
    let next = next_weekday(weekday, said_on)?;
    let is_this_week = next.weekday().to_monday_zero_offset() > said_on.weekday().to_monday_zero_offset();
    if is_next && is_this_week { next.checked_add(7.days()).ok() } else { Some(next) }
}

/// The next day of this name, never the same day.
fn next_weekday(weekday: Weekday, said_on: Date) -> Option<Date> {
    let ahead = (1..=7).filter_map(|away: i32| said_on.checked_add(away.days()).ok());
    ahead.into_iter().find(|day| day.weekday() == weekday)
}

/// `5 march`, `5th of march`, `march 5th`.
fn day_of_month(first: &str, second: &str, third: &str, said_on: Date) -> Option<Date> {
    let number = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let ending = word.get(digits.len()..)?;
        matches!(ending, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse::<i8>().ok())?
    };
    let month = if second == "of" { third } else { second };
    let (month, day) = match (number(first), month_of(month)) {
        (Some(day), Some(month)) => (month, day),
        _ => (month_of(first)?, number(second)?),
    };
    next_date(month, day, said_on)
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

/// `in 3 days`, `in two weeks`.
fn counted_ahead(first: &str, second: &str, third: &str, said_on: Date) -> Option<Date> {
    const NUMBERS: [&str; 6] = ["a", "two", "three", "four", "five", "six"];
    if first != "in" && first != "within" {
        return None;
    }
    let in_words =
        || NUMBERS.iter().position(|number| *number == second).and_then(|at| i32::try_from(at + 1).ok());
    let number = second.parse().ok().or_else(in_words).filter(|number| (1..=MOST_AHEAD).contains(number))?;
    let unit = match third {
        "day" | "days" => 1,
        "week" | "weeks" => 7,
        _ => return None,
    };
    said_on.checked_add((number * unit).days()).ok()
}

/// `end of the week`, `end of the month`.
fn end_of_span(text: &str, said_on: Date) -> Option<Date> {
    let begins = |names: &[&str]| names.iter().any(|name| begins_with_word(text, name));
    if begins(&["end of the week", "end of this week", "end of week", "eow"]) {
        return next_weekday(Weekday::Sunday, said_on);
    }
    begins(&["end of the month", "end of this month", "end of month", "month end", "eom"])
        .then(|| said_on.last_of_month())
}

/// `2026-03-05`, and in Japanese 3/5.
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

fn japanese_days(plain: &str, said_on: Date) -> Vec<DayInSentence> {
    let mut found: Vec<DayInSentence> = Vec::new();
    let mut at = 0;
    // Where a weekday ends that a date may stand behind: 月曜（4/13）.
    let mut weekday_until = None;
    while let Some(rest) = plain.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((day, length)) = japanese_day(rest, plain.get(..at).unwrap_or_default(), said_on) else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let after = plain.get(at + length..).unwrap_or_default();
        let after = after.trim_start_matches(|c| BEHIND_DAYS.contains(c));
        let is_led = DAY_ENDS.words().any(|end| after.starts_with(end));
        let due = u8::from(is_led) + u8::from(is_led && !after.starts_with('に'));
        let between = weekday_until.take().and_then(|until: usize| plain.get(until..at));
        if between.is_some_and(|between| between.chars().all(|c| BETWEEN_DAYS.contains(c))) {
            found.pop();
        }
        found.push(DayInSentence { day, at, due });
        let is_weekday = rest.get(..length).is_some_and(|name| name.contains('曜'));
        weekday_until = is_weekday.then_some(at + length);
        at += length.max(1);
    }
    found
}

/// The day that a text begins with, and how many bytes its name has.
fn japanese_day(rest: &str, before: &str, said_on: Date) -> Option<(Date, usize)> {
    let in_days = |away: i32| said_on.checked_add(away.days()).ok();
    if let Some((name, away)) = JAPANESE_DAYS.iter().find(|(name, _)| rest.starts_with(name)) {
        // 説明日, 証明日.
        let is_other_word = name.starts_with('明') && before.ends_with(['説', '証', '発', '判', '不', '声']);
        return in_days(*away).filter(|_| !is_other_word).map(|day| (day, name.len()));
    }
    for (names, day) in [
        (["今週末", "週末"], next_weekday(Weekday::Sunday, said_on)),
        (["週明け", "週あけ"], next_weekday(Weekday::Monday, said_on)),
        (["今月末", "月末"], Some(said_on.last_of_month())),
        (["今週中", "今週いっぱい"], next_weekday(Weekday::Sunday, said_on)),
    ] {
        if let Some(name) = names.iter().find(|name| rest.starts_with(**name)) {
            return day.map(|day| (day, name.len()));
        }
    }
    let (week, more) = WEEKS
        .iter()
        .find(|(week, _)| rest.starts_with(week))
        .map_or(("", None), |(week, more)| (*week, Some(*more)));
    let day = rest.get(week.len()..)?;
    let mut letters = day.chars();
    if let (Some(name), Some('曜')) = (letters.next(), letters.next()) {
        let weekday = weekday_of_kanji(name)?;
        let length = week.len() + name.len_utf8() + '曜'.len_utf8();
        let next = next_weekday(weekday, said_on)?;
        let offset = |day: Date| i32::from(day.weekday().to_monday_zero_offset());
        let day = match more {
            None | Some(0) => Some(next),
            Some(more) => in_days(i32::from(weekday.to_monday_zero_offset()) - offset(said_on) + more),
        };
        return day.map(|day| (day, length));
    }
    written_in_japanese(rest, before, said_on)
}

/// 3月5日, 3/5, 5日, 3日後.
fn written_in_japanese(rest: &str, before: &str, said_on: Date) -> Option<(Date, usize)> {
    if before.ends_with(|c: char| c.is_ascii_digit() || "/-.:".contains(c)) {
        return None;
    }
    let (number, length) = leading_number(rest)?;
    let after = rest.get(length..)?;
    for sign in ["月", "/"] {
        if let Some(behind) = after.strip_prefix(sign)
            && let Some((day, digits)) = leading_number(behind)
        {
            let tail = behind.get(digits..)?;
            let is_day =
                if sign == "月" { tail.starts_with('日') } else { !tail.starts_with(['/', '-', '.', '%']) };
            let end = length + sign.len() + digits + if sign == "月" { '日'.len_utf8() } else { 0 };
            return is_day.then(|| next_date(number, day, said_on)).flatten().map(|day| (day, end));
        }
    }
    if let Some(behind) = after.strip_prefix("日") {
        if behind.starts_with('後') {
            let day = said_on.checked_add(i32::from(number).days()).ok()?;
            return Some((day, length + "日後".len()));
        }
        let is_span = behind.starts_with(['間', '前', '目', '以']);
        let this = said_on.with().day(number).build().ok().filter(|day| *day >= said_on && !is_span);
        let next = said_on.first_of_month().checked_add(1.months()).ok()?.with().day(number).build().ok();
        return this.or_else(|| next.filter(|_| !is_span)).map(|day| (day, length + '日'.len_utf8()));
    }
    None
}

/// A number of one or two digits that a text begins with, and how many bytes it has.
fn leading_number(text: &str) -> Option<(i8, usize)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text.get(..digits).filter(|digits| (1..=2).contains(&digits.len()))?.parse().ok()?;
    Some((number, digits))
}
