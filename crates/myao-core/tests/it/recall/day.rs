//! Days as people name them.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::recall::{DayRange, start_of_last_days};

fn tokyo() -> TimeZone {
    TimeZone::get("Asia/Tokyo").expect("a zone")
}

/// Wednesday 18 March 2026, 08:30 in Tokyo; in UTC it is still Tuesday.
fn now() -> Timestamp {
    "2026-03-17T23:30:00Z".parse().expect("a time")
}

/// The first day and the one after the last, in Tokyo.
fn days(text: &str) -> Option<(String, Option<String>)> {
    let range = DayRange::parse(text, now(), &tokyo())?;
    let day = |ts: myao_core::chat::MessageTs| {
        let start = ts.to_timestamp().to_zoned(tokyo());
        assert_eq!(start, start.start_of_day().expect("a day"), "{text}");
        start.date().to_string()
    };
    Some((day(range.start), range.end.map(day)))
}

#[test]
fn dates_weeks_months_and_years_are_whole_days() {
    for (text, start, end) in [
        ("2026-03-01", "2026-03-01", "2026-03-02"),
        ("2026/3/1", "2026-03-01", "2026-03-02"),
        ("2026年3月1日", "2026-03-01", "2026-03-02"),
        ("２０２６－０３－０１", "2026-03-01", "2026-03-02"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("2026.3.1", "2026-03-01", "2026-03-02"),
        ("3/1", "2026-03-01", "2026-03-02"),
        ("０３／０１", "2026-03-01", "2026-03-02"),
        ("12/24", "2025-12-24", "2025-12-25"),
        ("25/12", "2025-12-25", "2025-12-26"),
        ("2/29", "2024-02-29", "2024-03-01"),
        ("3月1日", "2026-03-01", "2026-03-02"),
        ("三月一日", "2026-03-01", "2026-03-02"),
        ("令和8年3月1日", "2026-03-01", "2026-03-02"),
        ("令和８年３月", "2026-03-01", "2026-04-01"),
        ("令和七年", "2025-01-01", "2026-01-01"),
        ("令和元年五月一日", "2019-05-01", "2019-05-02"),
        ("平成30年", "2018-01-01", "2019-01-01"),
        ("R8.3.1", "2026-03-01", "2026-03-02"),
        ("2026-03", "2026-03-01", "2026-04-01"),
        ("2026年12月", "2026-12-01", "2027-01-01"),
        ("2026", "2026-01-01", "2027-01-01"),
        ("2025年", "2025-01-01", "2026-01-01"),
        ("today", "2026-03-18", "2026-03-19"),
        ("今日", "2026-03-18", "2026-03-19"),
        ("Yesterday", "2026-03-17", "2026-03-18"),
        ("昨日", "2026-03-17", "2026-03-18"),
        ("おととい", "2026-03-16", "2026-03-17"),
        ("this week", "2026-03-16", "2026-03-23"),
        ("last week", "2026-03-09", "2026-03-16"),
        ("last-week", "2026-03-09", "2026-03-16"),
        ("先週", "2026-03-09", "2026-03-16"),
        ("先月", "2026-02-01", "2026-03-01"),
        ("last year", "2025-01-01", "2026-01-01"),
    ] {
        assert_eq!(days(text), Some((start.to_owned(), Some(end.to_owned()))), "{text}");
    }
}

#[test]
fn the_last_days_have_today_in_them_and_go_on() {
    for (text, start) in
        [("1d", "2026-03-18"), ("7d", "2026-03-12"), ("0d", "2026-03-18"), ("7日", "2026-03-12")]
    {
        assert_eq!(days(text), Some((start.to_owned(), None)), "{text}");
    }
    let first = start_of_last_days(i64::MAX, now(), &tokyo());
    assert!(first < start_of_last_days(40_000, now(), &tokyo()), "as far back as it goes");
}

#[test]
fn what_is_no_day_is_none() {
    for text in [
        "",
        "foo",
        "12:30",
        "2026-13",
        "2026-02-29",
        "2026-1-2-3",
        "26-01-01",
        "20260301",
        "last",
        "7 d",
        "70000d",
        "-7d",
        "2026-03-",
        "--",
        "1.5",
        "2026.3",
        "13/13",
        "0/5",
        "3/1/4/5",
        "r8",
        "令和",
        "令和0年",
    ] {
        assert_eq!(days(text), None, "{text}");
    }
}

/// The night of 29 March 2026 has 23 hours in London.
#[test]
fn days_keep_their_beginning_when_clocks_change() {
    let london = TimeZone::get("Europe/London").expect("a zone");
    let now: Timestamp = "2026-03-30T00:15:00Z".parse().expect("a time");
    assert_eq!(start_of_last_days(2, now, &london).to_string(), "2026-03-29T00:00:00Z");
    assert_eq!(start_of_last_days(1, now, &london).to_string(), "2026-03-29T23:00:00Z");
    let day = DayRange::parse("2026-03-29", now, &london).expect("a day");
    let length = day.end.map(|end| end.micros_since(day.start) / 3_600_000_000);
    assert_eq!(length, Some(23));
}
