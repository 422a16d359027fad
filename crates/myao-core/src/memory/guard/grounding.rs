//! Counts what a model's text says that stands in nothing it was shown: names, numbers and dates (specification §2.2,
//! Guard).
//!
//! What follows from the material counts as shown: the date that "tomorrow" was, the same date or number in another
//! form, a small count, a round figure, a name in another script. What may be right counts as right, so that hardly any
//! right text is refused.
//!
//! Read in this order: `pieces` (a text in one form), `figures` and `number` (dates, times and numbers),
//! `days` and `relative` (which of them the material holds or means), `names`, `known_words`, `kana`, `lexicon`;
//! `measured` measures a text by the same means.

mod days;
mod figures;
mod kana;
mod known_words;
mod lexicon;
mod measured;
mod names;
mod number;
mod pieces;
mod relative;

use std::collections::BTreeSet;

use jiff::civil::Date;

use self::{
    days::KnownDays,
    figures::{Figure, figures_of_text},
    known_words::KnownWords,
    number::{Number, in_words},
    pieces::{WrittenPiece, pieces_of_text, plain_form},
};
use super::{
    language::{without_code, without_links},
    lines::without_bullet,
};
use crate::{
    ports::{Material, MemoryEntry, Request, TalkLine, Turn},
    text::Language,
};

pub use self::measured::{FactCounts, KeptFacts, facts_kept, grounded_lines};

/// How much a text says that nobody said, by its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ungrounded {
    pub(super) names: usize,
    pub(super) numbers: usize,
    /// Dates and times.
    pub(super) dates: usize,
}

/// Counts what `text`, the answer to `request`, says beyond it.
pub(super) fn count_ungrounded(text: &str, request: &Request) -> Ungrounded {
    let known = ShownMaterial::by(request);
    let mut found = Ungrounded::default();
    for line in prose_lines(text) {
        let Ungrounded { names, numbers, dates } = of_line(&line, &known, request.language);
        found.names += names;
        found.numbers += numbers;
        found.dates += dates;
    }
    found
}

/// The lines of a text that may say something, without links, code and bullets.
fn prose_lines(text: &str) -> Vec<String> {
    let prose = plain_form(&without_links(&without_code(text)));
    prose.lines().map(|line| without_bullet(line).unwrap_or(line).to_owned()).collect()
}

/// Counts what one of the [`prose_lines`] says beyond what is known.
fn of_line(line: &str, known: &ShownMaterial, language: Language) -> Ungrounded {
    let pieces = pieces_of_text(line);
    let mut found = Ungrounded {
        names: names::count_unknown_names(&pieces, &known.words, language),
        ..Ungrounded::default()
    };
    for figure in figures_of_text(&pieces).iter().filter(|figure| !known.holds(figure)) {
        match figure {
            Figure::Number(_) => found.numbers += 1,
            Figure::Day { .. } | Figure::Month { .. } | Figure::DayOfMonth(_) | Figure::Time { .. } => {
                found.dates += 1;
            }
        }
    }
    found
}

/// What a model was shown.
#[derive(Default)]
struct ShownMaterial {
    words: KnownWords,
    days: KnownDays,
    numbers: BTreeSet<u64>,
}

impl ShownMaterial {
    fn by(request: &Request) -> Self {
        let mut shown = Self::default();
        // The owner's instructions may name somebody, so names in them count as shown; a date in them is only an
        // example.
        shown.words.add(&plain_form(&request.system));
        match &request.material {
            Material::Talk { existing, lines } => {
                shown.add_memory_text(existing, &[]);
                for line in lines {
                    shown.add_talk_line(line);
                }
            }
            Material::Memories { existing, entries } => {
                shown.add_memory_text(existing, &[]);
                for entry in entries {
                    shown.add_entry(entry);
                }
            }
            Material::Conversation(lines) => {
                for line in lines {
                    shown.add_talk_line(line);
                }
            }
        }
        // What stands beside the material: the channel's name, other memories.
        for turn in &request.turns {
            if let Turn::User(text) = turn {
                shown.add_memory_text(text, &[]);
            }
        }
        shown
    }

