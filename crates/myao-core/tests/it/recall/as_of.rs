//! As of when something is asked for: by an option, and in a question.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::MessageTs,
    recall::{AsOfError, NamedInQuestion, RecallFilter, parse_as_of},
};

/// Wednesday 18 March 2026, 08:30 in Tokyo.
fn now() -> Timestamp {
    "2026-03-17T23:30:00Z".parse().expect("a time")
}

fn tokyo() -> TimeZone {
    TimeZone::get("Asia/Tokyo").expect("a zone")
}

fn instant(text: &str) -> Result<String, AsOfError> {
    parse_as_of(text, now(), &tokyo()).map(shown)
}

fn shown(ts: MessageTs) -> String {
    ts.to_timestamp().to_zoned(tokyo()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[test]
fn a_day_means_its_end_and_a_moment_itself() {
    for (text, expected) in [
        ("2026-03-01", "2026-03-01 23:59:59"),
        ("２０２６年３月１日", "2026-03-01 23:59:59"),
        ("3/1", "2026-03-01 23:59:59"),
        ("2026-02", "2026-02-28 23:59:59"),
        ("2025", "2025-12-31 23:59:59"),
        ("yesterday", "2026-03-17 23:59:59"),
        ("先週", "2026-03-15 23:59:59"),
        ("2026-03-01 14:30", "2026-03-01 14:30:00"),
        ("2026-03-01T14:30", "2026-03-01 14:30:00"),
        ("2026-03-01T14:30:00Z", "2026-03-01 23:30:00"),
        ("2026-03-01T14:30:00+09:00", "2026-03-01 14:30:00"),
        ("1772375400.000000", "2026-03-01 23:30:00"),
        // What is not over means now.
        ("today", "2026-03-18 08:30:00"),
        ("今週", "2026-03-18 08:30:00"),
        ("2026", "2026-03-18 08:30:00"),
    ] {
        assert_eq!(instant(text), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn the_last_instant_of_a_day_belongs_to_it() {
    let end = parse_as_of("2026-03-01", now(), &tokyo()).expect("a day");
    let next = parse_as_of("2026-03-02 00:00", now(), &tokyo()).expect("a moment");
    assert_eq!(next.micros_since(end), 1);
}

#[test]
fn what_has_not_come_and_what_is_no_day_is_refused() {
    for text in ["2026-03-19", "2027", "2026-03-18 08:31", "2026-03-18T00:00:00Z"] {
        assert_eq!(instant(text), Err(AsOfError::Future(text.to_owned())), "{text}");
    }
    for text in ["", "soon", "7d", "2026-13-01", "2026-02-30", "25:00", "第一章"] {
        assert_eq!(instant(text), Err(AsOfError::Unreadable(text.to_owned())), "{text}");
    }
}

#[test]
fn bounds_of_a_filter_only_grow_narrower() {
    let early = MessageTs::from_micros(100);
    let late = MessageTs::from_micros(200);
    let filter = RecallFilter::default().with_as_of(late);
    assert!(filter.spans(late) && !filter.spans(MessageTs::from_micros(201)));
    let filter = filter.with_as_of(early).with_as_of(late);
    assert_eq!(filter.as_of, Some(early));
    assert!(filter.spans(early) && !filter.spans(MessageTs::from_micros(101)));
    let before = RecallFilter { before: Some(early), ..RecallFilter::default() }.with_as_of(late);
    assert!(!before.spans(early), "a bound that was there stays");
}

/// The instant that a question asks as of, and what else it asks for.
fn asked(question: &str) -> Option<(String, String)> {
    let named = NamedInQuestion::new(question, now(), &tokyo());
    assert_eq!(named.as_of, NamedInQuestion::as_of_question(question, now(), &tokyo()), "{question}");
    let rest = named.without_days().split_whitespace().collect::<Vec<_>>().join(" ");
    named.as_of.map(|ts| (shown(ts), rest))
}

#[test]
fn questions_as_of_a_day() {
    for (question, until, rest) in [
        ("As of 1 March, where is the party?", "2026-03-01 23:59:59", ", where is the party?"),
        ("what is the price as of March 5th?", "2026-03-05 23:59:59", "what is the price ?"),
        ("who led it as of February 2026", "2026-02-28 23:59:59", "who led it"),
        ("as at 2026-03-01: the budget", "2026-03-01 23:59:59", ": the budget"),
        ("What was the plan on 1 March?", "2026-03-01 23:59:59", "What was the plan ?"),
        ("who was the lead on 3/1?", "2026-03-01 23:59:59", "who was the lead ?"),
        ("what were the old prices on Monday", "2026-03-16 23:59:59", "what were the old prices"),
        ("3月1日の時点では？", "2026-03-01 23:59:59", "?"),
        ("3月1日時点の予定は？", "2026-03-01 23:59:59", "予定は?"),
        ("2月現在の予算", "2026-02-28 23:59:59", "予算"),
        ("先週の時点での締め切り", "2026-03-15 23:59:59", "締め切り"),
        ("令和8年3月1日の段階で会場はどこ", "2026-03-01 23:59:59", "会場はどこ"),
    ] {
        assert_eq!(asked(question), Some((until.to_owned(), rest.to_owned())), "{question}");
    }
}

/// What was said or done on a day, or is meant for one, is no question of how things stood; nor is one whose days are not
/// over.
#[test]
fn other_questions_about_days() {
    for question in [
        "what did Noor say on 1 March?",
        "what was decided on 1 March?",
        "what was the plan for 1 March?",
        "what is the plan on 1 March?",
        "was the plan on 1 March good?",
        "when was the plan made on 1 March?",
        "the plan as of today",
        "what broke since 1 March",
        "class of March 5",
        "3月1日の予定は？",
        "3月1日に決めたことは？",
        "今日の時点では？",
        "時点の話",
        "the state of things as of late",
    ] {
        assert_eq!(asked(question), None, "{question}");
    }
}
