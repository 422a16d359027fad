//! The platform's time stamp of a message, held exactly.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, TimestampArithmetic};
use serde::{Deserialize, Serialize};

const MICROS: i64 = 1_000_000;
/// The most digits that the seconds may have: as many as fit into an i64 of microseconds. Slack's have ten until 2286.
const MOST_SECOND_DIGITS: usize = 13;

/// A message's time stamp: Slack's `seconds.micros`, held as microseconds since the epoch (specification §1).
///
/// Together with the channel it identifies a message. It is compared, sorted and printed exactly: it is never
/// converted to a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct MessageTs(i64);

/// Text that is not of the form `1508918687.000062`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a message time stamp (expected seconds, a point and six digits, as in 1508918687.000062)"
)]
pub struct TsError(String);

impl MessageTs {
    /// The epoch, before every message. No message has it: storage writes it for "no thread" (design §2).
    pub const MIN: Self = Self(0);
    /// After every message.
    pub const MAX: Self = Self(i64::MAX);

    /// From microseconds since the epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The instant it stands for; the first or last instant of the calendar for one beyond it.
    pub fn to_timestamp(self) -> Timestamp {
        let beyond = if self.0 < 0 { Timestamp::MIN } else { Timestamp::MAX };
        Timestamp::from_microsecond(self.0).unwrap_or(beyond)
    }

    /// The time stamp of a message posted at `instant`.
    pub fn from_timestamp(instant: Timestamp) -> Self {
        Self(instant.as_microsecond())
    }

    /// This many seconds later (earlier, when negative).
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(MICROS)))
    }

    /// The time stamp right before this one: as an exclusive lower bound it includes this one.
    #[must_use]
    pub const fn just_before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The time from `earlier` to this one, in microseconds.
    pub const fn micros_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The instant `span` after `instant`, at most the last one that the calendar has.
///
/// For a `SignedDuration` or a `std::time::Duration`; a `Span` of days or more has no fixed length and gives
/// the last instant as well.
pub fn instant_after(instant: Timestamp, span: impl Into<TimestampArithmetic>) -> Timestamp {
    instant.saturating_add(span).unwrap_or(Timestamp::MAX)
}

impl fmt::Display for MessageTs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micros = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:06}", micros / MICROS.unsigned_abs(), micros % MICROS.unsigned_abs())
    }
}

impl FromStr for MessageTs {
    type Err = TsError;

    fn from_str(text: &str) -> Result<Self, TsError> {
        // The error is shown on one line and stored, and not every control character can be stored in a database.
        let wrong = || TsError(text.chars().filter(|c| !c.is_control()).take(40).collect());
        let (seconds, micros) = text.split_once('.').ok_or_else(wrong)?;
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(seconds) || !digits(micros) || seconds.len() > MOST_SECOND_DIGITS || micros.len() != 6 {
            return Err(wrong());
        }
        let parsed = seconds.parse::<i64>().ok().zip(micros.parse::<i64>().ok());
        let exact = parsed.and_then(|(seconds, micros)| seconds.checked_mul(MICROS)?.checked_add(micros));
        exact.map(Self).ok_or_else(wrong)
    }
}

impl From<MessageTs> for String {
    fn from(ts: MessageTs) -> Self {
        ts.to_string()
    }
}

impl TryFrom<String> for MessageTs {
    type Error = TsError;

    fn try_from(text: String) -> Result<Self, TsError> {
        text.parse()
    }
}
