//! The times of the day that sentences name: 20:30, 20時30分, 8 pm, 午後8時半.

use jiff::civil::Time;

use crate::text::Lexicon;

static HOURS: Lexicon = Lexicon::japanese("loops.hour_ends");
static SPANS: Lexicon = Lexicon::japanese("loops.hour_spans");
static HALF_HOURS: Lexicon = Lexicon::japanese("loops.half_hours");
static HALVES: Lexicon = Lexicon::english("loops.hour_ends");
static LATE_PARTS: Lexicon<(&'static str, i32)> = Lexicon::of_all("loops.late_parts");

/// How many hours stand before the second half of a day.
const HALF: i8 = 12;

/// The last time of the day that a folded sentence names, with its English words apart: of an event from one time to
/// another, its end. Where 7 may be that of the evening, it is: what is taken for over too early is never told.
pub(super) fn last_clock(plain: &str, spaced: &str) -> Option<Time> {
    let late = LATE_PARTS.iter().filter(|(part, _)| {
        if part.is_ascii() { spaced.contains(&format!(" {part} ")) } else { plain.contains(part) }
    });
    let late_from = late.filter_map(|(_, from)| i8::try_from(*from).ok()).min();
    let mut last = None;
    let mut rest = plain;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let is_free = !rest.get(..at).is_some_and(|before| before.ends_with(['.', '/', '-', ':']));
        let number = rest.get(at..).unwrap_or_default();
        let length = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let (digits, behind) = number.split_at_checked(length).unwrap_or((number, ""));
        if is_free && let Some(time) = clock_of(digits, behind, late_from) {
            last = Some(time);
        }
        rest = behind;
        // The minutes are of this hour.
        if let Some(minutes) = rest.strip_prefix(':') {
            rest = minutes.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    last
}

/// The time of an hour with what stands behind it. From the hour `late_from` on it is of the second half of the day, unless
/// it says of which it is.
fn clock_of(digits: &str, behind: &str, late_from: Option<i8>) -> Option<Time> {
    let hour: i8 = digits.parse().ok().filter(|_| digits.len() <= 2)?;
    let late = late_from.filter(|from| (*from..HALF).contains(&hour)).map(|_| HALF);
    if let Some(text) = behind.strip_prefix(':') {
        let minute = leading_number(text.get(..2)?)?;
        let behind = text.get(2..).filter(|rest| !rest.starts_with(':'))?;
        return Time::new(in_half(hour, half_behind(behind).or(late))?, minute, 0, 0).ok();
    }
    if let Some(text) = HOURS.words().find_map(|end| behind.strip_prefix(end)) {
        // 2時間 is no time of the day.
        let is_clock = !SPANS.words().any(|span| text.starts_with(span));
        let is_half = HALF_HOURS.words().any(|half| text.starts_with(half));
        let minute = if is_half { 30 } else { leading_number(text).unwrap_or_default() };
        return Time::new(in_half(hour, late)?, minute, 0, 0).ok().filter(|_| is_clock);
    }
    let half = half_behind(behind)?;
    Time::new(in_half(hour, Some(half))?, 0, 0, 0).ok()
}

/// The number with which a text begins.
fn leading_number(text: &str) -> Option<i8> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// How many hours the half of the day has before it that is named behind an hour: pm.
fn half_behind(behind: &str) -> Option<i8> {
    let word = behind.trim_start();
    let begins =
        |half: &&str| word.strip_prefix(half).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    // Of the two the first begins at midnight.
    let nth = HALVES.words().position(|half| begins(&half))?;
    Some(if nth == 0 { 0 } else { HALF })
}

/// 1 pm is 13, 12 pm is noon, 12 am is midnight.
fn in_half(hour: i8, half: Option<i8>) -> Option<i8> {
    match half {
        Some(half) => (0..=HALF).contains(&hour).then_some(hour % HALF + half),
        None => Some(hour),
    }
}
