//! Adds dates to words that point to a day: a year later nobody knows which day "tomorrow" was (specification §2.1).

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use myao_core::text::Lexicon;

use super::sentences::places_of_quotations;

/// Days of the week, as both languages name them.
const WEEKDAYS: [(Weekday, &str, &str); 7] = [
    (Weekday::Monday, "monday", "月曜"),
    (Weekday::Tuesday, "tuesday", "火曜"),
    (Weekday::Wednesday, "wednesday", "水曜"),
    (Weekday::Thursday, "thursday", "木曜"),
    (Weekday::Friday, "friday", "金曜"),
    (Weekday::Saturday, "saturday", "土曜"),
    (Weekday::Sunday, "sunday", "日曜"),
];
static ENGLISH_DAYS: Lexicon<(&'static str, i32)> = Lexicon::english("dates.days");
static JAPANESE_DAYS: Lexicon<(&'static str, i32)> = Lexicon::japanese("dates.days");
static JAPANESE_WEEKS: Lexicon<(&'static str, i32)> = Lexicon::japanese("dates.weeks");
static OTHER_WORD_BEFORE: Lexicon = Lexicon::japanese("dates.other_word_before");
/// Characters that make a word with the 明 of 明日 and 明後日.
const BEFORE_BRIGHT: &str = "説証発判不声文鮮透照解表弁釈黎未究克聡賢";
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
static FIGURATIVE: Lexicon = Lexicon::english("dates.figurative");
/// Characters behind 明日 that make it a name: 明日香, 明日奈 and the like.
const IN_NAMES: &str = "香奈葉海実菜";

/// The text with a date behind each word that points to exactly one day, seen from the day it was said on: `tomorrow
/// (13 March)`, 「来週の月曜（3/16）」. A word that can be read in two ways gets no date, and neither does a quoted one: nobody
/// knows on which day that was said.
pub(super) fn explain_relative_days(text: &str, said_on: Date) -> String {
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let quotations = places_of_quotations(text);
    let mut at = 0;
    while let Some(rest) = lower.get(at..).filter(|rest| !rest.is_empty()) {
        let before = lower.get(..at).unwrap_or_default();
        let found = day_in_english(rest, before, said_on).or_else(|| day_in_japanese(rest, before, said_on));
        let length = found
            .as_ref()
            .map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |(length, _)| *length);
        out.push_str(text.get(at..at + length).unwrap_or_default());
        at += length;
        let told = text.get(at..).is_some_and(says_the_date);
        let is_quoted = quotations.iter().any(|quoted| quoted.contains(&(at - 1)));
        if let Some((_, date)) = found.filter(|_| !told && !is_quoted) {
            out.push_str(&date);
        }
    }
    out
}

/// Whether a date follows already: the speaker's own date is better than ours.
fn says_the_date(after: &str) -> bool {
    let rest = after.trim_start_matches([' ', ',', '、']);
    let number = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u8>().is_ok();
    let month = |word: &str| MONTHS.iter().any(|month| word.to_ascii_lowercase().starts_with(month));
    let mut words = rest.split([' ', ',']).filter(|word| !matches!(*word, "the" | "of"));
    let pair = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_japanese = digits.len() < rest.len() && digits.starts_with(['月', '/', '日']);
    rest.starts_with(['(', '（'])
        || is_japanese
        || (number(pair.0) && month(pair.1))
        || (month(pair.0) && number(pair.1))
}

/// The length of an English word for a day that `rest` begins with, and its date.
fn day_in_english(rest: &str, before: &str, said_on: Date) -> Option<(usize, String)> {
    let follows = before.chars().next_back();
    if follows.is_some_and(|c| c.is_alphanumeric() || "_-/.".contains(c)) || is_figurative(before) {
        return None;
    }
    let (length, day) = ENGLISH_DAYS
        .iter()
        .find(|(word, _)| rest.starts_with(word))
        .map(|(word, away)| (word.len(), said_on.checked_add(away.days()).ok()))
        .or_else(|| english_weekday(rest, said_on))?;
    let goes_on = |c: char| c.is_alphanumeric() || "_-".contains(c);
    // A dot within a name, as in `tomorrow.sh`, does not end the word.
    let after = rest.get(length..)?;
    let ends = !after.strip_prefix('.').unwrap_or(after).starts_with(goes_on);
    let day = day.filter(|_| ends)?;
    let year = if day.year() == said_on.year() { "" } else { " %Y" };
    Some((length, day.strftime(&format!(" (%-d %B{year})")).to_string()))
}

/// Whether a word for a day points to no day because of the words before it.
fn is_figurative(before: &str) -> bool {
    let before = before.trim_end();
    FIGURATIVE
        .iter()
        .filter_map(|word| before.strip_suffix(word))
        .any(|start| !start.ends_with(char::is_alphanumeric))
}

/// Reads `this friday` while that is ahead, and `next monday` when this week's is today or past. Other dates: `None`.
fn english_weekday(rest: &str, said_on: Date) -> Option<(usize, Option<Date>)> {
    let (is_next, day) = match rest.split_once(' ')? {
        ("next", day) => (true, day),
        ("this", day) => (false, day),
        _ => return None,
    };
    let (weekday, name, _) = WEEKDAYS.iter().find(|(_, name, _)| day.starts_with(name))?;
    let ahead =
        i32::from(weekday.to_monday_zero_offset()) - i32::from(said_on.weekday().to_monday_zero_offset());
    let away = match (is_next, ahead) {
        (true, ..=0) => Some(ahead + 7),
        (false, 1..) => Some(ahead),
        _ => None,
    };
    let day = away.and_then(|away| said_on.checked_add(away.days()).ok());
    Some(("next ".len() + name.len(), day))
}

/// The length of a Japanese word for a day that `rest` begins with, and its date.
fn day_in_japanese(rest: &str, before: &str, said_on: Date) -> Option<(usize, String)> {
    // 説明日 is the day of an explanation.
    let is_other_word = OTHER_WORD_BEFORE.iter().any(|word| before.ends_with(word))
        || (rest.starts_with('明') && before.ends_with(|c| BEFORE_BRIGHT.contains(c)));
    if is_other_word {
        return None;
    }
    let (length, away) = JAPANESE_DAYS
        .iter()
        .find(|(word, _)| rest.starts_with(word))
        .map(|(word, away)| (word.len(), *away))
        .or_else(|| japanese_weekday(rest, said_on))?;
    let after = rest.get(length..)?;
    // 昨日のことのように: long ago, as if it were yesterday.
    let is_none = after.starts_with(|c| IN_NAMES.contains(c))
        || ["のことのよう", "の事のよう"].iter().any(|figure| after.starts_with(figure));
    let day = said_on.checked_add(away.days()).ok().filter(|_| !is_none)?;
    let year = if day.year() == said_on.year() { "" } else { "%Y/" };
    Some((length, day.strftime(&format!("（{year}%-m/%-d）")).to_string()))
}

/// Reads 「今週の金曜日」 and 「再来週の月曜」. `None` if either day is a Sunday: it may be the first or the last of a week.
fn japanese_weekday(rest: &str, said_on: Date) -> Option<(usize, i32)> {
    let (prefix, more) = JAPANESE_WEEKS.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
    let day = rest.get(prefix.len()..)?;
    let (weekday, _, name) = WEEKDAYS.iter().find(|(_, _, name)| day.starts_with(name))?;
    if said_on.weekday() == Weekday::Sunday || *weekday == Weekday::Sunday {
        return None;
    }
    let length = prefix.len()
        + name.len()
        + if day.get(name.len()..)?.starts_with('日') { '日'.len_utf8() } else { 0 };
    let ahead =
        i32::from(weekday.to_monday_zero_offset()) - i32::from(said_on.weekday().to_monday_zero_offset());
    Some((length, ahead + more))
}
