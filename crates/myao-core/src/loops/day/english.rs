//! The days that English sentences name.

use jiff::{
    ToSpan as _,
    civil::{Date, Weekday},
};

use super::{DayInSentence, next_date, next_weekday};
use crate::text::{Lexicon, month_of, weekday_of};

static ENGLISH_DAYS: Lexicon<(&'static str, i32)> = Lexicon::english("loops.days");
static LEADS: Lexicon = Lexicon::english("loops.day_leads");

/// Words before a day by which something is done, and not only on it.
const BY: [&str; 5] = ["by", "until", "till", "before", "than"];
/// The most days or weeks from now that are counted: in 20 days.
const MOST_AHEAD: i32 = 60;
/// A name of a weekday with fewer letters is also a word (sat, sun), and counts only behind a word that leads to a day.
const SHORTEST_NAME: usize = 6;

pub(super) fn english_days(spaced: &str, said_on: Date) -> Vec<DayInSentence> {
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
        let lead = if matches!(before, "the" | "this") && nth > 1 { word(nth - 2) } else { before };
        // What comes after Thursday has no day.
        if lead == "after" {
            continue;
        }
        let due = u8::from(LEADS.contains(&lead)) + u8::from(BY.contains(&lead));
        let after = spaced.get(*at..).unwrap_or_default();
        let away = ENGLISH_DAYS.iter().find(|(name, _)| begins_with_word(after, name));
        read_until = away.map_or(read_until, |(name, _)| *at + name.len());
        let dated = |nth: usize| {
            let named = day_of_month(word(nth), word(nth + 1), word(nth + 2), said_on);
            named.or_else(|| first_of_span(words.get(nth..)?, said_on))
        };
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

/// `5 march`, `5th of march`, `march 5th`.
fn day_of_month(first: &str, second: &str, third: &str, said_on: Date) -> Option<Date> {
    let month = if second == "of" { third } else { second };
    let (month, day) = match (day_number(first), month_of(month)) {
        (Some(day), Some(month)) => (month, day),
        _ => (month_of(first)?, day_number(second)?),
    };
    next_date(month, day, said_on)
}

/// The first day of `11 to 13 march`, `11th and 12th of march`: the first of several days that share their month.
fn first_of_span(words: &[(usize, &str)], said_on: Date) -> Option<Date> {
    const JOINING: [&str; 6] = ["and", "or", "to", "until", "till", "through"];
    let mut words = words.iter().map(|(_, word)| *word);
    let first = day_number(words.next()?)?;
    let mut next = words.next()?;
    if JOINING.contains(&next) {
        next = words.next()?;
    }
    day_number(next)?;
    let month = words.find(|word| *word != "of")?;
    next_date(month_of(month)?, first, said_on)
}

/// `5`, `5th`.
fn day_number(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = word.get(digits.len()..)?;
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse::<i8>().ok())?
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
