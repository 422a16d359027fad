//! An export is newer than memory: what it leaves out was deleted, where it would surely hold it (specification §6).

use std::{
    borrow::Borrow,
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::{
    binary::{Home, Ran, number},
    exports::Export,
};

const ZONE: &str = "Asia/Tokyo";

/// What is said: in which channel, at which minute, and in which thread.
#[derive(Clone, Debug)]
struct Said {
    channel: &'static str,
    minute: i64,
    root: Option<i64>,
    is_bot: bool,
}

fn ts(minute: i64) -> String {
    let start: Timestamp = "2026-03-02T00:00:00+09:00".parse().expect("a time");
    format!("{}.000100", start.as_second() + minute * 60)
}

impl Said {
    fn words(&self) -> String {
        format!("words-{}-{}", self.channel, self.minute)
    }

    fn json(&self) -> Value {
        let mut message = json!({"type": "message", "ts": ts(self.minute), "text": self.words()});
        let author = if self.is_bot {
            json!({"subtype": "bot_message", "bot_id": "B1", "username": "ci"})
        } else {
            json!({"user": "U1"})
        };
        let fields = message.as_object_mut().expect("an object");
        fields.extend(author.as_object().expect("an object").clone());
        if let Some(root) = self.root {
            fields.insert("thread_ts".into(), ts(root).into());
        }
        message
    }

    fn file(&self, zone: &str) -> String {
        let second: i64 = ts(self.minute).split('.').next().and_then(|s| s.parse().ok()).expect("seconds");
        let zone = TimeZone::get(zone).expect("a zone");
        let day = Timestamp::from_second(second).expect("a time").to_zoned(zone).date();
        format!("{}/{day}.json", self.channel)
    }
}

/// Five days in two channels, ten messages a day and channel; some are replies, some a bot's.
fn history() -> Vec<Said> {
    let one = |channel, day: i64, n: i64| Said {
        channel,
        minute: day * 1440 + n * 143,
        root: (n % 3 == 1).then_some(day * 1440),
        is_bot: n % 4 == 2,
    };
    let days = (0..5).flat_map(|day| (0..10).map(move |n| (day, n)));
    ["general", "random"]
        .iter()
        .flat_map(|channel| days.clone().map(move |(day, n)| one(*channel, day, n)))
        .collect()
}

fn export_of(messages: impl IntoIterator<Item: Borrow<Said>>, zone: &str) -> Export {
    let mut files = BTreeMap::<String, Vec<Value>>::new();
    for message in messages {
        let message = message.borrow();
        files.entry(message.file(zone)).or_default().push(message.json());
    }
    let channels = json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "random"}]);
    // Only Slack's own exports prove anything.
    let export = Export::new().with("channels.json", &channels).with("integration_logs.json", &json!([]));
    files.into_iter().fold(export, |export, (file, day)| export.with(&file, &Value::Array(day)))
}

/// Days after the beginning of the history.
fn taken(days: u64) -> SystemTime {
    let start: Timestamp = "2026-03-02T00:00:00+09:00".parse().expect("a time");
    let start = u64::try_from(start.as_second()).expect("after 1970");
    SystemTime::UNIX_EPOCH + Duration::from_secs(start + days * 86_400)
}

fn home() -> Home {
    Home::with_config(&format!("memory:\n  database_path: data/memory.db\nlocale:\n  timezone: {ZONE}\n"))
}

fn run(home: &Home, export: &Export, name: &str, taken: SystemTime, more: &[&str]) -> Ran {
    let path = export.folder(home, name, Some(taken));
    let path = path.to_str().expect("UTF-8");
    home.run(&[&["import", "slack", path, "--json"], more].concat())
}

fn deleted(ran: &Ran) -> u64 {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    number(&ran.json(), "deleted")
}

/// What is still remembered of these words, anywhere a person can look.
fn told(home: &Home) -> String {
    let mut all = String::new();
    for channel in ["general", "random"] {
        for args in
            [&["memory", "show", channel][..], &["prompt", channel], &["memory", "log", channel, "--json"]]
        {
            all.push_str(&home.done(args).out);
        }
    }
    all
}

#[test]
fn what_a_newer_export_leaves_out_is_deleted() {
    let all = history();
    // A first of a day (a root) and a last, a reply, a bot's, in the middle; the last of a channel.
    let gone: Vec<usize> = vec![10, 19, 24, 34, 36, 49, 55];
    let left: Vec<&Said> =
        all.iter().enumerate().filter(|(n, _)| !gone.contains(n)).map(|(_, said)| said).collect();
    for zone in ["UTC", ZONE] {
        let home = home();
        let before = export_of(&all, zone);
        let after = export_of(left.iter().copied(), zone);
        assert_eq!(deleted(&run(&home, &before, "before", taken(6), &[])), 0);
        home.done(&["memory", "build", "--now"]);
        assert!(told(&home).contains(&all[34].words()));

        let ran = run(&home, &after, "after", taken(8), &[]);
        assert_eq!(deleted(&ran), 7, "{zone}: {ran:?}");
        home.done(&["memory", "build", "--now"]);
        assert_eq!(number(&home.adds_up(), "messages"), 93);
        let told_after = told(&home);
        for n in &gone {
            let words = all[*n].words();
            assert!(
                !told_after.lines().any(|line| line.split_whitespace().any(|w| w == words)),
                "{zone}: {words}"
            );
        }
        home.done(&["memory", "verify"]);

        // Again, as a zip, and the older one: nothing more is deleted, nothing comes back.
        assert_eq!(deleted(&run(&home, &after, "again", taken(8), &[])), 0);
        let zip = after.zip(&home, "after.zip");
        assert_eq!(number(&home.import(&zip), "deleted"), 0);
        assert_eq!(deleted(&run(&home, &before, "before-again", taken(6), &[])), 0);
        assert_eq!(number(&home.adds_up(), "messages"), 93);
    }
}