    fn add_talk_line(&mut self, line: &TalkLine) {
        self.days.add_head(&line.when);
        self.words.add_speaker(&plain_form(&line.name));
        let on = day_of(&line.when);
        self.add_dated_line(&line.text, on.as_slice());
    }

    fn add_entry(&mut self, entry: &MemoryEntry) {
        self.add_dated_line(&entry.label, &[]);
        let period = entry.period.as_ref().map(|(from, to)| [from, to]);
        let days: Vec<Date> = period.into_iter().flatten().filter_map(|day| day_of(day)).collect();
        self.add_memory_text(&entry.text, &days);
    }

    /// A memory, or talk as text: what a line says was said on its own date, or on the last one above it.
    fn add_memory_text(&mut self, text: &str, period: &[Date]) {
        let mut said_on = period.to_vec();
        for line in plain_form(text).lines() {
            let dates: Vec<Date> =
                figures_of_text(&pieces_of_text(line)).iter().filter_map(date_of).collect();
            if !dates.is_empty() {
                said_on = dates;
            }
            self.add_dated_line(without_stamp(line), &said_on);
        }
    }

    fn add_dated_line(&mut self, text: &str, said_on: &[Date]) {
        let text = plain_form(text);
        self.words.add(&text);
        self.days.add(&text, said_on);
        let pieces = pieces_of_text(&text);
        self.numbers.extend(in_words(&pieces));
        // Digits within words count as shown, too: the 86 of `x86`.
        self.numbers.extend(pieces.iter().filter_map(|piece| {
            if let WrittenPiece::Digits(digits) = piece {
                digits.parse::<u64>().ok()?.checked_mul(1000)
            } else {
                None
            }
        }));
        for figure in figures_of_text(&pieces) {
            if let Figure::Number(number) = figure {
                self.numbers.extend(number.value);
            } else if let Figure::Time { hour, minute } = figure {
                self.numbers
                    .extend([hour, minute].iter().filter_map(|n| u64::try_from(*n).ok()).map(|n| n * 1000));
            }
        }
    }

    fn holds(&self, figure: &Figure) -> bool {
        let has =
            |number: i8| u64::try_from(number).is_ok_and(|number| self.numbers.contains(&(number * 1000)));
        self.days.hold(figure)
            || match figure {
                Figure::Number(number) => self.holds_number(number),
                Figure::DayOfMonth(day) => has(*day),
                // A number may have been an hour, on a clock of 12 or of 24 hours: "at 3" for 15:00.
                Figure::Time { hour, minute } => {
                    let on_clock = |hour: i8| has(hour % 12) || has(hour % 12 + 12) || has(hour);
                    on_clock(*hour) && (*minute == 0 || has(*minute))
                }
                Figure::Day { .. } | Figure::Month { .. } => false,
            }
    }

    fn holds_number(&self, number: &Number) -> bool {
        let is_year = || {
            let year = number.whole().and_then(|year| i16::try_from(year).ok());
            year.is_some_and(|year| self.days.knows_year(year))
        };
        let is_day = || {
            let day = number.whole().and_then(|day| i8::try_from(day).ok());
            number.is_ordinal && day.is_some_and(|day| self.days.knows_day_of_month(day))
        };
        number.may_be_counted()
            || number.value.is_some_and(|value| self.numbers.contains(&value))
            || (number.written.contains('.') || number.value.is_none()) && self.words.hold(&number.written)
            || is_year()
            || is_day()
            || self.numbers.iter().any(|known| number.rounds(*known))
    }
}

/// The day at the beginning of a time in the form of our prompts.
fn day_of(when: &str) -> Option<Date> {
    when.split(' ').next()?.parse().ok()
}

fn date_of(figure: &Figure) -> Option<Date> {
    if let Figure::Day { year: Some(year), month, day } = *figure {
        Date::new(year, month, day).ok()
    } else {
        None
    }
}

/// A line of talk without the time before it: nobody said the numbers in that.
fn without_stamp(line: &str) -> &str {
    let behind = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    behind.filter(|(when, _)| day_of(when).is_some()).map_or(line, |(_, behind)| behind)
}
