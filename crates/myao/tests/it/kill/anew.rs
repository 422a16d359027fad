//! Edits, deletions, late messages and kills; then everything is cut anew, killed as well: what comes out is
//! what a fresh build of the same archive gives (specification §2.1 `--from-start`).

use std::time::Instant;

use jiff::Timestamp;
use myao_core::chat::{Event, Message, MessageTs, Visibility};
use myao_store::{Range, Store, Target};
use serde_json::Value;

use super::{chance, harass, workspace::Chance, written};
use crate::binary::Home;

/// Rounds of changes and killed builds.
const ROUNDS: usize = 2;
/// Changes in each.
const CHANGES: usize = 25;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_anew_after_edits_and_kills_equals_a_fresh_build() {
    let mut chance = chance();
    let lived = Home::new();
    let fresh = Home::new();
    let export = written(&lived);
    lived.import(&export);
    fresh.import(&export);
    let begun = Instant::now();
    lived.json(&["memory", "build"]);
    let undisturbed = begun.elapsed();
    let mut kills = 0;
    for _ in 0..ROUNDS {
        let events = changes(&lived, &mut chance).await;
        for home in [&lived, &fresh] {
            apply(home, events.clone()).await;
        }
        kills += harass(&lived, &["memory", "build"], undisturbed, &mut chance).await;
    }
    kills += harass(&lived, &["memory", "build", "--from-start"], undisturbed, &mut chance).await;
    lived.json(&["memory", "build", "--from-start"]);
    fresh.json(&["memory", "build"]);
    println!("{kills} kills, {} changes", ROUNDS * CHANGES);
    for (one, other) in remembered(&lived).iter().zip(remembered(&fresh)) {
        assert_eq!(*one, other);
    }
    let status = lived.adds_up();
    assert_eq!(status["covered"], fresh.adds_up()["covered"]);
    let verified = lived.json(&["memory", "verify"]);
    assert_eq!(verified["faults"], Value::Array(Vec::new()), "{verified}");
}

async fn store(home: &Home) -> Store {
    Store::open(&Target::Sqlite(home.database())).await.expect("opened")
}

async fn apply(home: &Home, events: Vec<Event>) {
    let store = store(home).await;
    store.intake().apply(events, Timestamp::now()).await.expect("applied");
    store.close().await;
}

/// Messages of every channel are edited, deleted, or come late between two others.
async fn changes(home: &Home, chance: &mut Chance) -> Vec<Event> {
    let store = store(home).await;
    let mut events = Vec::new();
    let channels = store.archive().channels(&Visibility::Owner).await.expect("read");
    for n in 0..CHANGES {
        let row = channels.get(pick(chance, channels.len())).expect("a channel");
        let channel = row.channel.id.clone();
        let range = Range { channel: channel.clone(), from: MessageTs::MIN, to: MessageTs::MAX };
        let (_, talk) = store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read");
        let chosen = talk.get(pick(chance, talk.len())).expect("talk").clone();
        events.push(match chance.below(3) {
            0 => Event::Deleted { channel, ts: chosen.ts },
            1 => Event::Message(Message {
                text: format!("予定{n}は来月{n}日に変更することに決めました。"),
                edited_at: Some(chosen.edited_at.unwrap_or(chosen.ts).plus_seconds(60)),
                ..chosen
            }),
            _ => Event::Message(Message {
                ts: MessageTs::from_micros(chosen.ts.as_micros() + 1 + i64::try_from(n).expect("few")),
                text: format!("The decision {n} arrived late, but it was made on time."),
                ..chosen
            }),
        });
    }
    store.close().await;
    events
}

fn pick(chance: &mut Chance, count: usize) -> usize {
    usize::try_from(chance.below(u64::try_from(count).expect("few"))).expect("few")
}

/// Every memory of channels and workspace, times of writing and numbers of journal entries aside.
fn remembered(home: &Home) -> Vec<Value> {
    let status = home.json(&["status"]);
    let names = status["channels"].as_array().expect("channels").iter().map(|row| row["name"].clone());
    let mut all: Vec<Value> = Vec::new();
    for name in names {
        let name = name.as_str().expect("a name").to_owned();
        all.push(home.json(&["memory", "log", &name]));
        all.push(home.json(&["memory", "show", &name])["long_term"].take());
    }
    all.push(home.json(&["memory", "show", "--workspace"]));
    all.iter_mut().for_each(without_times);
    all
}

fn without_times(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_times),
        Value::Object(fields) => {
            fields.remove("created_at");
            fields.remove("updated_at");
            // A journal entry's number: the one has lived through more.
            fields.remove("entry");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
