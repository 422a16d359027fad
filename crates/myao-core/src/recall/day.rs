//! Days as people name them: `2026-03-01`, `2026-03`, `3/1`, `7d`, `yesterday`, 先週, 令和8年3月1日.

use jiff::{
    Span, Timestamp, ToSpan as _,
    civil::{Date, date},
    tz::TimeZone,
};
use unicode_normalization::UnicodeNormalization as _;

use super::{kanji_number::kanji_number, named::named_days};
use crate::chat::MessageTs;

/// The most last days that are counted: 179 years.
const MOST_DAYS: i64 = 65_535;

/// A day, or several whole days in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    /// Where its first day begins.
    pub start: MessageTs,
    /// Where its last day ends (exclusive); `None` for a number of last days, which are not over.
    pub end: Option<MessageTs>,
}

impl DayRange {
    /// Reads the name of a day, a week, a month or a year in `zone`, in English or Japanese, or a number of last days
    /// (`7d`, today included). `None` for anything else.
    pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Self> {
        let plain: String = text.nfkc().flat_map(char::to_lowercase).collect();
        let last = plain.trim().strip_suffix('d').or_else(|| plain.trim().strip_suffix('日'));
        if let Some(days) = last.and_then(|days| days.parse::<u16>().ok()) {
            let start = start_of_last_days(i64::from(days), now, zone);
            return Some(Self { start: MessageTs::from_timestamp(start), end: None });
        }
        let today = now.to_zoned(zone.clone()).date();
        let slashed = || Some((month_slash_day(plain.trim(), today)?, 1.day()));
        let dated =
            calendar_date(plain.trim()).or_else(slashed).or_else(|| days_by_distance(plain.trim(), today));
        let Some((first, length)) = dated else {
            return named_days(plain.trim(), now, zone);
        };
        let end = first.checked_add(length).unwrap_or(Date::MAX);
        Some(Self { start: start_of_day(first, zone), end: Some(start_of_day(end, zone)) })
    }

    /// A time before everything that was said.
    pub(super) const BEGINNING: MessageTs = MessageTs::MIN;

    /// From the beginning of one day to the end of another.
    pub(super) fn of_dates(first: Date, last: Date, zone: &TimeZone) -> Self {
        let end = last.checked_add(1.day()).unwrap_or(Date::MAX);
        Self { start: start_of_day(first, zone), end: Some(start_of_day(end, zone)) }
    }

    /// First and last day of what is written as a date, a month or a year in numbers.
    pub(super) fn calendar_dates(text: &str) -> Option<(Date, Date)> {
        let (first, length) = calendar_date(text)?;
        Some((first, first.checked_add(length).ok()?.checked_sub(1.day()).ok()?))
    }
}

/// Where the first of the last `days` days begins. Today is one of them; for 0 or 1 it is the only one.
pub fn start_of_last_days(days: i64, now: Timestamp, zone: &TimeZone) -> Timestamp {
    let today = now.to_zoned(zone.clone()).date();
    let first = today.saturating_sub(days.saturating_sub(1).clamp(0, MOST_DAYS).days());
    start_of_day(first, zone).to_timestamp()
}

/// Where a day begins; for a day without such a time, the first or the last instant of the calendar.
fn start_of_day(day: Date, zone: &TimeZone) -> MessageTs {
    let beyond = if day < date(1970, 1, 1) { Timestamp::MIN } else { Timestamp::MAX };
    let start = day.to_zoned(zone.clone()).map_or(beyond, |start| start.timestamp());
    MessageTs::from_timestamp(start)
}

/// The first years of the Japanese eras that people still write, each by its name and its letter, less one.
const ERAS: [(&str, &str, i16); 4] =
    [("令和", "r", 2018), ("平成", "h", 1988), ("昭和", "s", 1925), ("大正", "t", 1911)];