/// Whether an export holds a message: by its file and the minute it was said at.
type Holds = fn(&str, i64) -> bool;

#[test]
fn a_missing_day_channel_or_span_proves_nothing() {
    let all = history();
    let parts: [(&str, Holds); 4] = [
        ("a day of a channel", |file, _| file != "general/2026-03-04.json"),
        ("a channel", |file, _| file.starts_with("general/")),
        ("a span of time", |_, minute| (1000..4000).contains(&minute)),
        ("a cut-off end", |_, minute| minute < 3 * 1440 + 700),
    ];
    for zone in ["UTC", ZONE] {
        for (what, holds) in parts {
            let home = home();
            run(&home, &export_of(&all, zone), "before", taken(6), &[]);
            let part = export_of(all.iter().filter(|said| holds(&said.file(zone), said.minute)), zone);
            assert_eq!(deleted(&run(&home, &part, "part", taken(8), &[])), 0, "{zone}: {what}");
            assert_eq!(number(&home.adds_up(), "messages"), 100, "{zone}: {what}");
        }
    }
}

#[test]
fn an_older_export_deletes_nothing() {
    let all = history();
    let home = home();
    run(&home, &export_of(&all, ZONE), "newer", taken(6), &[]);
    let older = export_of(all.iter().enumerate().filter(|(n, _)| n % 7 != 3).map(|(_, said)| said), ZONE);
    assert_eq!(deleted(&run(&home, &older, "older", taken(5), &[])), 0);
    assert_eq!(number(&home.adds_up(), "messages"), 100);
}

#[test]
fn a_damaged_day_proves_nothing() {
    let all = history();
    let home = home();
    run(&home, &export_of(&all, ZONE), "before", taken(6), &[]);
    let mut export =
        export_of(all.iter().filter(|said| (said.channel, said.minute) != ("general", 143 * 4)), ZONE);
    let day = export.files.get_mut("general/2026-03-02.json").expect("there");
    day.truncate(day.len() - 3);
    let ran = run(&home, &export, "damaged", taken(8), &[]);
    assert_eq!((ran.code, number(&ran.json(), "deleted")), (Some(1), 0), "{ran:?}");
}

#[test]
fn over_a_fifth_is_asked_about() {
    let all = history();
    let home = home();
    run(&home, &export_of(&all, ZONE), "before", taken(6), &[]);
    let is_gone = |said: &Said| said.channel == "general" && said.minute % 1440 > 1000;
    let gone = u64::try_from(all.iter().filter(|said| is_gone(said)).count()).expect("few");
    assert!(gone > 10);
    let part = export_of(all.iter().filter(|said| !is_gone(said)), ZONE);
    let ran = run(&home, &part, "part", taken(8), &[]);
    assert_eq!((ran.code, number(&ran.json(), "deleted")), (Some(1), 0), "{ran:?}");
    let asked = home.done(&["status"]).out;
    assert!(asked.contains("of 50 messages") && asked.contains("--missing-are-deleted"), "{asked}");
    assert_eq!(number(&home.adds_up(), "messages"), 100);

    let ran = run(&home, &part, "part", taken(8), &["--missing-are-deleted"]);
    assert_eq!((ran.code, number(&ran.json(), "deleted")), (Some(0), gone), "{ran:?}");
    assert!(!home.done(&["status"]).out.contains("missing in a newer"), "it is answered");
    assert_eq!(number(&home.adds_up(), "messages"), 100 - gone);
}

/// What models were asked is a copy of what people said.
#[test]
fn recordings_lose_what_is_deleted() {
    let all = history();
    let home = Home::with_config(&format!(
        "memory:\n  database_path: data/memory.db\nlocale:\n  timezone: {ZONE}\nlogging:\n  \
         debug_llm_messages: true\n"
    ));
    run(&home, &export_of(&all, ZONE), "before", taken(6), &[]);
    // Not word for word: a model is asked.
    home.write(
        "config.yaml",
        format!(
            "memory:\n  database_path: data/memory.db\n  short_term_history:\n    enabled: true\n    \
             verbatim_small: false\nlocale:\n  timezone: {ZONE}\nlogging:\n  debug_llm_messages: true\n"
        ),
    );
    home.done(&["memory", "build", "--now"]);
    let recorded = || std::fs::read_to_string(home.path("data/llm-messages.jsonl")).expect("recorded");
    let words = all[34].words();
    let lines = recorded().lines().count();
    assert!(lines > 0 && recorded().contains(&words), "{lines}");
    let after = export_of(all.iter().enumerate().filter(|(n, _)| *n != 34).map(|(_, said)| said), ZONE);
    assert_eq!(deleted(&run(&home, &after, "after", taken(8), &[])), 1);
    assert!(!recorded().contains(&words), "it must not outlive the message");
    assert_eq!(recorded().lines().count(), lines, "when was asked, and what it cost, stays");
}
