//! Whatever happens, and in whatever order: the index holds what one holds that is made anew.

use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Event, FileRef, Message, MessageKind, MessageTs, UserId, Visibility,
    },
    memory::{MemoryScope, MemoryType},
};
use myao_store::{RestartFrom, StepDraft, Store, StoreError};
use proptest::prelude::*;

use crate::recall::{index, micros, rebuilt, rows, run, sampled};
use crate::support::{World, at, by_hand, draft, postgres, sqlite, step, ts, write_memory};

const WORDS: [&str; 8] = ["deployed", "鰐", "🦕", "ひまわり", "foo_bar", "東京都", "ｶﾅ", "the"];
const CHANNELS: [&str; 2] = ["C1", "C2"];

/// One thing that happens; `u8` are choices among a few.
#[derive(Clone, Debug)]
enum Happening {
    Said { channel: u8, slot: u8, words: Vec<u8>, user: u8, notice: bool, file: bool, reply: bool },
    Edited { channel: u8, slot: u8, words: Vec<u8>, notice: bool },
    Deleted { channel: u8, slot: u8 },
    Kind { channel: u8, kind: u8 },
    Renamed { early: bool },
    Saved { channel: u8, long: bool, words: Vec<u8> },
    Committed { words: Vec<u8>, ends: u8 },
    MemoryDeleted { channel: u8, long: bool },
    Restarted { from: u8 },
    Indexed,
    Stale,
}

fn happening() -> impl Strategy<Value = Happening> {
    let words = || prop::collection::vec(any::<u8>(), 0..4);
    let choice = || any::<u8>();
    prop_oneof![
        8 => (choice(), choice(), words(), choice(), prop::bool::weighted(0.1), prop::bool::weighted(0.2), any::<bool>())
            .prop_map(|(channel, slot, words, user, notice, file, reply)| Happening::Said { channel, slot, words, user, notice, file, reply }),
        4 => (choice(), choice(), words(), prop::bool::weighted(0.2))
            .prop_map(|(channel, slot, words, notice)| Happening::Edited { channel, slot, words, notice }),
        3 => (choice(), choice()).prop_map(|(channel, slot)| Happening::Deleted { channel, slot }),
        1 => (choice(), choice()).prop_map(|(channel, kind)| Happening::Kind { channel, kind }),
        1 => any::<bool>().prop_map(|early| Happening::Renamed { early }),
        2 => (choice(), any::<bool>(), words()).prop_map(|(channel, long, words)| Happening::Saved { channel, long, words }),
        2 => (words(), choice()).prop_map(|(words, ends)| Happening::Committed { words, ends }),
        1 => (choice(), any::<bool>()).prop_map(|(channel, long)| Happening::MemoryDeleted { channel, long }),
        1 => choice().prop_map(|from| Happening::Restarted { from }),
        2 => Just(Happening::Indexed),
        1 => Just(Happening::Stale),
    ]
}

fn text(words: &[u8]) -> String {
    words.iter().map(|word| WORDS[usize::from(*word) % WORDS.len()]).collect::<Vec<_>>().join(" ")
}

fn id(channel: u8) -> ChannelId {
    ChannelId::new(CHANNELS[usize::from(channel) % CHANNELS.len()])
}

/// Times so close that some share an address.
fn time(slot: u8) -> MessageTs {
    micros(i64::from(slot % 3), i64::from(slot / 3 % 4) * 100)
}

fn memory(channel: u8, long: bool, words: &[u8]) -> myao_core::memory::MemoryDraft {
    let memory_type = if long { MemoryType::LongTerm } else { MemoryType::ShortTerm };
    draft(MemoryScope::Channel, id(channel).as_str(), memory_type, &format!("- {}", text(words)))
}

fn said(happening: &Happening, nth: i64) -> Option<Event> {
    let file = || FileRef {
        name: "鰐.png".to_owned(),
        mimetype: None,
        permalink: None,
        alt: Some("a lion".to_owned()),
        image_url: None,
        ..FileRef::default()
    };
    let (channel, ts, words, user, notice, edited_at, files, thread_ts) = match happening {
        Happening::Said { channel, slot, words, user, notice, file: has_file, reply } => {
            let files = has_file.then(file).into_iter().collect();
            (id(*channel), time(*slot), words, user % 2, *notice, None, files, reply.then(|| time(0)))
        }
        Happening::Edited { channel, slot, words, notice } => {
            let edited_at = Some(MessageTs::from_micros(ts(100).as_micros() + nth));
            (id(*channel), time(*slot), words, 0, *notice, edited_at, Vec::new(), None)
        }
        Happening::Deleted { channel, slot } => {
            return Some(Event::Deleted { channel: id(*channel), ts: time(*slot) });
        }
        Happening::Kind { channel, kind } => {
            let kind = if kind % 2 == 0 { ChannelKind::Public } else { ChannelKind::Private };
            let id = id(*channel);
            return Some(Event::Channel(Channel { name: format!("name-{id}"), id, kind, external: false }));
        }
        Happening::Renamed { .. }
        | Happening::Saved { .. }
        | Happening::Committed { .. }
        | Happening::MemoryDeleted { .. }
        | Happening::Restarted { .. }
        | Happening::Indexed
        | Happening::Stale => return None,
    };
    let kind = if notice { MessageKind::Notice } else { MessageKind::Talk };
    let user = UserId::new(format!("U{user}"));
    let text = text(words);
    let thread_ts = thread_ts.filter(|root| *root != ts);
    Some(Event::Message(Message {
        channel,
        ts,
        thread_ts,
        user,
        kind,
        text,
        files,
        edited_at,
        deleted: false,
    }))
}

