//! Quiet hours, over midnight and over the days on which clocks change.

use jiff::{Timestamp, civil::time, tz::TimeZone};
use myao_core::judgment::QuietHours;
use proptest::prelude::*;

fn end(hours: QuietHours, zone: &str, instant: &str) -> String {
    let zone = TimeZone::get(zone).unwrap();
    hours.end(instant.parse().unwrap(), &zone).to_string()
}

#[test]
fn the_first_instant_that_is_not_quiet() {
    let night = QuietHours { from: time(22, 0, 0, 0), to: time(7, 30, 0, 0) };
    let noon = QuietHours { from: time(12, 0, 0, 0), to: time(13, 0, 0, 0) };
    // What falls between two and three is skipped in spring and comes twice in autumn.
    let small = QuietHours { from: time(1, 0, 0, 0), to: time(2, 30, 0, 0) };
    let cases = [
        ("by day", night, "Asia/Tokyo", "2026-03-02T03:00:00Z", "2026-03-02T03:00:00Z"),
        ("before midnight", night, "Asia/Tokyo", "2026-03-02T13:00:00Z", "2026-03-02T22:30:00Z"),
        ("after midnight", night, "Asia/Tokyo", "2026-03-02T20:00:00Z", "2026-03-02T22:30:00Z"),
        ("at its end", night, "Asia/Tokyo", "2026-03-02T22:30:00Z", "2026-03-02T22:30:00Z"),
        ("within a day", noon, "UTC", "2026-03-02T12:59:59Z", "2026-03-02T13:00:00Z"),
        (
            "the night clocks go forward",
            night,
            "Europe/Berlin",
            "2026-03-28T22:00:00Z",
            "2026-03-29T05:30:00Z",
        ),
        ("the night before", night, "Europe/Berlin", "2026-03-27T22:00:00Z", "2026-03-28T06:30:00Z"),
        ("the night clocks go back", night, "Europe/Berlin", "2026-10-24T21:00:00Z", "2026-10-25T06:30:00Z"),
        ("an end that is skipped", small, "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"),
        ("an end that comes twice", small, "Europe/Berlin", "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"),
    ];
    for (what, hours, zone, instant, expected) in cases {
        assert_eq!(end(hours, zone, instant), expected, "{what}");
    }
}

proptest! {
    #[test]
    fn quiet_ends_within_a_day_and_a_bit(
        minute in 0..525_600_i64, from in 0..1440_i16, to in 0..1440_i16, zone in 0..5_usize,
    ) {
        prop_assume!(from != to);
        let clock = |m: i16| time(i8::try_from(m / 60).unwrap(), i8::try_from(m % 60).unwrap(), 0, 0);
        let hours = QuietHours { from: clock(from), to: clock(to) };
        let names = ["UTC", "Asia/Tokyo", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"];
        let zone = TimeZone::get(names[zone]).unwrap();
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let instant = start + jiff::SignedDuration::from_mins(minute);
        let end = hours.end(instant, &zone);
        prop_assert!(end >= instant);
        prop_assert!(end.duration_since(instant) <= jiff::SignedDuration::from_hours(25));
        if !hours.covers(instant.to_zoned(zone.clone()).time()) {
            prop_assert_eq!(end, instant);
        }
    }
}
