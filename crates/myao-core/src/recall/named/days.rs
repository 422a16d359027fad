//! Finds the days that a question names among its other words: `in March`, `two weeks ago`, 先週の月曜, 3月5日.

use std::ops::Range;

use jiff::{
    Timestamp, ToSpan as _, Zoned,
    civil::{Date, Weekday},
    tz::TimeZone,
};

use crate::{
    recall::{
        day::{DayRange, japanese_year, month_slash_day},
        kanji_number::{KANJI_NUMBERS, kanji_number},
    },
    text::{month_of as month_of_name, weekday_of, weekday_of_kanji},
};

/// The most days, weeks, months or years ago that are counted.
const MOST_AGO: i64 = 1_000;
/// The most words that a name of days has, such as `the 5th of March, 2025`.
const MOST_WORDS: usize = 7;
/// The most characters that a Japanese name of days has, such as 2025年12月24日.
const MOST_CHARACTERS: usize = 14;
const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/// Words before a date that belong to it.
const BEFORE_A_DATE: [&str; 12] =
    ["in", "on", "at", "of", "from", "during", "since", "after", "before", "until", "back", "the"];

/// The days of the first name of days in a text of lower-case letters, and where it stands.
pub(super) fn find_first_days(
    text: &str,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<(DayRange, Range<usize>)> {
    let today = now.to_zoned(zone.clone());
    let english = in_english(text, &today);
    let japanese = in_japanese(text, &today);
    let (span, place) = match (english, japanese) {
        (Some(one), Some(other)) => {
            if one.1.start <= other.1.start {
                one
            } else {
                other
            }
        }
        (one, other) => one.or(other)?,
    };
    let (first, last) = span;
    let start = DayRange::of_dates(first, last, zone);
    Some((bound_by_words(start, text, &place), with_preposition(text, place)))
}

/// The days of a text that is nothing but a name of days: `march`, `2 weeks ago`, 3月.
pub(in crate::recall) fn days_of_whole_text(text: &str, now: Timestamp, zone: &TimeZone) -> Option<DayRange> {
    let today = now.to_zoned(zone.clone());
    let words = words_with_places(text);
    let is_english = words.first().is_some_and(|(_, place)| place.start == 0)
        && words.last().is_some_and(|(_, place)| place.end == text.len())
        && words.len() <= MOST_WORDS;
    let named: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let dates = is_english.then(|| days_in_english(&named, Some("in"), &today)).flatten();
    let dates = dates.or_else(|| weekday_before(text, today.date()));
    let (first, last) = dates.or_else(|| days_in_japanese(text, today.date()))?;
    Some(DayRange::of_dates(first, last, zone))
}

/// The days, without a beginning or an end if the words around their name say so: `since March`, `before 5 May`, 3月以降.
fn bound_by_words(days: DayRange, text: &str, place: &Range<usize>) -> DayRange {
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    let after = text.get(place.end..).unwrap_or_default().trim_start();
    let follows =
        |word: &str| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let begins = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
    if follows("since") || begins(&["以降", "以後", "から今"]) {
        return DayRange { end: None, ..days };
    }
    if follows("after") {
        return DayRange { start: days.end.unwrap_or(days.start), end: None };
    }
    if follows("before") || begins(&["より前"]) {
        return DayRange { start: DayRange::BEGINNING, end: Some(days.start) };
    }
    // These include the days that they name.
    if follows("until") || begins(&["以前", "まで"]) {
        return DayRange { start: DayRange::BEGINNING, ..days };
    }
    days
}

/// The place of a name of days, extended by the words before it that belong to it.
fn with_preposition(text: &str, mut place: Range<usize>) -> Range<usize> {
    loop {
        let before = text.get(..place.start).unwrap_or_default().trim_end();
        let word = BEFORE_A_DATE.iter().find(|word| {
            before.strip_suffix(**word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
        });
        let Some(word) = word else { return place };
        place.start = before.len() - word.len();
    }
}

/// The first and the last day.
type Dates = (Date, Date);

fn in_english(text: &str, today: &Zoned) -> Option<(Dates, Range<usize>)> {
    let words = words_with_places(text);
    (0..words.len()).find_map(|at| {
        let rest = words.get(at..)?;
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|(word, _)| *word);
        let (dates, length) = (1..=MOST_WORDS.min(rest.len())).rev().find_map(|length| {
            let named: Vec<&str> = rest.iter().take(length).map(|(word, _)| *word).collect();
            days_in_english(&named, before, today).map(|dates| (dates, length))
        })?;
        let first = rest.first()?;
        let last = rest.get(length - 1)?;
        Some((dates, first.1.start..last.1.end))
    })
}

/// The words of ASCII letters and digits, also joined by `-` or `/`, each with its place.
fn words_with_places(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut words = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/');
    let mut begun = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begun, is_part(c)) {
            (None, true) => begun = Some(at),
            (Some(from), false) => {
                words.extend(text.get(from..at).map(|word| (word, from..at)));
                begun = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    words
}

fn days_in_english(words: &[&str], before: Option<&str>, today: &Zoned) -> Option<Dates> {
    let day = today.date();
    match words {
        ["day", "before", "yesterday"] => Some(just_one_day(day.saturating_sub(2.days()))),
        ["last" | "past" | "previous", "few", unit] => last_few(3, unit, day),
        ["last" | "past" | "previous", number, unit] => last_few(count_of(number)?, unit, day),
        ["last" | "past" | "previous", unit] => last_unit(unit, day),
        ["this", unit] => unit_ago(0, unit, day),
        ["a" | "an", unit, "ago"] => unit_ago(1, unit, day),
        ["a", "couple", "of", unit, "ago"] => unit_ago(2, unit, day),
        [number, unit, "ago"] => unit_ago(count_of(number)?, unit, day),
        ["today"] => Some(just_one_day(day)),
        ["yesterday"] => Some(just_one_day(day.saturating_sub(1.days()))),
        [date] if date.contains(['-', '/']) && date.starts_with(|c: char| c.is_ascii_digit()) => {
            // Without a year, `3/4` may be three quarters.
            let is_day = before.is_some_and(|before| BEFORE_A_DATE.contains(&before));
            let slashed = || month_slash_day(date, day).filter(|_| is_day).map(just_one_day);
            DayRange::calendar_dates(date).or_else(slashed)
        }
        [weekday] if before == Some("on") => weekday_before(weekday, day),
        [year] if matches!(before, Some("in" | "since" | "during")) && year.len() == 4 => {
            DayRange::calendar_dates(year)
        }
        _ => month_and_day(words, before, day),
    }
}

fn just_one_day(day: Date) -> Dates {
    (day, day)
}

fn count_of(word: &str) -> Option<i64> {
    let named = NUMBERS.iter().position(|number| *number == word).and_then(|at| i64::try_from(at + 1).ok());
    named.or_else(|| word.parse().ok()).filter(|count| (1..=MOST_AGO).contains(count))
}

/// The whole day, week, month or year that was so many of them ago.
fn unit_ago(count: i64, unit: &str, today: Date) -> Option<Dates> {
    Some(match unit.strip_suffix('s').unwrap_or(unit) {
        "day" if count > 0 => just_one_day(today.saturating_sub(count.days())),
        "week" => week_of(today.saturating_sub(count.weeks())),
        "month" => month_of(today.first_of_month().saturating_sub(count.months())),
        "year" => year_of(today.first_of_year().saturating_sub(count.years())),
        _ => return None,
    })
}

fn last_unit(unit: &str, today: Date) -> Option<Dates> {
    if matches!(unit, "week" | "month" | "year") {
        return unit_ago(1, unit, today);
    }
    if let Some(month) = month_of_name(unit) {
        return Some(month_of(latest_month(month, today)));
    }
    weekday_before(unit, today)
}

/// From so many days, weeks, months or years ago up to today.
fn last_few(count: i64, unit: &str, today: Date) -> Option<Dates> {
    let unit = unit.strip_suffix('s')?;
    let first = match unit {
        "day" => today.saturating_sub(count.days()),
        "week" => today.saturating_sub(count.weeks()),
        "month" => today.saturating_sub(count.months()),
        "year" => today.saturating_sub(count.years()),
        _ => return None,
    };
    Some((first, today))
}

fn weekday_before(name: &str, today: Date) -> Option<Dates> {
    // Only the full name counts: "sat" and "sun" are other words, too.
    let weekday = weekday_of(name).filter(|_| name.ends_with("day"))?;
    Some(just_one_day(before_today(weekday, today)?))
}

/// The last day before today that is this weekday.
fn before_today(weekday: Weekday, today: Date) -> Option<Date> {
    today.nth_weekday(-1, weekday).ok()
}

fn week_of(day: Date) -> Dates {
    let monday = day.saturating_sub(i32::from(day.weekday().to_monday_zero_offset()).days());
    (monday, monday.saturating_add(6.days()))
}

fn month_of(day: Date) -> Dates {
    (day.first_of_month(), day.last_of_month())
}

fn year_of(day: Date) -> Dates {
    (day.first_of_year(), day.last_of_year())
}

/// The first day of the month of this number that began last.
fn latest_month(month: i8, today: Date) -> Date {
    let year = if month > today.month() { today.year() - 1 } else { today.year() };
    Date::new(year, month, 1).unwrap_or(today)
}

/// Reads `march 2025`, `5 march`, `5th of march`, `march 5th 2025`. A month alone counts only behind a word such as
/// `in`, since "may" and "march" are other words, too.
fn month_and_day(words: &[&str], before: Option<&str>, today: Date) -> Option<Dates> {
    let words: Vec<&str> = words.iter().copied().filter(|word| !matches!(*word, "of" | "the")).collect();
    let month_at = words.iter().position(|word| month_of_name(word).is_some())?;
    let month = month_of_name(words.get(month_at)?)?;
    let mut day = None;
    let mut year = None;
    for (_, word) in words.iter().enumerate().filter(|(at, _)| *at != month_at) {
        let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        let number: i16 = ordinal.parse().ok()?;
        match number {
            1..=31 if day.is_none() => day = i8::try_from(number).ok(),
            1970..=2200 if year.is_none() => year = Some(number),
            _ => return None,
        }
    }
    let asks =
        ["in", "since", "during", "from", "of", "last", "early", "late", "until", "before", "after", "this"];
    if day.is_none() && year.is_none() && !before.is_some_and(|before| asks.contains(&before)) {
        return None;
    }
    of_month(year, month, day, today)
}

fn of_month(year: Option<i16>, month: i8, day: Option<i8>, today: Date) -> Option<Dates> {
    let first = match year {
        Some(year) => Date::new(year, month, 1).ok()?,
        None if (1..=12).contains(&month) => latest_month(month, today),
        None => return None,
    };
    let Some(day) = day else { return Some(month_of(first)) };
    let date = Date::new(first.year(), month, day).ok()?;
    // If somebody asks for 24 December on the 20th, the day in the year before is meant.
    let date = if year.is_none() && date > today { date.saturating_sub(1.years()) } else { date };
    Some(just_one_day(date))
}

fn in_japanese(text: &str, today: &Zoned) -> Option<(Dates, Range<usize>)> {
    let ends = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let ends = rest.char_indices().map(move |(at, c)| from + at + c.len_utf8());
        ends.take(MOST_CHARACTERS).collect::<Vec<_>>()
    };
    text.char_indices().find_map(|(from, _)| {
        // A name of days does not begin in the middle of a number, or of a word in hiragana.
        let before = text.get(..from)?.chars().next_back();
        let is_hiragana = |c: char| matches!(c, '\u{3041}'..='\u{309f}');
        let goes_on = if text.get(from..)?.starts_with(is_hiragana) {
            before.is_some_and(is_hiragana)
        } else {
            before.is_some_and(|c| c.is_ascii_digit() || KANJI_NUMBERS.contains(c))
        };
        if goes_on {
            return None;
        }
        ends(from)
            .into_iter()
            .rev()
            .find_map(|to| {
                let dates = days_in_japanese(text.get(from..to)?, today.date())?;
                // 3月 is March, but with 間 behind it, it is a length of three months.
                (!text.get(to..)?.starts_with('間')).then_some((dates, from..to))
            })
            .or_else(|| slashed_date(text, from, today.date()))
    })
}

/// `3/1に`, `12/24の`: a month and a day in front of what follows a day in Japanese.
fn slashed_date(text: &str, from: usize, today: Date) -> Option<(Dates, Range<usize>)> {
    const AFTER_A_DAY: [&str; 9] = ["に", "の", "は", "から", "まで", "以降", "以前", "頃", "ごろ"];
    let rest = text.get(from..)?;
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '/')?;
    let (written, after) = rest.split_at_checked(length)?;
    if !AFTER_A_DAY.iter().any(|word| after.starts_with(word)) {
        return None;
    }
    Some((just_one_day(month_slash_day(written, today)?), from..from + length))
}

