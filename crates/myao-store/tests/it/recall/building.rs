//! What was archived before there was an index is indexed in the background.

use myao_core::{chat::ChannelKind, memory::MemoryType};
use myao_store::Store;

use super::{found, index, rebuilt, rows, run, tell};
use crate::support::{World, at, by_hand, channel, draft, long, message, on_both, short, write_memory};

const STALE: &str = "DELETE FROM settings WHERE key = 'recall'";

/// Three channels with more messages than are indexed in one go, and memories.
async fn furnish(store: &Store) {
    for n in 1..=3 {
        let id = format!("C{n}");
        store.intake().apply(vec![channel(&id, ChannelKind::Public)], at(0)).await.expect("applied");
        let talk = |second| message(&id, second, &format!("crocodile {second} of {id}"));
        tell(store, (0..700).map(talk).collect()).await;
        let memory =
            draft(myao_core::memory::MemoryScope::Channel, &id, MemoryType::LongTerm, "- a lion\n- a 鰐");
        write_memory(store, memory, by_hand(), at(1)).await;
    }
    for n in 0..60 {
        write_memory(store, short(&format!("chapter {n}")), by_hand(), at(2)).await;
    }
}

on_both! {
    it_goes_on_where_it_was_stopped => async |world: &World| {
        furnish(&world.store).await;
        index(&world.store).await;
        let whole = rows(world).await;
        run(world, STALE).await;
        assert!(!world.store.recall().index_progress().await.expect("read").is_complete);
        let mut steps = 0;
        loop {
            let store = Store::open(&world.target).await.expect("opened");
            let progress = store.recall().index_some().await.expect("indexed");
            store.close().await;
            steps += 1;
            assert_eq!(progress.channels, 3);
            assert!(steps < 50, "it comes to an end");
            if progress.is_complete {
                assert_eq!(progress.channels_done, 3);
                break;
            }
        }
        assert!(steps > 6, "{steps} steps");
        assert_eq!(rows(world).await, whole);
    };

    what_arrives_meanwhile_is_found => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        index(store).await;
        run(world, STALE).await;
        for n in 0..4 {
            store.recall().index_some().await.expect("indexed");
            let words = [format!("platypus {n}"), format!("echidna {n}")];
            tell(store, vec![message("C1", 1000 + n, &words[0]), message("C3", 1000 + n, &words[1])]).await;
            assert_eq!(found(store, "platypus").await.len(), usize::try_from(n + 1).expect("few"));
            assert_eq!(found(store, "echidna").await.len(), usize::try_from(n + 1).expect("few"));
            write_memory(store, long(&format!("- wombat {n}")), by_hand(), at(3)).await;
            assert_eq!(found(store, "wombat").await, [format!("wombat {n}")]);
        }
        index(store).await;
        let built = rows(world).await;
        assert_eq!(rebuilt(world).await, built);
    };

    two_processes_build_the_same => async |world: &World| {
        furnish(&world.store).await;
        index(&world.store).await;
        let whole = rows(world).await;
        run(world, STALE).await;
        let other = Store::open(&world.target).await.expect("opened");
        tokio::join!(index(&world.store), index(&other));
        other.close().await;
        assert_eq!(rows(world).await, whole);
    };

    an_index_by_another_rule_is_made_anew => async |world: &World| {
        furnish(&world.store).await;
        index(&world.store).await;
        let whole = rows(world).await;
        run(world, "UPDATE settings SET value = 'another rule' WHERE key = 'recall'").await;
        let progress = world.store.recall().index_progress().await.expect("read");
        assert_eq!((progress.channels_done, progress.channels, progress.is_complete), (0, 3, false));
        index(&world.store).await;
        assert_eq!(rows(world).await, whole);
    };
}
