//! The nights in which clocks are changed: an hour that comes twice in autumn and one that never comes in spring
//! leave no message without a memory. End to end, with the real program in zones that change their clocks.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

/// A zone, and an instant at which its clocks are changed.
const CHANGES: [(&str, &str); 4] = [
    ("America/New_York", "2025-11-02T06:00:00Z"),
    ("America/New_York", "2026-03-08T07:00:00Z"),
    ("Europe/London", "2025-10-26T01:00:00Z"),
    ("Europe/London", "2026-03-29T01:00:00Z"),
];
/// When something is said last in a channel, in minutes from the change.
const LAST_SAID: [i64; 7] = [-150, -61, -59, -1, 0, 59, 61];
/// How long after the last word of all the export is taken, in minutes: just over the time after which a
/// conversation is over.
const TAKEN_AFTER: i64 = 121;

fn at(change: &str, minutes: i64) -> Timestamp {
    let change: Timestamp = change.parse().expect("a time");
    change + jiff::SignedDuration::from_mins(minutes)
}

/// A channel for each of the last words; in each somebody speaks until then, and nobody does after.
fn export(change: &str) -> Export {
    let channels: Vec<Value> = (0..LAST_SAID.len())
        .map(|n| json!({"id": format!("C{n}"), "name": format!("channel-{n}")}))
        .collect();
    let mut export = Export::new().with("channels.json", &Value::Array(channels));
    for (n, last) in LAST_SAID.into_iter().enumerate() {
        let day = |minutes: i64| {
            let ts = at(change, minutes);
            (
                ts.strftime("%F").to_string(),
                said(&format!("{}.000100", ts.as_second()), "U1", &format!("said {minutes}")),
            )
        };
        let mut files = std::collections::BTreeMap::<String, Vec<Value>>::new();
        for minutes in [last - 300, last - 30, last - 1, last] {
            let (file, message) = day(minutes);
            files.entry(file).or_default().push(message);
        }
        for (file, messages) in files {
            export = export.with(&format!("channel-{n}/{file}.json"), &Value::Array(messages));
        }
    }
    export
}

#[test]
fn nothing_said_around_a_change_of_clocks_is_pending_for_ever() {
    for (zone, change) in CHANGES {
        let home = Home::with_config(&format!(
            "memory:\n  database_path: data/memory.db\nlocale:\n  timezone: {zone}\n"
        ));
        let last = LAST_SAID.into_iter().max().expect("some");
        let taken = u64::try_from(at(change, last + TAKEN_AFTER).as_second()).expect("after 1970");
        let taken = SystemTime::UNIX_EPOCH + Duration::from_secs(taken);
        home.import(&export(change).folder(&home, "export", Some(taken)));
        home.done(&["memory", "build"]);
        let status = home.adds_up();
        let said = u64::try_from(LAST_SAID.len() * 4).expect("few");
        assert_eq!(
            (number(&status, "messages"), number(&status, "pending")),
            (said, 0),
            "{zone} {change}: {status}"
        );
        assert_eq!(number(&status, "covered"), said);
        home.done(&["memory", "verify"]);
        // The hour that comes twice is told in order, and nothing fails for the hour that never comes.
        for n in 0..LAST_SAID.len() {
            home.done(&["prompt", &format!("channel-{n}")]);
            home.done(&["memory", "show", &format!("channel-{n}")]);
        }
    }
}
