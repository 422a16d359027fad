//! The names of months and weekdays, and which days of a month exist.

use jiff::civil::Weekday;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [(Weekday, &str, char); 7] = [
    (Weekday::Monday, "monday", '月'),
    (Weekday::Tuesday, "tuesday", '火'),
    (Weekday::Wednesday, "wednesday", '水'),
    (Weekday::Thursday, "thursday", '木'),
    (Weekday::Friday, "friday", '金'),
    (Weekday::Saturday, "saturday", '土'),
    (Weekday::Sunday, "sunday", '日'),
];
/// Short forms of weekdays that are not their first three letters.
const SHORT: [(&str, &str); 4] =
    [("tues", "tuesday"), ("weds", "wednesday"), ("thur", "thursday"), ("thurs", "thursday")];

/// The number of a month, from 1, that is named in full or by its first three letters, or as `sept`.
pub(crate) fn month_of(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    let is = |name: &&str| {
        word == **name
            || (word.len() == 3 && name.starts_with(&word))
            || word == "sept" && **name == *"september"
    };
    MONTHS.iter().position(is).and_then(|at| i8::try_from(at + 1).ok())
}

/// The weekday that an English word names in full, in short or in the plural.
pub(crate) fn weekday_of(word: &str) -> Option<Weekday> {
    let word = word.to_lowercase();
    let word = word.trim_end_matches("'s");
    let full = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, full)| full);
    let is = |name: &str| {
        full == name || (full.len() == 3 && name.starts_with(full)) || full.strip_suffix('s') == Some(name)
    };
    WEEKDAYS.iter().find(|(_, name, _)| is(name)).map(|(weekday, _, _)| *weekday)
}

/// The weekday that a kanji stands for.
pub(crate) fn weekday_of_kanji(kanji: char) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(_, _, sign)| *sign == kanji).map(|(weekday, _, _)| *weekday)
}

/// Whether this day exists in some year.
pub(crate) fn is_day(month: i8, day: i8) -> bool {
    let most = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=most).contains(&day)
}
