//! Parses `--since` (a day, or a number of days) and `--until` (a day).

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use super::Failure;

/// Parses `--since`: the beginning of a day (`2026-03-01`), or of the first of the last days (`7d`, today included).
/// Without `wanted`, that of the last `default_days`.
pub(super) fn since(
    wanted: Option<&str>,
    default_days: i64,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Timestamp, Failure> {
    let days = |days: i64| {
        let first = now.saturating_sub(SignedDuration::from_hours(24 * (days - 1))).unwrap_or(Timestamp::MIN);
        first.to_zoned(zone.clone()).start_of_day().map_or(first, |start| start.timestamp())
    };
    let Some(text) = wanted else { return Ok(days(default_days)) };
    if let Some(number) = text.strip_suffix('d').and_then(|number| number.parse::<u16>().ok()) {
        return Ok(days(i64::from(number.max(1))));
    }
    start_of(text, zone, || format!("--since {text}: expected a date (2026-03-01) or a number of days (7d)"))
}

/// Parses `--until`: the beginning of a day.
pub(super) fn until(text: &str, zone: &TimeZone) -> Result<Timestamp, Failure> {
    start_of(text, zone, || format!("--until {text}: expected a date (2026-03-01)"))
}

fn start_of(text: &str, zone: &TimeZone, complaint: impl FnOnce() -> String) -> Result<Timestamp, Failure> {
    let date: Date = text.parse().map_err(|_e: jiff::Error| Failure::usage(complaint()))?;
    Ok(date.to_zoned(zone.clone()).map_err(anyhow::Error::from)?.timestamp())
}
