//! Splits the text of a memory into lines with the day and the name taken out, for the margin.

use jiff::civil::Date;
use myao_core::memory::{TextPart, leading_days, parts_of_text};

/// The most characters of a name before words. More is taken for a sentence with a colon.
const NAME_LIMIT: usize = 40;

/// A line of a memory. Its words are kept as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SheetLine {
    /// The number of the text's line with which it begins, counted from 0.
    pub(crate) nth: usize,
    /// The day that it is about.
    pub(crate) day: Option<Date>,
    /// Who said it, if the line begins with a day and a name.
    pub(crate) name: Option<String>,
    /// Its words.
    pub(crate) words: String,
    /// Whether it is a heading.
    pub(crate) is_heading: bool,
}

impl SheetLine {
    /// Whether two lines say the same, wherever they stand.
    pub(super) fn says(&self, other: &Self) -> bool {
        self.is_like(other) && self.words == other.words
    }

    /// Whether two lines have the same day and person.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.day, &self.name, self.is_heading) == (other.day, &other.name, other.is_heading)
    }
}

/// The lines of a text, in order. A heading that is only a day is left out: the day stands in the margin.
pub(crate) fn lines_in_order(text: &str) -> Vec<SheetLine> {
    let mut lines: Vec<SheetLine> = parts_of_text(text).into_iter().map(line_of_part).collect();
    let headings = text.lines().enumerate().filter_map(|(nth, line)| parse_heading(nth, line));
    lines.extend(headings);
    lines.sort_by_key(|line| line.nth);
    lines
}

fn line_of_part(part: TextPart) -> SheetLine {
    let nth = part.nth;
    let is_heading = false;
    if let Some((at, name)) = part.said {
        return SheetLine { nth, day: Some(at.date()), name: Some(name), words: part.text, is_heading };
    }
    let (days, rest) = leading_days(&part.text);
    let own = days.first().map(|days| days.from);
    let day = own.or(part.under.map(|days| days.from));
    let named = day.and_then(|_| name_and_words(rest));
    let (name, words) = match named {
        Some((name, words)) => (Some(name.to_owned()), words.to_owned()),
        // A line of prose is kept whole, with its date.
        None => (None, part.text.clone()),
    };
    SheetLine { nth, day: day.filter(|_| own.is_none() || name.is_some()), name, words, is_heading }
}

/// Splits `Name: words`.
fn name_and_words(text: &str) -> Option<(&str, &str)> {
    let (name, words) = text.split_once(": ").or_else(|| text.split_once('：'))?;
    let is_name =
        !name.is_empty() && name.chars().count() <= NAME_LIMIT && !name.contains(['。', '、', '\n', '"']);
    is_name.then_some((name, words))
}

fn parse_heading(nth: usize, line: &str) -> Option<SheetLine> {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let depth = line.len() - title.len();
    if !(1..=6).contains(&depth) || !title.starts_with(' ') {
        return None;
    }
    let words = title.trim().to_owned();
    let (days, rest) = leading_days(&words);
    let is_only_a_day = !days.is_empty() && rest.trim().is_empty();
    (!is_only_a_day).then_some(SheetLine { nth, day: None, name: None, words, is_heading: true })
}