/// A claim on C1, if it has not been lost meanwhile.
async fn on_claim(
    store: &Store,
    nth: i64,
    work: impl AsyncFnOnce(&myao_store::Claim) -> Result<(), StoreError>,
) {
    let claim =
        store.claim("channel:C1", at(nth * 100), at(nth * 100 + 50)).await.expect("asked").expect("free");
    work(&claim).await.expect("done");
    store.release(&claim).await.expect("given back");
}

async fn happens(world: &World, happening: &Happening, nth: i64) {
    let store = &world.store;
    if let Some(event) = said(happening, nth) {
        // All is delivered twice.
        store.intake().apply(vec![event.clone(), event.clone()], at(nth)).await.expect("applied");
        store.intake().apply(vec![event], at(nth)).await.expect("applied");
        return;
    }
    match happening {
        Happening::Renamed { early } => renamed(store, *early, nth).await,
        Happening::Saved { channel, long: true, words } => {
            drop(write_memory(store, memory(*channel, true, words), by_hand(), at(nth)).await);
        }
        Happening::Saved { channel, words, .. } => {
            drop(write_memory(store, memory(*channel, false, words), by_hand(), at(nth)).await);
        }
        Happening::Committed { words, ends } => {
            let long = memory(0, true, words);
            let head = store
                .memory()
                .head(&Visibility::Owner, long.scope(), long.scope_id(), long.memory_type())
                .await
                .expect("read");
            let range = myao_store::Range { channel: id(0), from: MessageTs::MIN, to: time(*ends) };
            let parent = head.map(|head| head.step);
            let made = StepDraft {
                range: Some(range),
                read_revision: 10_000,
                hard: parent.into_iter().collect(),
                ..step(long, 1, parent)
            };
            on_claim(store, nth, async |claim| {
                store.memory().save_steps(claim, vec![made], at(nth)).await.map(drop)
            })
            .await;
        }
        Happening::MemoryDeleted { channel, long } => {
            let from = if *long { RestartFrom::Start } else { RestartFrom::Chapter(1) };
            let drops = async |claim: &myao_store::Claim| {
                store.memory().drop_from(claim, &id(*channel), from, by_hand(), at(nth)).await
            };
            on_claim(store, nth, drops).await;
        }
        Happening::Restarted { from } => {
            let from =
                if from % 2 == 0 { RestartFrom::Start } else { RestartFrom::Chapter(u32::from(from % 3)) };
            on_claim(store, nth, async |claim| {
                store.memory().drop_from(claim, &id(0), from, by_hand(), at(nth)).await
            })
            .await;
        }
        Happening::Indexed => drop(store.recall().index_some().await.expect("indexed")),
        Happening::Stale => run(world, "DELETE FROM settings WHERE key = 'recall'").await,
        Happening::Said { .. }
        | Happening::Edited { .. }
        | Happening::Deleted { .. }
        | Happening::Kind { .. } => {}
    }
}

/// C2 becomes C1, where messages may have arrived before; and back, so that things go on.
async fn renamed(store: &Store, early: bool, nth: i64) {
    if early {
        let talk = Message { text: "鰐 early".to_owned(), ..crate::support::message("C3", nth, "") };
        store.intake().apply(vec![Event::Message(talk)], at(nth)).await.expect("applied");
    }
    let old = id(1);
    let new = ChannelId::new("C3");
    store.intake().rename_channel_everywhere(&old, &new, at(nth)).await.expect("renamed");
    if early {
        let late =
            Message { text: "ひまわり late".to_owned(), ..crate::support::message(old.as_str(), 0, "") };
        store.intake().apply(vec![Event::Message(late)], at(nth)).await.expect("applied");
    }
    match store.intake().rename_channel_everywhere(&new, &old, at(nth)).await {
        // Where there was no channel to be renamed at first, both have memories, or may have.
        Ok(_) | Err(StoreError::TwoMemories { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

async fn agree(world: World, happenings: &[Happening]) {
    for (nth, happening) in (1..).zip(happenings) {
        happens(&world, happening, nth).await;
    }
    index(&world.store).await;
    let kept = rows(&world).await;
    let counted = sampled(&world).await;
    assert_eq!(kept, rebuilt(&world).await);
    assert_eq!(counted, sampled(&world).await);
    world.store.close().await;
}

fn in_a_runtime(work: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(work);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_sqlite_index_is_as_if_made_anew(happenings in prop::collection::vec(happening(), 1..50)) {
        in_a_runtime(async { agree(sqlite().await, &happenings).await });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_postgres_index_is_as_if_made_anew(happenings in prop::collection::vec(happening(), 1..50)) {
        in_a_runtime(async { agree(postgres().await, &happenings).await });
    }
}
