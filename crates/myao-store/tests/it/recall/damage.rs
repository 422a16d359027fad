//! A damaged index: what is said is archived all the same, and the index is made anew.

use myao_core::chat::{ChannelKind, Event, Visibility};

use myao_store::{GatherRequest, Store, StoreError};

use super::{found, index, rebuilt, request, rows, run, tell};
use crate::support::{all_of, at, by_hand, channel, general, long, message, sqlite, ts, write_memory};

/// What may happen to the tables of the index, and whether it can be noticed.
const DAMAGES: [(&str, bool); 6] = [
    ("UPDATE recall_data SET block = zeroblob(length(block))", true),
    ("UPDATE recall_data SET block = x'ffffffffffffffffffff'", true),
    ("UPDATE recall_data SET block = x'ffffffffffffffffffff' WHERE id > 10", true),
    ("DELETE FROM recall_data", true),
    ("DELETE FROM recall_data WHERE id > 10", true),
    ("DELETE FROM recall_docsize", false),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_is_archived_all_the_same() {
    for (damage, is_noticed) in DAMAGES {
        let world = sqlite().await;
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let talk = |second| message("C1", second, &format!("crocodile number {second}"));
        for second in 0..50 {
            tell(store, vec![talk(second)]).await;
        }
        write_memory(store, long("- a lion"), by_hand(), at(1)).await;
        index(store).await;
        run(&world, damage).await;
        tell(store, (50..300).map(talk).collect()).await;
        let gone = Event::Deleted { channel: general(), ts: ts(3) };
        store.intake().apply(vec![gone], at(5)).await.expect("applied");
        write_memory(store, long("- a wombat"), by_hand(), at(6)).await;
        found(store, "crocodile").await;
        let (_, talk) =
            store.archive().talk_in_range(&Visibility::Owner, &all_of(general())).await.expect("read");
        assert_eq!(talk.len(), 299, "{damage}");
        let progress = store.recall().index_progress().await.expect("read");
        assert_eq!(progress.is_complete, !is_noticed, "{damage}");
        if is_noticed {
            index(store).await;
            assert_eq!(found(store, "crocodile").await.len(), 50, "{damage}");
            assert_eq!(found(store, "wombat").await, ["a wombat"], "{damage}");
            let kept = rows(&world).await;
            assert_eq!(kept, rebuilt(&world).await, "{damage}");
        }
    }
}

/// What was opened to be read cannot have the index made anew, and tells of the damage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_only_reads_is_told_of_the_damage() {
    let world = sqlite().await;
    let store = &world.store;
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    tell(store, (0..40).map(|second| message("C1", second, &format!("crocodile number {second}"))).collect())
        .await;
    index(store).await;
    run(&world, "DELETE FROM recall_data WHERE id > 10").await;
    let reading = Store::open_to_read(&world.target).await.expect("opened");
    let told =
        reading.recall().search(&Visibility::Owner, &request("crocodile")).await.expect_err("it is damaged");
    assert!(matches!(told, StoreError::Damaged(_)), "{told}");
    let asked = GatherRequest { most_recalled: 10, ..crate::gather::request(&general()) };
    let told = reading.gather().for_prompt(&asked).await.expect_err("it is damaged");
    assert!(matches!(told, StoreError::Damaged(_)), "{told}");
    reading.close().await;
}

/// A prompt looks up what bears on the question; it is made without that where the index cannot be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_is_made_all_the_same() {
    let world = sqlite().await;
    let store = &world.store;
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    let talk = |second| message("C1", second, &format!("crocodile number {second}"));
    tell(store, (0..40).map(talk).collect()).await;
    index(store).await;
    let request = GatherRequest { most_messages: 5, most_recalled: 10, ..crate::gather::request(&general()) };
    let gathered =
        || async { store.gather().for_prompt(&request).await.expect("read").expect("a known channel") };
    assert_eq!(gathered().await.recalled.len(), 10);
    run(&world, "DELETE FROM recall_data WHERE id > 10").await;
    let without = gathered().await;
    assert_eq!((without.recalled.len(), without.messages.len()), (0, 5));
    assert!(!store.recall().index_progress().await.expect("read").is_complete, "it is made anew");
    index(store).await;
    assert_eq!(gathered().await.recalled.len(), 10);
}
