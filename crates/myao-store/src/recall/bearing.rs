//! What it counts that somebody whom a question names said something, and on a day that it names (ADR 99).

use jiff::tz::TimeZone;
use myao_core::{
    chat::{MessageTs, UserId},
    recall::{DayRange, NamedInQuestion, name_parts},
};

use super::texts::RecalledText;

/// By what the score is multiplied of what the person said whom a question names, and of what was asked for as said.
const SPOKE: f64 = 2.0;

const SAID: f64 = 3.0;

/// By what the score is multiplied of what was said up to so many days after the days that a question names, and of what
/// was said at any other time: people tell of a day after it, too.
const AFTER: f64 = 0.6;

const DAYS_AFTER: i64 = 7;

const OUTSIDE: f64 = 0.15;

const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// Whom and when a question names.
#[derive(Clone, Debug)]
pub(super) struct Bearing {
    /// The people.
    pub(super) users: Vec<UserId>,
    /// Their names, as names are compared.
    pub(super) names: Vec<String>,
    /// Whether what they said is asked for.
    pub(super) asks_what_was_said: bool,
    /// The days.
    pub(super) days: Option<DayRange>,
    /// The zone of the days.
    pub(super) zone: TimeZone,
}

impl Bearing {
    /// By what a score is multiplied.
    pub(super) fn of(&self, text: &RecalledText) -> f64 {
        let is_speaker = match text {
            RecalledText::Message(message) => self.users.contains(&message.user),
            RecalledText::Line(line) => line.spoken.as_ref().is_some_and(|(name, _)| self.is_called(name)),
        };
        let spoke = if self.asks_what_was_said { SAID } else { SPOKE };
        let by_day = self.days.map_or(1.0, |days| self.of_days(text, days));
        if is_speaker { spoke * by_day } else { by_day }
    }

    fn is_called(&self, name: &str) -> bool {
        let parts = name_parts(name);
        self.names.iter().any(|called| parts.contains(called))
    }

    fn of_days(&self, text: &RecalledText, days: DayRange) -> f64 {
        let at = text.said_at();
        let end = days.end.unwrap_or(MessageTs::MAX);
        let is_message = text.as_message().is_some();
        if is_message && days.start <= at && at < end {
            return 1.0;
        }
        // A line tells its day in front of it, and people name days in advance.
        let named = NamedInQuestion::days_of(&text.words(), at.to_timestamp(), &self.zone);
        let overlaps =
            |other: DayRange| other.start < end && other.end.is_none_or(|other| other > days.start);
        if named.is_some_and(overlaps) {
            return 1.0;
        }
        let is_after = at >= end && at.micros_since(end) <= DAYS_AFTER * MICROS_OF_A_DAY;
        if is_after { AFTER } else { OUTSIDE }
    }
}
