//! Reads the instant as of which something is asked for: a day, which means its end, or a moment of it (ADR 135).

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use unicode_normalization::UnicodeNormalization as _;

use super::day::DayRange;
use crate::chat::MessageTs;

/// Why a text names no instant as of which something can be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsOfError {
    /// It names neither a day nor a moment.
    #[error(
        "`{0}` names no day and no moment: give a date (2026-03-01), which means the end of that day, a month, a name \
         (yesterday, last week, 先週), or a moment (2026-03-01 14:30, 2026-03-01T14:30:00Z)"
    )]
    Unreadable(String),
    /// It has not come yet.
    #[error("`{0}` has not come yet: there is nothing to tell as of then")]
    Future(String),
}

/// The instant that a text names, as of `now` and in `zone`. A day, a week, a month or a year means its end, the one under
/// way means now. A moment is a date and a time of day, in `zone` if it does not say where, or a message's time stamp.
///
/// # Errors
/// See [`AsOfError`].
pub fn parse_as_of(text: &str, now: Timestamp, zone: &TimeZone) -> Result<MessageTs, AsOfError> {
    let plain: String = text.nfkc().collect();
    let plain = plain.trim();
    let now_ts = MessageTs::from_timestamp(now);
    let in_future = || AsOfError::Future(text.to_owned());
    if let Some(moment) = moment_of(plain, zone) {
        return if moment > now_ts { Err(in_future()) } else { Ok(moment) };
    }
    let unreadable = || AsOfError::Unreadable(text.to_owned());
    let days = DayRange::parse(plain, now, zone).ok_or_else(unreadable)?;
    // A number of last days has no end.
    let end = days.end.ok_or_else(unreadable)?;
    if days.start > now_ts {
        return Err(in_future());
    }
    Ok(end.just_before().min(now_ts))
}

/// A moment of a day: `2026-03-01T14:30:00Z`, `2026-03-01 14:30`, `1772501472.673709`.
fn moment_of(text: &str, zone: &TimeZone) -> Option<MessageTs> {
    if let Ok(ts) = text.parse::<MessageTs>() {
        return Some(ts);
    }
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(MessageTs::from_timestamp(instant));
    }
    let local = text.parse::<DateTime>().ok().filter(|_| text.contains(':'))?;
    Some(MessageTs::from_timestamp(local.to_zoned(zone.clone()).ok()?.timestamp()))
}
