//! Which days a text may mean by "tomorrow", "next Monday" or 来週の月曜, seen from the day it was said on.
//!
//! It is generous: where a word may mean several days, all of them are meant.

use jiff::{
    ToSpan as _,
    civil::{Date, Weekday},
};

use super::pieces::WrittenPiece;
use crate::text::{Lexicon, weekday_of, weekday_of_kanji};

/// How many days away a weekday that is named may be: the last or the one before it, the next or the one after it.
const WEEKDAY_REACH: i32 = 13;
/// The largest number of days, or of weeks, that is taken for a distance: in 20 days, 3 weeks ago.
const MOST_AWAY: i32 = 60;

static ENGLISH: Lexicon<(&'static str, i32, i32)> = Lexicon::english("relative.days");
static JAPANESE: Lexicon<(&'static str, i32, i32)> = Lexicon::japanese("relative.days");

/// What some words may mean.
#[derive(Debug, Default)]
pub(super) struct Meant {
    pub(super) days: Vec<Date>,
    /// Whole months, of which a day may be named: next month, 来月.
    pub(super) months: Vec<Date>,
    pub(super) years: Vec<i16>,
}

/// What the words of a line may mean on `said_on`. The line is `plain`, and these are its pieces.
pub(super) fn days_meant(line: &str, pieces: &[WrittenPiece<'_>], said_on: Date) -> Meant {
    let words = latin_words_and_numbers(pieces);
    let joined = format!(" {} ", words.join(" "));
    let mut meant = Meant::default();
    let mut reach = |from: i32, to: i32| meant.days.extend(days_around(said_on, from, to));
    for (word, from, to) in ENGLISH.iter().copied() {
        if joined.contains(&format!(" {word} ")) {
            reach(from, to);
        }
    }
    for (word, from, to) in JAPANESE.iter().copied() {
        if line.contains(word) {
            reach(from, to);
        }
    }
    for (number, unit) in counted_units(line, &words) {
        for sign in [-1, 1] {
            let around = i32::from(unit > 1);
            reach(sign * number * unit - around, sign * number * unit + around);
        }
    }
    meant.days.extend(weekdays_named(pieces).flat_map(|weekday| {
        days_around(said_on, -WEEKDAY_REACH, WEEKDAY_REACH).filter(move |day| day.weekday() == weekday)
    }));
    add_months_and_years(line, &joined, said_on, &mut meant);
    meant
}

/// The Latin words, in lower case and without `'s`, and the numbers in digits.
fn latin_words_and_numbers(pieces: &[WrittenPiece<'_>]) -> Vec<String> {
    pieces
        .iter()
        .filter_map(|piece| match piece {
            WrittenPiece::Word(word) => Some(word.to_lowercase().trim_end_matches("'s").to_owned()),
            WrittenPiece::Digits(digits) => Some((*digits).to_owned()),
            WrittenPiece::Kanji(_)
            | WrittenPiece::Katakana(_)
            | WrittenPiece::Hiragana(_)
            | WrittenPiece::Mark(_) => None,
        })
        .collect()
}

fn days_around(said_on: Date, from: i32, to: i32) -> impl Iterator<Item = Date> {
    (from..=to).filter_map(move |away| said_on.checked_add(away.days()).ok())
}

/// How many days or weeks are spoken of, each with the days of its unit: 3 days is (3, 1), 2週間 is (2, 7).
fn counted_units(line: &str, words: &[String]) -> Vec<(i32, i32)> {
    const NUMBERS: [&str; 10] = ["a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let mut counted = Vec::new();
    for pair in words.windows(2) {
        let [number, unit] = pair else { continue };
        let unit = match unit.as_str() {
            "day" | "days" => 1,
            "week" | "weeks" | "wk" | "wks" => 7,
            _ => continue,
        };
        let in_words =
            || NUMBERS.iter().position(|word| word == number).and_then(|at| i32::try_from(at + 1).ok());
        counted.extend(number.parse().ok().or_else(in_words).map(|number| (number, unit)));
    }
    for (sign, unit) in [("日", 1), ("週", 7)] {
        for (before, _) in line.match_indices(sign).filter_map(|(at, _)| line.split_at_checked(at)) {
            let digits: Vec<char> = before.chars().rev().take_while(char::is_ascii_digit).take(2).collect();
            let number = digits.iter().rev().collect::<String>().parse().ok();
            counted.extend(number.map(|number| (number, unit)));
        }
    }
    counted.retain(|(number, _)| (1..=MOST_AWAY).contains(number));
    counted
}

/// The weekdays that are named: Monday, fri, 月曜, (火), 土日.
fn weekdays_named(pieces: &[WrittenPiece<'_>]) -> impl Iterator<Item = Weekday> {
    let alone = |before: Option<&WrittenPiece<'_>>, after: Option<&WrittenPiece<'_>>| {
        before == Some(&WrittenPiece::Mark('(')) && after == Some(&WrittenPiece::Mark(')'))
    };
    (0..pieces.len()).flat_map(move |at| {
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        let after = pieces.get(at + 1);
        let found: Vec<Weekday> = match pieces.get(at) {
            Some(WrittenPiece::Word(word)) => weekday_of(word).into_iter().collect(),
            Some(WrittenPiece::Kanji(kanji)) => {
                let chars: Vec<char> = kanji.chars().collect();
                let before_sign = chars.windows(2).filter_map(|pair| match pair {
                    [day, '曜'] => weekday_of_kanji(*day),
                    _ => None,
                });
                let lone = chars.first().filter(|_| chars.len() == 1 && alone(before, after));
                before_sign.chain(lone.and_then(|day| weekday_of_kanji(*day))).collect()
            }
            _ => Vec::new(),
        };
        found
    })
}

fn add_months_and_years(line: &str, joined: &str, said_on: Date, meant: &mut Meant) {
    let english = |words: &[&str]| words.iter().any(|word| joined.contains(&format!(" {word} ")));
    let japanese = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let mut month = |away: i32| meant.months.extend(said_on.first_of_month().checked_add(away.months()).ok());
    if english(&["this month"]) || japanese(&["今月"]) {
        month(0);
    }
    if english(&["next month"]) || japanese(&["来月", "翌月"]) {
        month(1);
    }
    if english(&["last month"]) || japanese(&["先月", "前月"]) {
        month(-1);
    }
    if japanese(&["再来月"]) {
        month(2);
    }
    if english(&["end of the month", "end of month", "month end", "eom"]) || japanese(&["月末"]) {
        let last = said_on.last_of_month();
        meant.days.extend(days_around(last, -3, 0));
    }
    if english(&["next year", "last year", "a year ago"])
        || japanese(&["来年", "去年", "昨年", "翌年", "再来年", "一昨年", "1年"])
    {
        let year = said_on.year();
        meant.years.extend([year - 2, year - 1, year + 1, year + 2]);
    }
    if english(&["christmas", "xmas", "new year", "new year's"])
        || japanese(&["クリスマス", "大晦日", "元日", "年末", "年始", "元旦"])
    {
        let year = said_on.year();
        let around = [(year - 1, 12), (year, 12), (year, 1), (year + 1, 1)];
        meant.months.extend(around.iter().filter_map(|(year, month)| Date::new(*year, *month, 1).ok()));
    }
}
