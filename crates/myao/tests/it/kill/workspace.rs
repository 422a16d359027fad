//! A made-up workspace, the same in every run: several channels, Japanese and English, bursts of talk, silences
//! and threads.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::{binary::Home, exports::Export};

/// Channels with their kind's index file.
const CHANNELS: [(&str, &str); 5] = [
    ("general", "channels.json"),
    ("開発", "channels.json"),
    ("雑談", "channels.json"),
    ("launch", "channels.json"),
    ("人事", "groups.json"),
];
const PEOPLE: [&str; 5] = ["aki", "ben", "花子", "Élodie", "次郎"];
const MESSAGES_PER_CHANNEL: u64 = 500;
const BEGIN: i64 = 1_746_000_000;
/// Between the newest message and the taking of the export: every conversation is over by then.
const AFTERWARDS: i64 = 3 * 3600;

const SAID: [&str; 16] = [
    "来週の金曜までに見積もりを出します。",
    "予算は{}万円に決まりました。",
    "ごめんなさい、会議が{}分遅れます。",
    "新しいサーバーに引っ越しました。問題があれば教えてください。",
    "お昼はカレーにしましょうか?",
    "締め切りは{}日です。忘れないでくださいね。",
    "了解です!",
    "写真を{}枚送りました。とてもよく撮れています。",
    "We decided to ship on the {}th.",
    "Can somebody review my change before lunch?",
    "The error rate went down by {} percent after the fix.",
    "I'll be on holiday for {} days, Ben takes over.",
    "thanks!",
    "The customer asked for {} more licences; I said we would answer by Monday.",
    "Tests are green again, the flaky one was the clock.",
    "Who has the key to the meeting room?",
];

/// Numbers that look like chance: xorshift.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number from 0 on, below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let at = self.below(u64::try_from(list.len()).expect("few"));
        list[usize::try_from(at).expect("few")]
    }
}

/// Writes the workspace as a folder into `home`.
pub(super) fn written(home: &Home) -> PathBuf {
    written_with(home, 0)
}

/// The same, with so many more public channels.
pub(crate) fn written_with(home: &Home, more: usize) -> PathBuf {
    let more = (0..more).map(|n| (format!("room-{n:02}"), "channels.json"));
    let channels: Vec<(String, &str)> =
        CHANNELS.iter().map(|(name, index)| ((*name).to_owned(), *index)).chain(more).collect();
    let mut chance = Chance::new(20_260_302);
    let people = PEOPLE.map(|name| json!({"id": id("U", name), "profile": {"display_name": name}}));
    let mut export = Export::default().with("users.json", &json!(people));
    for file in ["channels.json", "groups.json"] {
        let listed = channels.iter().filter(|(_, index)| *index == file);
        let channels: Vec<Value> =
            listed.map(|(name, _)| json!({"id": id("C", name), "name": name})).collect();
        export = export.with(file, &json!(channels));
    }
    let mut newest = BEGIN;
    for (channel, _) in &channels {
        for (day, messages) in talk(&mut chance, &mut newest) {
            export = export.with(&format!("{channel}/{day}.json"), &json!(messages));
        }
    }
    let taken = u64::try_from(newest + AFTERWARDS).expect("after 1970");
    export.folder(home, "export", Some(SystemTime::UNIX_EPOCH + Duration::from_secs(taken)))
}

/// An id made of a name: its bytes in hexadecimal.
fn id(kind: &str, name: &str) -> String {
    name.bytes().fold(kind.to_owned(), |id, byte| format!("{id}{byte:02X}"))
}

/// A channel's messages by day. The channels end about the same time, so that some threads are still fresh.
fn talk(chance: &mut Chance, newest: &mut i64) -> BTreeMap<String, Vec<Value>> {
    let mut days: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut roots: Vec<String> = Vec::new();
    let mut second = BEGIN;
    for n in 0..MESSAGES_PER_CHANNEL {
        let is_pause = chance.below(12) == 0;
        second += i64::try_from(if is_pause { 7200 + chance.below(60_000) } else { 5 + chance.below(400) })
            .expect("days");
        let ts = format!("{second}.{n:06}");
        let mut message =
            json!({"type": "message", "ts": ts, "user": id("U", chance.of(&PEOPLE)), "text": text(chance)});
        match chance.below(6) {
            0 => roots.push(ts),
            // Not understood, and kept as it is.
            1 if n % 50 == 0 => message["subtype"] = json!("from_the_future"),
            1 | 2 => message["thread_ts"] = roots.last().map_or(Value::Null, |root| json!(root)),
            _ => {}
        }
        let day = Timestamp::from_second(second).expect("a time").to_zoned(TimeZone::UTC).date().to_string();
        days.entry(day).or_default().push(message);
    }
    *newest = second.max(*newest);
    days
}

fn text(chance: &mut Chance) -> String {
    let sentences = 1 + chance.below(4);
    let said = |chance: &mut Chance| chance.of(&SAID).replace("{}", &(2 + chance.below(28)).to_string());
    (0..sentences).map(|_| said(chance)).collect::<Vec<_>>().join(" ")
}
