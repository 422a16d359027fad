//! The mark behind a line that a later one has replaced.

use jiff::civil::Date;
use serde_json::json;

use super::{line::lines_of_text, replaced::lines_denied_later};
use crate::text::{Language, phrase_with};

/// `text` with a mark behind each line of `ends`, which gives a line's number, from 0 on, and the day up to which it
/// held.
pub fn mark_line_ends(text: &str, ends: &[(usize, Date)], language: Language) -> String {
    if ends.is_empty() {
        return text.to_owned();
    }
    let marked = text.lines().enumerate().map(|(nth, line)| {
        let end = ends.iter().find(|(ended, _)| *ended == nth);
        end.map_or_else(|| line.to_owned(), |(_, day)| format!("{line}{}", mark_of_day(*day, language)))
    });
    marked.collect::<Vec<_>>().join("\n")
}

/// Which lines of a text say something that a later line of the same text names as what holds no more, by their numbers,
/// with the day of that line. A long-term memory has no rows for its lines, so its ends are seen in its own words alone.
pub fn lines_ended_within(text: &str) -> Vec<(usize, Date)> {
    let lines = lines_of_text(text);
    let said: Vec<(Option<Date>, &str)> = lines.iter().map(|line| (line.day, line.words.as_str())).collect();
    lines_denied_later(&said).into_iter().filter_map(|(at, day)| Some((lines.get(at)?.nth, day))).collect()
}

/// The mark itself: ` (until 2026-03-14)`, or （2026-03-14まで）.
pub fn mark_of_day(day: Date, language: Language) -> String {
    phrase_with(language, "memory-until", &json!({ "day": day.to_string() }))
}