fn days_in_japanese(text: &str, today: Date) -> Option<Dates> {
    if let Some(dates) = japanese_word(text, today) {
        return Some(dates);
    }
    if let Some((week, weekday)) = text.split_once('の')
        && let Some((monday, _)) =
            japanese_word(week, today).filter(|(first, last)| *last == first.saturating_add(6.days()))
    {
        return Some(just_one_day(
            monday.saturating_add(i32::from(kanji_weekday(weekday)?.to_monday_zero_offset()).days()),
        ));
    }
    if let Some(weekday) = kanji_weekday(text) {
        return before_today(weekday, today).map(just_one_day);
    }
    japanese_ago(text, today).or_else(|| japanese_date(text, today))
}

fn japanese_word(text: &str, today: Date) -> Option<Dates> {
    let days_ago = |count: i64| Some(just_one_day(today.saturating_sub(count.days())));
    match text {
        "今日" | "きょう" | "本日" => days_ago(0),
        "昨日" | "きのう" => days_ago(1),
        "一昨日" | "おととい" => days_ago(2),
        "一昨昨日" | "一昨々日" | "さきおととい" => days_ago(3),
        "今週" => unit_ago(0, "week", today),
        "先週" => unit_ago(1, "week", today),
        "先々週" | "先先週" => unit_ago(2, "week", today),
        "今月" => unit_ago(0, "month", today),
        "先月" => unit_ago(1, "month", today),
        "先々月" | "先先月" => unit_ago(2, "month", today),
        "今年" | "ことし" => unit_ago(0, "year", today),
        "去年" | "昨年" => unit_ago(1, "year", today),
        "一昨年" | "おととし" => unit_ago(2, "year", today),
        "一昨昨年" | "一昨々年" | "さきおととし" => unit_ago(3, "year", today),
        _ => None,
    }
}

