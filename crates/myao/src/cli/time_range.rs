//! Parses `--since` (a day, or a number of days) and `--until` (a day).

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use myao_core::recall::start_of_last_days;

use super::Failure;

/// Parses `--since`: the beginning of a day (`2026-03-01`), or of the first of the last days (`7d`, today included).
/// Without `wanted`, the beginning of the last `default_days`.
pub(super) fn parse_since(
    wanted: Option<&str>,
    default_days: i64,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Timestamp, Failure> {
    let Some(text) = wanted else { return Ok(start_of_last_days(default_days, now, zone)) };
    if let Some(days) = text.strip_suffix('d').and_then(|number| number.parse::<u16>().ok()) {
        return Ok(start_of_last_days(i64::from(days), now, zone));
    }
    start_of(text, zone, || format!("--since {text}: expected a date (2026-03-01) or a number of days (7d)"))
}

/// Parses `--until`: the beginning of a day.
pub(super) fn parse_until(text: &str, zone: &TimeZone) -> Result<Timestamp, Failure> {
    start_of(text, zone, || format!("--until {text}: expected a date (2026-03-01)"))
}

fn start_of(text: &str, zone: &TimeZone, complaint: impl FnOnce() -> String) -> Result<Timestamp, Failure> {
    let date: Date = text.parse().map_err(|_e: jiff::Error| Failure::usage(complaint()))?;
    Ok(date.to_zoned(zone.clone()).map_err(anyhow::Error::from)?.timestamp())
}
