//! Threads that are still to be looked through for edits and deletions (ADR 20).

use myao_core::chat::{ChannelId, ChannelKind, MessageTs};
use myao_store::{FirstSight, Store, ThreadToRecheck};

use crate::support::{World, at, channel, general, on_both, ts};

/// The thread under `root` in C1, with its newest message at `latest`, to be looked through from `recheck_from` on.
fn thread(root: i64, recheck_from: i64, latest: i64) -> ThreadToRecheck {
    ThreadToRecheck {
        channel: general(),
        root: ts(root),
        recheck_from: ts(recheck_from),
        latest: ts(latest),
        noted: 0,
    }
}

async fn note(store: &Store, threads: &[ThreadToRecheck]) {
    store.hearing().note_threads_to_recheck(threads).await.expect("noted");
}

async fn left(store: &Store) -> Vec<ThreadToRecheck> {
    let all = store.hearing().next_threads_to_recheck(100).await.expect("read");
    let counted = store.hearing().count_threads_to_recheck().await.expect("counted");
    assert_eq!(counted, u64::try_from(all.len()).expect("a number"));
    all
}

async fn roots(store: &Store) -> Vec<MessageTs> {
    left(store).await.into_iter().map(|thread| thread.root).collect()
}

on_both! {
    /// The one in which something was said last comes first.
    the_liveliest_thread_comes_first => async |world: &World| {
        let store = &world.store;
        note(store, &[]).await;
        assert!(left(store).await.is_empty());
        note(store, &[thread(1, 0, 50), thread(2, 0, 90), thread(3, 0, 70)]).await;
        assert_eq!(roots(store).await, [ts(2), ts(3), ts(1)]);
        let next = store.hearing().next_threads_to_recheck(1).await.expect("read");
        assert_eq!(next.iter().map(|thread| thread.root).collect::<Vec<_>>(), [ts(2)]);
    };

    /// One that waits and is noted again is looked through from the earlier time on.
    a_thread_waits_once => async |world: &World| {
        let store = &world.store;
        note(store, &[thread(1, 40, 50)]).await;
        note(store, &[thread(1, 60, 80)]).await;
        note(store, &[thread(1, 50, 70)]).await;
        let waiting = left(store).await;
        assert_eq!(waiting, [ThreadToRecheck { noted: 3, ..thread(1, 40, 80) }]);
    };

    a_thread_that_was_looked_through_waits_no_more => async |world: &World| {
        let store = &world.store;
        note(store, &[thread(1, 0, 50), thread(2, 0, 90)]).await;
        let first = left(store).await.remove(0);
        store.hearing().thread_rechecked(&first).await.expect("noted");
        assert_eq!(roots(store).await, [ts(1)]);
    };

    /// What was changed after the look began is not seen by it.
    a_thread_that_was_noted_meanwhile_waits_on => async |world: &World| {
        let store = &world.store;
        note(store, &[thread(1, 40, 50)]).await;
        let read = left(store).await.remove(0);
        note(store, &[thread(1, 60, 50)]).await;
        store.hearing().thread_rechecked(&read).await.expect("noted");
        assert_eq!(roots(store).await, [ts(1)]);
        store.hearing().thread_rechecked(&left(store).await.remove(0)).await.expect("noted");
        assert!(left(store).await.is_empty());
    };

    /// Of a channel that we left nothing can be read.
    threads_of_a_channel_that_was_left_wait_no_more => async |world: &World| {
        let store = &world.store;
        for id in ["C1", "C2"] {
            store.intake().apply(vec![channel(id, ChannelKind::Public)], at(0)).await.expect("applied");
            store.hearing().join_channel(&ChannelId::new(id), FirstSight::since(ts(0))).await.expect("joined");
        }
        let elsewhere = ThreadToRecheck { channel: ChannelId::new("C2"), ..thread(1, 0, 50) };
        note(store, &[thread(1, 0, 50), thread(2, 0, 60), elsewhere]).await;
        store.hearing().leave_channel(&general(), at(100)).await.expect("left");
        let channels: Vec<ChannelId> = left(store).await.into_iter().map(|thread| thread.channel).collect();
        assert_eq!(channels, [ChannelId::new("C2")]);
    };

    /// A channel gets a new id: of a thread that waits under both the row that looks back farther stays.
    threads_go_along_with_a_renamed_channel => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let there = |thread| ThreadToRecheck { channel: ChannelId::new("C9"), ..thread };
        note(store, &[thread(1, 10, 50), thread(2, 10, 60)]).await;
        note(store, &[there(thread(1, 40, 55)), there(thread(3, 40, 70))]).await;
        store.intake().rename_channel_everywhere(&general(), &ChannelId::new("C9"), at(100)).await.expect("renamed");
        let waiting: Vec<(ChannelId, MessageTs, MessageTs)> =
            left(store).await.into_iter().map(|thread| (thread.channel, thread.root, thread.recheck_from)).collect();
        let there = |root, from| (ChannelId::new("C9"), ts(root), ts(from));
        assert_eq!(waiting, [there(3, 40), there(2, 10), there(1, 10)]);
    };
}
