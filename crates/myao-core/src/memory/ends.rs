//! The mark behind a line that a later one has replaced.

use jiff::civil::Date;

use crate::prompt::Language;

/// `text` with a mark behind each line of `ends`, which gives a line's number, from 0 on, and the day up to which it
/// held.
pub fn with_ends(text: &str, ends: &[(usize, Date)], language: Language) -> String {
    if ends.is_empty() {
        return text.to_owned();
    }
    let marked = text.lines().enumerate().map(|(nth, line)| {
        let end = ends.iter().find(|(ended, _)| *ended == nth);
        end.map_or_else(|| line.to_owned(), |(_, day)| format!("{line}{}", end_mark(*day, language)))
    });
    marked.collect::<Vec<_>>().join("\n")
}

/// The mark itself: ` (until 2026-03-14)`, or （2026-03-14まで）.
pub fn end_mark(day: Date, language: Language) -> String {
    match language {
        Language::Ja => format!("（{day}まで）"),
        Language::En => format!(" (until {day})"),
    }
}
