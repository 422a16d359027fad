//! The lines of a memory's text, whoever wrote it: this program, a model, a person, or talk kept word for word.
//!
//! A line is found by its number within the text. What it says, when that was said and what it is worth follows from
//! the text alone, so that a table of lines needs to hold no words.

use jiff::civil::{Date, DateTime, Time};

use crate::{text::one_line, worth};

/// The days something happened on, first and last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Days {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

impl Days {
    /// A single day.
    pub fn one(day: Date) -> Self {
        Self { from: day, to: day }
    }
}

impl std::fmt::Display for Days {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.from)?;
        if self.to == self.from { Ok(()) } else { write!(f, "..{}", self.to) }
    }
}

/// A line of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line of the text that it is, or begins with, from 0 on.
    pub nth: usize,
    /// The day it was said on, as far as the text tells.
    pub day: Option<Date>,
    /// Its words on one line, without bullet and date. If somebody said them, the speaker's name and a colon come
    /// first.
    pub words: String,
}

impl Line {
    /// How much it is worth after months, in points, by its words alone; more is better.
    pub fn worth(&self) -> i64 {
        worth::points_of_line(&self.words)
    }
}

/// The lines of a memory's text, in its order.
pub fn lines_of_text(text: &str) -> Vec<Line> {
    let line = |part: TextPart| {
        let (day, words) = if let Some((at, name)) = part.said {
            (Some(at.date()), one_line(&format!("{name}: {}", part.text)))
        } else {
            let text = one_line(&part.text);
            let (days, words) = leading_days(&text);
            (days.first().copied().or(part.under).map(|days| days.from), words.to_owned())
        };
        Line { nth: part.nth, day, words }
    };
    parts_of_text(text).into_iter().map(line).filter(|line| !line.words.is_empty()).collect()
}

/// A part of a memory's text: a bullet, a paragraph, or a message kept word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// The number of the line of the text that it begins with, from 0 on.
    pub nth: usize,
    /// The number of the line of the text that it ends with.
    pub last: usize,
    /// When it was said, and by whom, if it is a message.
    pub said: Option<(DateTime, String)>,
    /// The first days that the last heading or date above it names; `None` if there are none.
    pub under: Option<Days>,
    /// Its text without a bullet; a message's text with all of its lines.
    pub text: String,
}

/// The parts of a memory's text, in its order.
pub fn parts_of_text(text: &str) -> Vec<TextPart> {
    let mut parts: Vec<TextPart> = Vec::new();
    let mut under = None;
    let mut open = false;
    for (nth, line) in text.lines().enumerate() {
        let bare = line.trim();
        let part = |text: &str| TextPart { nth, last: nth, said: None, under, text: text.to_owned() };
        if line.starts_with("  ")
            && let Some(message) = parts.last_mut().filter(|part| part.said.is_some())
        {
            message.text.push('\n');
            message.text.push_str(line.strip_prefix("  ").unwrap_or(line));
            message.last = nth;
        } else if bare.is_empty() {
            open = false;
        } else if let Some((at, name, said)) = parse_message(line) {
            parts.push(TextPart { said: Some((at, name.to_owned())), ..part(said) });
            open = false;
        } else if let Some(title) = heading_words(bare) {
            under = leading_days(title).0.first().copied();
            open = false;
        } else if let Some(day) = only_a_day(bare) {
            under = Some(day);
            open = false;
        } else if let Some(words) = bullet_words(bare) {
            parts.push(part(words));
            open = true;
        } else if open && let Some(note) = parts.last_mut() {
            note.text.push('\n');
            note.text.push_str(bare);
            note.last = nth;
        } else {
            parts.push(part(bare));
            open = true;
        }
    }
    parts
}

/// `[YYYY-MM-DD HH:MM] name: text` (specification §2.4).
fn parse_message(line: &str) -> Option<(DateTime, &str, &str)> {
    let (when, said) = line.strip_prefix('[')?.split_once("] ")?;
    let (name, text) = said.split_once(": ").or_else(|| said.strip_suffix(':').map(|name| (name, "")))?;
    Some((parse_when(when)?, name, text))
}

fn heading_words(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let depth = line.len() - title.len();
    ((1..=6).contains(&depth) && title.starts_with(' ')).then(|| title.trim())
}

/// The days of a line that holds nothing but a date: what follows happened then.
fn only_a_day(line: &str) -> Option<Days> {
    let (found, rest) = leading_days(line);
    found.first().copied().filter(|_| rest.is_empty() && line.starts_with(|c: char| c.is_ascii_digit()))
}

/// The words behind a bullet's mark or number.
fn bullet_words(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "• ", "・", "– "].iter().find_map(|mark| line.strip_prefix(mark));
    bullet.map(str::trim_start).or_else(|| {
        let number = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.get(number..)?;
        (1..=3)
            .contains(&number)
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    })
}

/// The dates that a text begins with, and the rest: `2026-03-02`, `2026-03-02..2026-03-09`, or several with commas.
pub fn leading_days(text: &str) -> (Vec<Days>, &str) {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(['*', '[', '(', ' ', '【', '（']);
    while let Some((from, after)) = leading_date(rest) {
        let range = after.strip_prefix("..").and_then(leading_date).filter(|(to, _)| *to >= from);
        let (days, after) = match range {
            Some((to, after)) => (Days { from, to }, after),
            None => (Days::one(from), after),
        };
        found.push(days);
        rest = after;
        match after.strip_prefix(", ").filter(|next| leading_date(next).is_some()) {
            Some(next) => rest = next,
            None => break,
        }
    }
    if found.is_empty() { (found, text) } else { (found, after_head(rest)) }
}

/// The words without the marks that may separate them from a date in front of them.
pub fn after_head(words: &str) -> &str {
    words.trim_start_matches(|c: char| c.is_whitespace() || "-*•・:：)]】、,—–".contains(c))
}

/// `2026-03-02`, `2026/3/2` or `2026年3月2日`, and what follows.
pub fn leading_date(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = leading_number(text, 4)?;
    let (month, rest) = leading_number(rest.strip_prefix(['-', '/', '年'])?, 2)?;
    let (day, rest) = leading_number(rest.strip_prefix(['-', '/', '月'])?, 2)?;
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let rest = rest.strip_prefix('日').unwrap_or(rest);
    // Years before 1000 are none: dates have four digits for the year.
    (year >= 1000 && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some((date, rest))
}

/// `YYYY-MM-DD HH:MM`.
pub fn parse_when(when: &str) -> Option<DateTime> {
    let (date, time) = when.trim().split_once(' ')?;
    let (hour, minute) = time.split_once(':')?;
    let time = Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    Some(DateTime::from_parts(leading_date(date)?.0, time))
}

fn leading_number(text: &str, most_digits: usize) -> Option<(i16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits.min(most_digits))?;
    Some((number.parse().ok()?, text.get(number.len()..)?))
}
