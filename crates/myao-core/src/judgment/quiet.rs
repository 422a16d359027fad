//! Hours in which nothing is said unasked (`persona.quiet_hours`).

use jiff::{Timestamp, civil::Time, tz::TimeZone};

/// A span of every day, in the local time of one zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// The start (inclusive).
    pub from: Time,
    /// The end (exclusive); if it is before `from`, it is on the next day.
    pub to: Time,
}

impl QuietHours {
    /// Whether it is quiet at the local time `time`.
    pub fn covers(&self, time: Time) -> bool {
        if self.from < self.to {
            self.from <= time && time < self.to
        } else {
            time >= self.from || time < self.to
        }
    }

    /// The first instant from `instant` on at which it is not quiet: `instant` itself, or the end of the quiet hours it
    /// falls into. If the clock shows that end twice, because it is put back, the first time counts; if it skips it,
    /// because it is put forward, the instant at which it would have shown it counts.
    pub fn end(&self, instant: Timestamp, zone: &TimeZone) -> Timestamp {
        let local = instant.to_zoned(zone.clone());
        if !self.covers(local.time()) {
            return instant;
        }
        let today = local.date();
        let days = [Some(today), today.tomorrow().ok()];
        let ends = days.into_iter().flatten().filter_map(|day| {
            let end = zone.to_ambiguous_zoned(day.to_datetime(self.to)).compatible().ok()?;
            (end.timestamp() > instant).then_some(end.timestamp())
        });
        ends.min().unwrap_or(instant)
    }
}
