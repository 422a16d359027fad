//! Memories as specification §2.1 wants them: save, versions, history; by the doors that the keeper uses.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, ChannelKind, MessageTs, Visibility},
    memory::{ChapterPolicy, ClosedBy, Cut, Memory, MemoryScope, MemoryType, ScopeId},
};
use myao_store::{Chapters, Claim, NewChapter, NewChapters, Range, RestartFrom, StepDraft, Store};

use crate::support::{
    World, at, by_hand, channel, claim, draft, general, long, on_both, said, short, step, ts, write_memory,
};

fn c1() -> ScopeId {
    ScopeId::new("C1")
}

/// A chapter of C1 from `from` on, ten seconds long.
fn chapter_of(from: MessageTs, closed_by: ClosedBy) -> NewChapter {
    let cut = Cut { from, to: from.plus_seconds(10), count: 1, closed_by };
    NewChapter { cut, policy: ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 } }
}

/// Saves a chapter after the last one. `None` if somebody else was quicker.
async fn save_next(store: &Store, claim: &Claim, closed_by: ClosedBy) -> Option<u32> {
    let after = store.memory().chapters_in_channel(&general()).await.expect("read");
    let from = after.uncut_from().unwrap_or(ts(0));
    let (row, _) = store.archive().talk_after(&general(), from).await.expect("read").expect("C1");
    let new = NewChapters {
        channel: general(),
        read_revision: row.revision,
        after,
        cuts: vec![chapter_of(from, closed_by)],
    };
    let is_saved = store.memory().save_as_new_version(claim, new).await.expect("asked");
    is_saved.then(|| after.next_version())
}

/// Writes the text of a version over the one there is.
async fn write_text(store: &Store, claim: &Claim, version: u32, text: &str) {
    let work = store.memory().chapters_to_write(&general()).await.expect("read");
    let work = work.into_iter().find(|work| work.version == version).expect("it is to be written");
    let made =
        StepDraft { range: Some(work.range), read_revision: 1_000, ..step(short(text), version, work.head) };
    store.memory().save_steps(claim, vec![made], at(9)).await.expect("saved");
}

async fn history(store: &Store, limit: usize) -> Vec<Memory> {
    store
        .memory()
        .find_history(&Visibility::Owner, MemoryScope::Channel, &c1(), MemoryType::ShortTerm, limit)
        .await
        .expect("read")
}

fn contents(memories: &[Memory]) -> Vec<&str> {
    memories.iter().map(Memory::content).collect()
}

