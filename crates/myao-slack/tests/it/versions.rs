//! Several elements about one message.

use myao_core::chat::Event;
use serde_json::{Value, json};

use crate::sample::{Sample, said, ts};

const AT: &str = "1772420000.000100";

fn edited(text: &str, at: &str) -> Value {
    json!({"ts": AT, "user": "U1", "text": text, "edited": {"user": "U1", "ts": at}})
}

fn tombstone() -> Value {
    json!({"ts": AT, "subtype": "tombstone", "user": "USLACKBOT"})
}

#[test]
fn within_a_file_the_later_edit_stands_else_the_first() {
    let early = edited("early", "1772420001.000000");
    let late = edited("late", "1772420002.000000");
    let table = [
        (json!([said(AT, "U1", "one"), said(AT, "U2", "two")]), "one"),
        (json!([said(AT, "U1", "one"), early, late]), "late"),
        (json!([late, early, said(AT, "U1", "one")]), "late"),
        (
            json!([early, said("1772420005.000000", "U2", "x"), edited("same time", "1772420001.000000")]),
            "early",
        ),
    ];
    for (messages, stands) in table {
        let outcome = Sample::new().day(&messages).read();
        let of_one: Vec<_> = outcome.messages().into_iter().filter(|m| m.ts == ts(AT)).collect();
        assert_eq!(of_one.len(), 1);
        assert_eq!(of_one[0].text, stands);
        let elements = u64::try_from(messages.as_array().unwrap().len()).unwrap();
        assert_eq!(outcome.report.messages + outcome.report.duplicates, elements);
    }
}

#[test]
fn across_files_only_a_later_edit_comes_again() {
    let sample = |second: &Value| {
        Sample::new()
            .with("general/2026-03-02.json", &json!([edited("early", "1772420001.000000")]))
            .with("general/2026-03-03.json", &json!([second]))
            .read()
    };
    assert_eq!(sample(&said(AT, "U1", "unedited")).texts(), ["early"]);
    let newer = sample(&edited("late", "1772420002.000000"));
    assert_eq!(newer.texts(), ["early", "late"], "the archive takes the later edit");
    assert_eq!((newer.report.messages, newer.report.duplicates), (1, 1));
}

#[test]
fn one_time_stamp_in_two_channels_is_two_messages() {
    let sample = Sample::new().day(&json!([said(AT, "U1", "here")]));
    let outcome = sample.with("other/2026-03-02.json", &json!([said(AT, "U1", "there")])).read();
    assert_eq!((outcome.texts(), outcome.report.duplicates), (vec!["here", "there"], 0));
}

#[test]
fn what_is_deleted_stays_deleted() {
    for messages in [
        json!([tombstone(), said(AT, "U1", "back")]),
        json!([tombstone(), tombstone(), edited("back", "1772420009.000000")]),
        json!([said(AT, "U1", "still here"), tombstone()]),
    ] {
        let outcome = Sample::new().day(&messages).read();
        let last = outcome.events.iter().rfind(|event| !matches!(event, Event::HeardUntil { .. }));
        assert!(matches!(last, Some(Event::Deleted { ts: at, .. }) if *at == ts(AT)), "{messages}");
        assert_eq!(outcome.report.deleted, 1);
        let elements = u64::try_from(messages.as_array().unwrap().len()).unwrap();
        assert_eq!(outcome.report.messages + outcome.report.deleted + outcome.report.duplicates, elements);
    }
}

#[test]
fn reading_again_gives_the_same_events() {
    let messages = json!([said(AT, "U1", "one"), said(AT, "U2", "two"), tombstone(), {"ts": "x"}, 7,
        {"ts": AT, "subtype": "future"}, {"ts": AT, "subtype": "future", "other": true}]);
    let export = Sample::new().day(&messages).zip();
    let first = export.read();
    assert_eq!(first, export.read());
    let keys: Vec<_> = first.unread().into_iter().map(|(key, _)| key).collect();
    let place = |at| format!("general/2026-03-02.json#{at}");
    assert_eq!(keys, [&place(3), &place(4), "C1/1772420000.000100", &place(6)], "no two of one name");
    assert_eq!(first.report.unread, 4);
}
