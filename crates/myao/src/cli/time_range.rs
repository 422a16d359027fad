//! Parses `--since` and `--until`: days as people name them, in English or Japanese.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::MessageTs,
    recall::{DayRange, start_of_last_days},
};

use super::Failure;

/// What may be written, for complaints.
pub(super) const DAYS: &str =
    "a date (2026-03-01), a number of days (7d) or a name (yesterday, last week, 先週)";

/// Parses `--since`: the beginning of a day (`2026-03-01`, `yesterday`), a week (`last week`, 先週), a month or a year, or
/// of the first of the last days (`7d`, today included). Without `wanted`, the beginning of the last `default_days`.
pub(super) fn parse_since(
    wanted: Option<&str>,
    default_days: i64,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Timestamp, Failure> {
    let Some(text) = wanted else { return Ok(start_of_last_days(default_days, now, zone)) };
    Ok(start_of(text, "--since", now, zone)?.to_timestamp())
}

/// Parses `--until`: the beginning of a day, a week, a month or a year.
pub(super) fn parse_until(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Timestamp, Failure> {
    Ok(start_of(text, "--until", now, zone)?.to_timestamp())
}

fn start_of(text: &str, option: &str, now: Timestamp, zone: &TimeZone) -> Result<MessageTs, Failure> {
    DayRange::parse(text, now, zone)
        .map(|range| range.start)
        .ok_or_else(|| Failure::usage(format!("{option} {text}: expected {DAYS}")))
}
