//! A made-up Slack export of 320 conversations: five channels, Japanese and English, threads.

use std::{collections::BTreeMap, fs, path::Path};

use jiff::Timestamp;
use serde_json::{Value, json};

const CHANNELS: [&str; 5] = ["general", "kaihatsu", "random", "zatsudan", "ops"];
const PEOPLE: [&str; 4] = ["佐藤", "Kim", "田中", "Ada"];
/// Conversations of each channel; their pauses of more than two hours end chapters.
const CONVERSATIONS: i64 = 64;
const FIRST: i64 = 1_740_787_200;
const FOUR_HOURS: i64 = 4 * 3600;

/// Writes the export's files into a folder.
pub(super) fn write(folder: &Path) {
    let channels: Vec<Value> = (0..).zip(CHANNELS).map(|(n, name): (i64, _)| {
        json!({ "id": format!("C{n}"), "name": name, "created": 1, "creator": "U1", "members": ["U0", "U1"] })
    }).collect();
    let users: Vec<Value> = (0..)
        .zip(PEOPLE)
        .map(|(n, name): (i64, _)| {
            json!({ "id": format!("U{n}"), "name": name, "profile": { "display_name": name } })
        })
        .collect();
    save(&folder.join("channels.json"), &Value::Array(channels));
    save(&folder.join("users.json"), &Value::Array(users));
    for (channel, name) in (0..).zip(CHANNELS) {
        let mut days: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for conversation in 0..CONVERSATIONS {
            talk(channel, conversation, &mut days);
        }
        fs::create_dir_all(folder.join(name)).expect("a folder");
        for (day, messages) in days {
            save(&folder.join(name).join(format!("{day}.json")), &Value::Array(messages));
        }
    }
}

fn save(path: &Path, value: &Value) {
    fs::write(path, value.to_string()).expect("written");
}

/// One conversation of 1 to 15 messages; the longer ones have a thread.
fn talk(channel: i64, conversation: i64, days: &mut BTreeMap<String, Vec<Value>>) {
    let start = FIRST + conversation * FOUR_HOURS + channel * 300;
    let size = 1 + (conversation * 7 + channel * 3) % 15;
    let ts = |n: i64| format!("{}.{channel}{conversation:03}{n:02}", start + n * 40);
    for n in 0..size {
        let user = format!("U{}", (conversation + n) % 4);
        let mut message = json!({
            "type": "message", "user": user, "ts": ts(n), "text": text(channel, conversation, n),
        });
        if size > 6 && (n == 1 || (3..6).contains(&n)) {
            message["thread_ts"] = Value::from(ts(1));
        }
        let at = Timestamp::from_second(start + n * 40).expect("a time");
        days.entry(at.strftime("%Y-%m-%d").to_string()).or_default().push(message);
    }
}

fn text(channel: i64, conversation: i64, n: i64) -> String {
    if (conversation + channel) % 2 == 0 {
        return format!(
            "We decided that release {conversation}.{n} of part {channel} ships on Friday; Ada takes over."
        );
    }
    format!(
        "議題{conversation}の第{n}点について、{channel}号室で三月{}日の十時に集まることに決めました。",
        n + 1
    )
}
