//! The days that Japanese sentences name.

use jiff::{
    ToSpan as _,
    civil::{Date, Weekday},
};

use super::{DayInSentence, next_date, next_weekday};
use crate::text::{Lexicon, weekday_of_kanji};

static JAPANESE_DAYS: Lexicon<(&'static str, i32)> = Lexicon::japanese("loops.days");
static WEEKS: Lexicon<(&'static str, i32)> = Lexicon::japanese("loops.weeks");
static DAY_PARTS: Lexicon = Lexicon::japanese("loops.day_parts");
static DAY_ENDS: Lexicon = Lexicon::japanese("loops.day_ends");

/// What may stand between a day and the word that says that something is due then: 金曜日の夜までに, 5日(木)まで.
const BEHIND_DAYS: &str = "日()月火水木金土曜の朝夜";
/// What may stand between two days that share their month: 9月11〜12日, 7月11日(土)、12日(日).
const BETWEEN_DAYS_OF_MONTH: &str = "日()（）月火水木金土曜祝・、,〜~～-–—と ";
/// Between the first and the last of several days.
const SPANS: &str = "〜~～-–—・、,と";
/// What may stand between a weekday and its date: 月曜日、4月13日, 月曜（4/13）.
const BETWEEN_DAYS: &str = "日の(（、, ";

pub(super) fn japanese_days(plain: &str, said_on: Date) -> Vec<DayInSentence> {
    let mut found: Vec<DayInSentence> = Vec::new();
    let mut at = 0;
    // Where a weekday ends that a date may stand behind: 月曜（4/13）.
    let mut weekday_until = None;
    // A day with its month, and where it ends.
    let mut of_month: Option<(Date, usize)> = None;
    while let Some(rest) = plain.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((day, length)) = japanese_day(rest, plain.get(..at).unwrap_or_default(), said_on) else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let name = rest.get(..length).unwrap_or_default();
        // 6/23 午後 is of that day, and not of today.
        if !found.is_empty() && DAY_PARTS.contains(&name) {
            at += length.max(1);
            continue;
        }
        let day =
            of_month.and_then(|(dated, until)| same_month(dated, plain.get(until..at)?, name)).unwrap_or(day);
        if name.contains(['月', '/'])
            || of_month.is_some_and(|(dated, _)| dated.first_of_month() == day.first_of_month())
        {
            of_month = Some((day, at + length));
        }
        let after = plain.get(at + length..).unwrap_or_default();
        let after = after.trim_start_matches(|c| BEHIND_DAYS.contains(c));
        let is_led = DAY_ENDS.words().any(|end| after.starts_with(end));
        let due = u8::from(is_led) + u8::from(is_led && !after.starts_with('に'));
        let between = weekday_until.take().and_then(|until: usize| plain.get(until..at));
        if between.is_some_and(|between| between.chars().all(|c| BETWEEN_DAYS.contains(c))) {
            found.pop();
        }
        found.push(DayInSentence { day, at, due });
        weekday_until = name.contains('曜').then_some(at + length);
        at += length.max(1);
    }
    found
}

/// The day of a name without a month that stands right behind a day with one.
fn same_month(dated: Date, between: &str, name: &str) -> Option<Date> {
    let (number, length) = leading_number(name)?;
    let is_bare = name.get(length..) == Some("日");
    let is_beside = !between.is_empty() && between.chars().all(|c| BETWEEN_DAYS_OF_MONTH.contains(c));
    dated.with().day(number).build().ok().filter(|day| is_bare && is_beside && *day > dated)
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
            let is_named = tail.starts_with('日');
            let is_day = if sign == "月" {
                is_named || begins_span(tail)
            } else {
                !tail.starts_with(['/', '-', '.', '%'])
            };
            let end = length + sign.len() + digits;
            let end = if sign == "月" && is_named { end + '日'.len_utf8() } else { end };
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

/// Whether a text goes on with another day of the same month: 〜12日.
fn begins_span(tail: &str) -> bool {
    let behind = tail.strip_prefix(|c| SPANS.contains(c)).and_then(leading_number_and_rest);
    behind.is_some_and(|rest| rest.starts_with('日'))
}

fn leading_number_and_rest(text: &str) -> Option<&str> {
    let (_, digits) = leading_number(text)?;
    text.get(digits..)
}

/// A number of one or two digits that a text begins with, and how many bytes it has.
fn leading_number(text: &str) -> Option<(i8, usize)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text.get(..digits).filter(|digits| (1..=2).contains(&digits.len()))?.parse().ok()?;
    Some((number, digits))
}