/// `2026-03-01`, `2026/3/1`, `2026.3.1`, `2026年3月1日`, `令和8年3月1日`, and the same without a day, or without a month.
fn calendar_date(text: &str) -> Option<(Date, Span)> {
    let plain = text.strip_suffix(['年', '月', '日']).unwrap_or(text).replace(['年', '月', '/'], "-");
    // `1.5` is a number, and so is the version 2026.3.
    let plain = if plain.matches('.').count() == 2 { plain.replace('.', "-") } else { plain };
    let parts: Vec<&str> = plain.split('-').collect();
    let (year, rest) = parts.split_first()?;
    let year =
        year_of_calendar(year).or_else(|| year_of_era(year, text.contains('年') || !rest.is_empty()))?;
    let number = |part: &str| part.parse::<i8>().ok().filter(|_| is_number(part)).or_else(|| of_kanji(part));
    let (month, day, length) = match rest {
        [] => (1, 1, 1.year()),
        [month] => (number(month)?, 1, 1.month()),
        [month, day] => (number(month)?, number(day)?, 1.day()),
        _ => return None,
    };
    Some((Date::new(year, month, day).ok()?, length))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn of_kanji(text: &str) -> Option<i8> {
    kanji_number(text).and_then(|number| i8::try_from(number).ok())
}

/// A year in four digits.
fn year_of_calendar(text: &str) -> Option<i16> {
    text.parse().ok().filter(|_| text.len() == 4 && is_number(text))
}

/// `令和8`, `令和元`, `平成三十`; `r8` only where a month or 年 follows, since it may be the name of anything.
fn year_of_era(text: &str, is_date: bool) -> Option<i16> {
    ERAS.iter().find_map(|(name, letter, before)| {
        let number = text.strip_prefix(name).or_else(|| text.strip_prefix(letter).filter(|_| is_date))?;
        let nth: i16 = match number {
            "元" => 1,
            number if is_number(number) && number.len() <= 2 => number.parse().ok()?,
            number => i16::from(of_kanji(number)?),
        };
        before.checked_add(nth).filter(|_| nth > 0)
    })
}

/// The year that a Japanese text writes before 年: `2026`, `令和8`.
pub(super) fn japanese_year(text: &str) -> Option<i16> {
    year_of_calendar(text).or_else(|| year_of_era(text, true))
}

/// `3/1`, and `25/12` where only a day can come first: the last such day up to `today`.
pub(super) fn month_slash_day(text: &str, today: Date) -> Option<Date> {
    let (one, other) = text.split_once('/')?;
    let number = |part: &str| part.parse::<i8>().ok().filter(|_| is_number(part) && part.len() <= 2);
    let one = number(one)?;
    let other = number(other)?;
    let (month, day) = if one > 12 { (other, one) } else { (one, other) };
    let in_year = |year: i16| Date::new(year, month, day).ok().filter(|date| *date <= today);
    // A 29 February may be eight years back.
    (0..=8).find_map(|ago| in_year(today.year().checked_sub(ago)?))
}

/// Days that are named by their distance from `today`: `last week`, also as one word or with a hyphen.
fn days_by_distance(text: &str, today: Date) -> Option<(Date, Span)> {
    let monday = today.saturating_sub(i32::from(today.weekday().to_monday_zero_offset()).days());
    let word = text.replace([' ', '-', '_'], "");
    Some(match word.as_str() {
        "today" | "今日" | "きょう" | "本日" => (today, 1.day()),
        "yesterday" | "昨日" | "きのう" => (today.saturating_sub(1.day()), 1.day()),
        "一昨日" | "おととい" => (today.saturating_sub(2.days()), 1.day()),
        "thisweek" | "今週" => (monday, 1.week()),
        "lastweek" | "先週" => (monday.saturating_sub(1.week()), 1.week()),
        "thismonth" | "今月" => (today.first_of_month(), 1.month()),
        "lastmonth" | "先月" => (today.first_of_month().saturating_sub(1.month()), 1.month()),
        "thisyear" | "今年" => (today.first_of_year(), 1.year()),
        "lastyear" | "去年" | "昨年" => (today.first_of_year().saturating_sub(1.year()), 1.year()),
        _ => return None,
    })
}