on_both! {
    save_overwrites_and_keeps_created_at => async |world: &World| {
        let first = write_memory(&world.store, long("old"), by_hand(), at(1)).await;
        let second = write_memory(&world.store, long("new"), by_hand(), at(9)).await;
        assert_eq!((first.version(), second.version()), (1, 1));
        assert_eq!((second.created_at(), second.updated_at()), (at(1), at(9)));
        let all = world.store.memory().all_memories(&Visibility::Owner).await.expect("read");
        assert_eq!(all.into_iter().map(|(_, memory)| memory).collect::<Vec<_>>(), [second]);
    };

    versions_count_up_and_history_is_newest_first => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        assert_eq!(store.memory().chapters_in_channel(&general()).await.expect("read"), Chapters::NONE);
        let held = claim(store, "channel:C1").await;
        for n in 1..=7 {
            assert_eq!(save_next(store, &held, ClosedBy::Idle).await, Some(n));
            write_text(store, &held, n, &format!("v{n}")).await;
        }
        assert_eq!(store.memory().chapters_in_channel(&general()).await.expect("read").latest_version, 7);
        assert_eq!(contents(&history(store, 5).await), ["v7", "v6", "v5", "v4", "v3"]);
        let newest = store.memory().find_latest(&Visibility::Owner, MemoryScope::Channel, &c1(), MemoryType::ShortTerm).await.expect("read");
        assert_eq!(newest.map(|m| m.version()), Some(7));
    };

    /// Two writers never collide or skip: 1..n without holes. Each holds a claim of its own, so that nothing but the save
    /// itself keeps them apart.
    versions_have_no_holes_under_concurrent_writers => async |world: &World| {
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let other = Store::open(&world.target).await.expect("a second process");
        let mut writers = tokio::task::JoinSet::new();
        for n in 0..24 {
            let store = if n % 2 == 0 { world.store.clone() } else { other.clone() };
            writers.spawn(async move {
                let held = claim(&store, &format!("writer {n}")).await;
                // In every pass of all somebody is quickest, so each has its turn in the end.
                for _ in 0..24 {
                    if let Some(version) = save_next(&store, &held, ClosedBy::Idle).await {
                        return version;
                    }
                }
                panic!("it was never its turn");
            });
        }
        let versions: BTreeSet<u32> = writers.join_all().await.into_iter().collect();
        assert_eq!(versions, (1..=24).collect());
        let work = world.store.memory().chapters_to_write(&general()).await.expect("read");
        let ranges: Vec<(MessageTs, MessageTs)> = work.into_iter().map(|work| (work.range.from, work.range.to)).collect();
        let expected: Vec<(MessageTs, MessageTs)> = (0..24).map(|n| (ts(n * 10), ts(n * 10 + 10))).collect();
        assert_eq!(ranges, expected, "each begins where the one before ends");
    };

    other_memories_are_always_version_one => async |world: &World| {
        for (scope, id, memory_type) in [
            (MemoryScope::Workspace, "default", MemoryType::LongTerm),
            (MemoryScope::Channel, "C1", MemoryType::LongTerm),
            (MemoryScope::Thread, "C1:1.000000", MemoryType::ShortTerm),
        ] {
            let memory = || draft(scope, id, memory_type, "text");
            write_memory(&world.store, memory(), by_hand(), at(1)).await;
            let again = write_memory(&world.store, memory(), by_hand(), at(2)).await;
            assert_eq!(again.version(), 1, "{scope} {memory_type}");
        }
        assert_eq!(world.store.memory().all_memories(&Visibility::Owner).await.expect("read").len(), 3);
    };

    scopes_do_not_mix => async |world: &World| {
        write_memory(&world.store, short("one"), by_hand(), at(1)).await;
        let other = draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, "two");
        assert_eq!(write_memory(&world.store, other, by_hand(), at(2)).await.version(), 1);
        assert_eq!(contents(&history(&world.store, 9).await), ["one"]);
    };

    all_memories_are_ordered_by_type_and_version => async |world: &World| {
        write_memory(&world.store, short("v1"), by_hand(), at(1)).await;
        write_memory(&world.store, short("v2"), by_hand(), at(2)).await;
        write_memory(&world.store, long("long"), by_hand(), at(3)).await;
        let all = world.store.memory().all_memories(&Visibility::Owner).await.expect("read");
        assert_eq!(all.iter().map(|(_, memory)| memory.content()).collect::<Vec<_>>(), ["long", "v1", "v2"]);
    };

    a_restart_drops_all_versions => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let held = claim(store, "channel:C1").await;
        for text in ["v1", "v2"] {
            let version = save_next(store, &held, ClosedBy::Idle).await.expect("saved");
            write_text(store, &held, version, text).await;
        }
        store.memory().drop_from(&held, &general(), RestartFrom::Start, by_hand(), at(10)).await.expect("restarted");
        assert_eq!(history(store, 9).await, []);
        assert_eq!(store.memory().chapters_in_channel(&general()).await.expect("read"), Chapters::NONE);
    };

    /// The first chapter that is cut takes the provisional one's place and number; the next are numbered on.
    a_provisional_version_is_replaced => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(3, "words"), said(15, "more")], at(0)).await.expect("applied");
        let held = claim(store, "channel:C1").await;
        assert_eq!(save_next(store, &held, ClosedBy::Provisional).await, Some(1));
        write_text(store, &held, 1, "so far").await;
        let open = store.memory().chapters_in_channel(&general()).await.expect("read");
        assert_eq!(open, Chapters { latest_version: 1, end: Some(ts(10)), provisional_from: Some(ts(0)) });
        assert_eq!((open.uncut_from(), open.next_version()), (Some(ts(0)), 1));
        assert_eq!(store.memory().provisional_channels().await.expect("read"), [general()]);
        let waiting = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read").waiting;
        assert_eq!(waiting.iter().map(|(state, _)| state.provisional).collect::<Vec<_>>(), [true]);

        let (row, _) = store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1");
        assert_eq!(row.memory_from, Some(ts(0)));
        let whole = NewChapter { cut: Cut { to: ts(20), ..chapter_of(ts(0), ClosedBy::Idle).cut }, ..chapter_of(ts(0), ClosedBy::Idle) };
        let new = NewChapters {
            channel: general(),
            read_revision: row.revision,
            after: open,
            cuts: vec![whole, chapter_of(ts(20), ClosedBy::Threshold)],
        };
        assert!(store.memory().save_as_new_version(&held, new.clone()).await.expect("asked"));
        assert!(!store.memory().save_as_new_version(&held, new).await.expect("asked"), "once");
        let closed = store.memory().chapters_in_channel(&general()).await.expect("read");
        assert_eq!(closed, Chapters { latest_version: 2, end: Some(ts(30)), provisional_from: None });
        assert_eq!(store.memory().provisional_channels().await.expect("read"), Vec::<ChannelId>::new());
        let work = store.memory().chapters_to_write(&general()).await.expect("read");
        let told: Vec<(u32, Range, ClosedBy)> = work.into_iter().map(|work| (work.version, work.range, work.closed_by)).collect();
        let range = |from, to| Range { channel: general(), from: ts(from), to: ts(to) };
        assert_eq!(told, [(1, range(0, 20), ClosedBy::Idle), (2, range(20, 30), ClosedBy::Threshold)]);
        write_text(store, &held, 1, "all of it").await;
        let (row, _) = store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1");
        assert_eq!(row.memory_from, Some(ts(0)), "where the memory begins stays");
        let written = history(store, 9).await;
        assert_eq!((contents(&written), written[0].created_at()), (vec!["all of it"], at(9)));
    };

    /// What was folded in while it was provisional (literal mode) is folded back when its chapter is written.
    the_fold_of_a_provisional_version_is_undone => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(3, "words")], at(0)).await.expect("applied");
        let held = claim(store, "channel:C1").await;
        save_next(store, &held, ClosedBy::Provisional).await.expect("saved");
        write_text(store, &held, 1, "so far").await;
        let one = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read").waiting[0].0.step;
        let mark = myao_core::memory::FoldMark { version: 1, step: Some(one) };
        let merge = StepDraft { hard: vec![one], mark, ..step(long("folded"), 1, None) };
        store.memory().save_steps(&held, vec![merge], at(9)).await.expect("saved");
        let (row, _) = store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1");
        let after = store.memory().chapters_in_channel(&general()).await.expect("read");
        let whole = NewChapter { cut: Cut { to: ts(20), ..chapter_of(ts(0), ClosedBy::Idle).cut }, ..chapter_of(ts(0), ClosedBy::Idle) };
        let new = NewChapters { channel: general(), read_revision: row.revision, after, cuts: vec![whole] };
        assert!(store.memory().save_as_new_version(&held, new).await.expect("asked"));
        write_text(store, &held, 1, "all of it").await;
        let fold = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert!(fold.head.is_none(), "{:?}", fold.head);
        assert_eq!((fold.mark.version, fold.waiting.len(), fold.complete), (0, 1, true));
    };
}
