//! `MessageTs` (specification §1): exact, whatever its size.

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{MessageTs, instant_after};
use proptest::prelude::*;

fn ts(text: &str) -> MessageTs {
    text.parse().expect("a time stamp")
}

#[test]
fn reads_and_prints_slacks_form() {
    let first = ts("1508918687.000062");
    assert_eq!(first.as_micros(), 1_508_918_687_000_062);
    assert_eq!(first.to_string(), "1508918687.000062");
    assert_eq!(ts("0.000001").to_string(), "0.000001");
}

/// The Web API writes a cursor at the very beginning so.
#[test]
fn leading_zeros_change_nothing() {
    assert_eq!(ts("0000000000.000000"), MessageTs::MIN);
    assert_eq!(ts("0000000001.000000"), ts("1.000000"));
}

#[test]
fn other_shapes_are_refused_and_named() {
    let wrong = [
        "",
        ".",
        "1508918687",
        "1508918687.",
        ".000062",
        "1508918687.62",
        "1508918687.00006",
        "1508918687.0000620",
        "1508918687,000062",
        "1508918687.000062.1",
        "-1508918687.000062",
        "+1508918687.000062",
        "1508918687.-00062",
        "1508918687.+00062",
        " 1508918687.000062",
        "1508918687.000062\n",
        "15089 18687.000062",
        "1.508918687e9",
        "0x59f0.000062",
        "1508918687.00006a",
        "１５０８９１８６８７.000062",
        "1508918687.٠٠٠٠٦٢",
        "1508918687。000062",
        "2017-10-25 08:04",
        "3f2b8c1e-7a4d-4a57-9d0e-1c2b3a4d5e6f",
        "9223372036854.775808",
        "9999999999999.999999",
        "00000000000001.000000",
        "99999999999999999999999999.000000",
    ];
    for text in wrong {
        let error = text.parse::<MessageTs>().expect_err(text).to_string();
        assert!(error.contains(text.trim_end()) && error.contains("1508918687.000062"), "{error}");
    }
}

#[test]
fn what_is_refused_is_quoted_only_in_part() {
    let error = "9".repeat(1_000_000).parse::<MessageTs>().expect_err("too long").to_string();
    assert!(error.len() < 200, "{} bytes", error.len());
}

#[test]
fn what_is_refused_is_quoted_on_one_line() {
    let error = "\0 1772510000\n\u{1b}[2J".parse::<MessageTs>().expect_err("no time").to_string();
    assert!(!error.contains(char::is_control), "{error:?}");
    assert!(error.starts_with("` 1772510000[2J`"), "{error:?}");
}

/// A double holds 15 to 17 digits; a time stamp has 16 now, and will have 17.
#[test]
fn exact_where_a_double_is_not() {
    let earlier = "9999999999.999998";
    let later = "9999999999.999999";
    assert_eq!(earlier.parse::<f64>(), later.parse::<f64>(), "doubles confuse the two");
    assert!(ts(earlier) < ts(later));
    assert_eq!(ts(later).micros_since(ts(earlier)), 1);
    assert_eq!((ts(earlier).to_string(), ts(later).to_string()), (earlier.to_owned(), later.to_owned()));
}

#[test]
fn the_largest_of_all_keeps_its_form() {
    assert_eq!(ts(&MessageTs::MAX.to_string()), MessageTs::MAX);
    assert_eq!(MessageTs::MAX.to_string(), "9223372036854.775807");
}

#[test]
fn what_lies_before_the_epoch_prints_as_the_number_it_is() {
    assert_eq!(MessageTs::MIN.just_before().to_string(), "-0.000001");
    assert_eq!(MessageTs::from_micros(-1_500_000).to_string(), "-1.500000");
    assert_eq!(MessageTs::from_micros(i64::MIN).to_string(), "-9223372036854.775808");
}

#[test]
fn instants_and_back() {
    let instant: Timestamp = "2017-10-25T08:04:47.000062Z".parse().expect("an instant");
    assert_eq!(MessageTs::from_timestamp(instant), ts("1508918687.000062"));
    assert_eq!(ts("1508918687.000062").to_timestamp(), instant);
    assert_eq!(MessageTs::MAX.to_timestamp(), Timestamp::MAX, "beyond the calendar's end");
    assert_eq!(MessageTs::from_micros(i64::MIN).to_timestamp(), Timestamp::MIN, "before its beginning");
}

#[test]
fn later_ends_with_the_calendar() {
    let instant = ts("1508918687.000062").to_timestamp();
    assert_eq!(instant_after(instant, SignedDuration::from_secs(2)), ts("1508918689.000062").to_timestamp());
    assert_eq!(instant_after(instant, SignedDuration::MAX), Timestamp::MAX);
    assert_eq!(
        instant_after(instant, std::time::Duration::MAX),
        Timestamp::MAX,
        "more than a signed one holds"
    );
}

#[test]
fn arithmetic_stops_at_the_ends() {
    assert_eq!(ts("10.000000").plus_seconds(5), ts("15.000000"));
    assert_eq!(ts("10.000000").plus_seconds(-4), ts("6.000000"));
    assert_eq!(MessageTs::MAX.plus_seconds(1), MessageTs::MAX);
    assert_eq!(ts("1.000000").plus_seconds(i64::MAX), MessageTs::MAX);
    assert_eq!(ts("1.000000").just_before(), ts("0.999999"));
    assert_eq!(MessageTs::from_micros(i64::MIN).just_before(), MessageTs::from_micros(i64::MIN));
    assert_eq!(MessageTs::MAX.micros_since(MessageTs::from_micros(-1)), i64::MAX);
}

#[test]
fn json_holds_the_text() {
    let json = serde_json::to_string(&ts("1508918687.000062")).expect("json");
    assert_eq!(json, "\"1508918687.000062\"");
    assert_eq!(serde_json::from_str::<MessageTs>(&json).expect("a time stamp"), ts("1508918687.000062"));
    assert!(serde_json::from_str::<MessageTs>("1508918687.000062").is_err(), "never through a float");
}

proptest! {
    #[test]
    fn round_trip_of_the_value(micros in 0..=i64::MAX) {
        let stamp = MessageTs::from_micros(micros);
        prop_assert_eq!(stamp.to_string().parse(), Ok(stamp));
    }

    #[test]
    fn round_trip_of_the_text(seconds in 0..10_000_000_000_u64, micros in 0..1_000_000_u32) {
        let text = format!("{seconds}.{micros:06}");
        prop_assert_eq!(ts(&text).to_string(), text);
    }

    #[test]
    fn ordered_as_the_numbers_in_the_text(
        a in (0..10_000_000_000_u64, 0..1_000_000_u32),
        b in (0..10_000_000_000_u64, 0..1_000_000_u32),
        same_second in any::<bool>(),
    ) {
        let b = if same_second { (a.0, b.1) } else { b };
        let [x, y] = [a, b].map(|(seconds, micros)| ts(&format!("{seconds}.{micros:06}")));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in prop_oneof![any::<String>(), "[0-9]{12,14}\\.[0-9]{6}", "[0-9]{0,5}[.,]?[-+0-9]{0,8}"],
    ) {
        if let Ok(stamp) = text.parse::<MessageTs>() {
            prop_assert!(stamp >= MessageTs::MIN);
        }
    }
}