/// 月曜, 月曜日.
fn kanji_weekday(text: &str) -> Option<Weekday> {
    let sign = text.strip_suffix("曜日").or_else(|| text.strip_suffix('曜'))?;
    let mut signs = sign.chars();
    signs.next().filter(|_| signs.next().is_none()).and_then(weekday_of_kanji)
}

/// 3日前, 二週間前, 十二日前, 2か月前, 1年前.
fn japanese_ago(text: &str, today: Date) -> Option<Dates> {
    let counted = text.strip_suffix('前')?;
    let units = [
        ("日", "day"),
        ("週間", "week"),
        ("か月", "month"),
        ("ヶ月", "month"),
        ("ケ月", "month"),
        ("カ月", "month"),
        ("ヵ月", "month"),
        ("箇月", "month"),
        ("年", "year"),
    ];
    let (number, unit) = units.iter().find_map(|(sign, unit)| Some((counted.strip_suffix(sign)?, *unit)))?;
    unit_ago(kanji_number(number).or_else(|| count_of(number))?, unit, today)
}

/// 3月, 3月5日, 2025年3月, 令和7年3月, 去年の3月, 2025年, 三月五日.
fn japanese_date(text: &str, today: Date) -> Option<Dates> {
    let years = [("今年の", 0), ("去年の", 1), ("昨年の", 1), ("一昨年の", 2)];
    let named = years.iter().find_map(|(year, ago)| Some((today.year() - ago, text.strip_prefix(year)?)));
    let written = || {
        let (year, rest) = text.split_once('年')?;
        Some((japanese_year(year)?, rest))
    };
    let (year, rest) = match named.or_else(written) {
        Some((year, "")) => return Some(year_of(Date::new(year, 1, 1).ok()?)),
        Some((year, rest)) => (Some(year), rest),
        None => (None, text),
    };
    let (month, rest) = rest.split_once('月')?;
    let of_kanji = |text: &str| kanji_number(text).and_then(|number| i8::try_from(number).ok());
    let of_digits = |text: &str| text.parse::<i8>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let number = |text: &str| of_digits(text).or_else(|| of_kanji(text));
    // 五月 alone may be a name, or the beginning of 五月雨.
    if rest.is_empty() && year.is_none() {
        return of_month(year, of_digits(month)?, None, today);
    }
    let day = match rest {
        "" => None,
        rest => Some(number(rest.strip_suffix('日')?)?),
    };
    of_month(year, number(month)?, day, today)
}
