//! Many messages that arrive together, as an import brings them, are stored, counted and found as if each had come alone.

use myao_core::chat::{ChannelKind, Event, FileRef, Message, MessageKind, Visibility};
use myao_store::{Store, UnfinishedImport};

use crate::{
    recall::{asked, found, micros, rebuilt, request, rows},
    support::{World, at, channel, general, message, on_both, ts},
};

/// Enough for several statements of many rows, and some rows that are left.
const MANY: i64 = 200;

fn text(number: i64) -> String {
    match number % 5 {
        0 => format!("The crocodiles don't sleep, says number {number}"),
        1 => format!("会議は明日の{number}時、場所はサーバールームです"),
        2 => format!("my password is hunter2hunter{number} and AKIAIOSFODNN7EXAMPLE"),
        3 => format!("<https://example.org|link> *big* deal_{number} 🦕"),
        _ => "yes".to_owned(),
    }
}

fn many() -> Vec<Event> {
    let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)];
    for number in 1..=MANY {
        let mut said = message(if number % 3 == 0 { "C2" } else { "C1" }, number, &text(number));
        if number % 50 == 0 {
            said.kind = MessageKind::Notice;
        }
        if number % 40 == 0 {
            said.files = vec![FileRef { name: "予算案_2026.xlsx".to_owned(), ..FileRef::default() }];
        }
        events.push(Event::Message(said));
    }
    events
}

async fn apply(store: &Store, events: Vec<Event>) {
    store.intake().apply(events, at(1000)).await.expect("applied");
}

/// What is stored, in the order of channels and times.
async fn talk(store: &Store) -> Vec<Message> {
    let mut all = Vec::new();
    for id in ["C1", "C2"] {
        let range = crate::support::all_of(myao_core::chat::ChannelId::new(id));
        all.extend(store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read").1);
    }
    all
}

on_both! {
    many_at_once_are_as_one_by_one => async |world: &World| {
        let store = &world.store;
        let applied = store.intake().apply(many(), at(1000)).await.expect("applied");
        assert_eq!(applied.new, 200);
        let alone = crate::support::sqlite().await;
        for event in many() {
            apply(&alone.store, vec![event]).await;
        }
        assert_eq!(talk(store).await, talk(&alone.store).await);
        let before = rows(world).await;
        assert_eq!(before, rows(&alone).await);
        assert_eq!(before, rebuilt(world).await, "as what stands says");
        assert_eq!(found(store, "予算案").await.len(), 4, "one of five is a notice");
        let again = store.intake().apply(many(), at(1000)).await.expect("applied");
        assert_eq!((again.new, again.same), (0, 200));
        assert_eq!(before, rows(world).await);
        let verified = store.verify().await.expect("verified");
        assert_eq!(verified.faults, []);
    };

    /// An address of the index is a quarter of a millisecond.
    messages_of_one_instant_share_a_row_however_they_come => async |world: &World| {
        let store = &world.store;
        let close = |n: i64, text: &str| Event::Message(Message { ts: micros(1, n), ..message("C1", 1, text) });
        apply(store, vec![channel("C1", ChannelKind::Public), close(0, "a crocodile"), close(100, "a platypus")]).await;
        apply(store, vec![close(200, "a lion"), close(300, "a giraffe"), close(301, "a zebra")]).await;
        for word in ["crocodile", "platypus", "lion", "giraffe", "zebra"] {
            assert_eq!(found(store, word).await, [format!("a {word}")]);
        }
        assert_eq!(rows(world).await, rebuilt(world).await);
    };

    what_changes_in_the_same_batch_changes => async |world: &World| {
        let store = &world.store;
        let mut events = many();
        let edited = Message { edited_at: Some(ts(900)), ..message("C1", 1, "a platypus") };
        let later = Message { edited_at: Some(ts(901)), ..message("C1", 500, "a tapir") };
        events.extend([
            Event::Message(message("C1", 500, "an okapi")),
            Event::Message(edited),
            Event::Deleted { channel: general(), ts: ts(2) },
            Event::Message(message("C1", 501, "a zebra")),
            Event::Deleted { channel: general(), ts: ts(501) },
            Event::Message(later),
        ]);
        apply(store, events).await;
        assert_eq!(found(store, "platypus").await, ["a platypus"]);
        assert_eq!(found(store, "tapir").await, ["a tapir"]);
        assert!(found(store, "zebra").await.is_empty());
        assert!(asked(store, &Visibility::Owner, &request("okapi")).await.is_empty());
        assert_eq!(rows(world).await, rebuilt(world).await);
    };

    an_import_that_has_not_ended_is_known => async |world: &World| {
        let intake = world.store.intake();
        assert_eq!(intake.unfinished_imports().await.expect("read"), []);
        let import = |messages| UnfinishedImport { path: "a/acme.zip".to_owned(), messages };
        intake.note_import("acme.zip", &import(0)).await.expect("noted");
        intake.note_import("acme.zip", &import(20_000)).await.expect("noted");
        assert_eq!(intake.unfinished_imports().await.expect("read"), [import(20_000)]);
        intake.end_import("acme.zip").await.expect("noted");
        assert_eq!(intake.unfinished_imports().await.expect("read"), []);
    };
}

/// What a message may make the store write, in bytes: before messages of an import were written together it was twenty
/// times as much in a workspace of a hundred channels, and more with each channel.
#[cfg(target_os = "linux")]
const MOST_WRITTEN: u64 = 8 * 1024;

/// Counted in a process of its own, since others write while this one runs.
#[cfg(target_os = "linux")]
#[test]
fn a_message_of_an_import_makes_few_bytes_be_written() {
    let program = std::env::current_exe().expect("this program");
    let only = ["importing::tells_what_an_import_wrote", "--exact", "--ignored", "--nocapture"];
    let told = std::process::Command::new(program).args(only).output().expect("run");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let written = told.lines().find_map(|line| line.strip_prefix("bytes a message: "));
    let written: u64 = written.and_then(|bytes| bytes.parse().ok()).unwrap_or_else(|| panic!("{told}"));
    assert!(written <= MOST_WRITTEN, "{written} bytes");
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by a_message_of_an_import_makes_few_bytes_be_written, in a process of its own"]
async fn tells_what_an_import_wrote() {
    const CHANNELS: i64 = 100;
    const MESSAGES: i64 = 10_000;
    let world = crate::support::sqlite().await;
    let before = bytes_written();
    let events: Vec<Event> = (0..MESSAGES)
        .map(|number| {
            let words = (1..12).map(|word| format!("w{:x}", (number * word * 7_919) % 5_003));
            let words: Vec<String> = words.collect();
            let channel = format!("C{:03}", number / (MESSAGES / CHANNELS));
            Event::Message(message(&channel, number, &words.join(" ")))
        })
        .collect();
    for some in events.chunks(2_000) {
        apply(&world.store, some.to_vec()).await;
    }
    let messages = u64::try_from(MESSAGES).expect("above 0");
    println!("\nbytes a message: {}", (bytes_written() - before) / messages);
}

/// What this process has written to files so far.
#[cfg(target_os = "linux")]
fn bytes_written() -> u64 {
    let told = std::fs::read_to_string("/proc/self/io").expect("read");
    let written = told.lines().find_map(|line| line.strip_prefix("wchar: ")).expect("told");
    written.parse().expect("a number")
}
