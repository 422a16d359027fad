//! Every commit is conditional on what it read (specification §2, design §3).

use myao_core::{
    chat::{ChannelKind, Event, Message, Visibility},
    memory::{FoldMark, MemoryScope, MemoryType, ScopeId, StepId},
    ports::{Role, StopReason, Usage},
};
use myao_store::{ByHand, CallOutcome, CallRecord, MemoryKey, NewCall, Range, StepDraft, StepOutcome, Store};

use crate::support::{
    World, at, channel, claim, cut_chapters, general, long, message, on_both, said, short, step, ts,
};

async fn prepared(store: &Store) -> myao_store::Claim {
    let events = vec![channel("C1", ChannelKind::Public), said(1, "one"), said(11, "two"), said(21, "three")];
    store.intake().apply(events, at(0)).await.expect("applied");
    let claim = claim(store, "channel:C1").await;
    cut_chapters(store, &claim, 0, 3).await;
    claim
}

async fn commit(store: &Store, claim: &myao_store::Claim, draft: StepDraft) -> StepOutcome {
    store.memory().save_steps(claim, vec![draft], at(9)).await.expect("committed").remove(0)
}

fn written(outcome: StepOutcome) -> StepId {
    match outcome {
        StepOutcome::Written(step) => step,
        StepOutcome::Moved => panic!("it was not written"),
    }
}

/// Chapter `n` of [`cut_chapters`], read at `revision`.
fn chapter(n: u32, text: &str, revision: i64) -> StepDraft {
    let from = i64::from(n - 1) * 10;
    StepDraft {
        range: Some(Range { channel: general(), from: ts(from), to: ts(from + 10) }),
        read_revision: revision,
        ..step(short(text), n, None)
    }
}

on_both! {
    chapters_are_written_in_any_order_and_folded_in_order => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        assert_eq!(store.memory().chapters_to_write(&general()).await.expect("read").len(), 3);
        let one = written(commit(store, &claim, chapter(1, "first", 9)).await);
        commit(store, &claim, chapter(3, "third", 9)).await;
        let fold = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert!(!fold.complete, "chapter 2 has no text");
        assert_eq!(fold.waiting.iter().map(|(c, _)| c.version).collect::<Vec<_>>(), [1]);
        let two = written(commit(store, &claim, chapter(2, "second", 9)).await);
        let merge = StepDraft {
            hard: vec![one, two],
            mark: FoldMark { version: 2, step: Some(two) },
            ..step(long("first and second"), 1, None)
        };
        commit(store, &claim, merge).await;
        let fold = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert!(fold.complete);
        assert_eq!(fold.mark, FoldMark { version: 2, step: Some(two) });
        assert_eq!(fold.waiting.iter().map(|(c, _)| c.version).collect::<Vec<_>>(), [2, 3]);
    };

    a_text_whose_talk_changed_meanwhile_is_dropped => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        let (read_at, _) = store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1");
        let edit = Message { edited_at: Some(ts(90)), ..message("C1", 1, "ONE") };
        store.intake().apply(vec![Event::Message(edit)], at(1)).await.expect("applied");
        assert_eq!(commit(store, &claim, chapter(1, "stale", read_at.revision)).await, StepOutcome::Moved);
        // The neighbour's talk did not change.
        assert!(matches!(commit(store, &claim, chapter(2, "fine", read_at.revision)).await, StepOutcome::Written(_)));
    };

    a_text_whose_memory_moved_is_dropped => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        let first = written(commit(store, &claim, step(long("one"), 1, None)).await);
        assert_eq!(commit(store, &claim, step(long("blind"), 1, None)).await, StepOutcome::Moved);
        let second = written(commit(store, &claim, step(long("two"), 1, Some(first))).await);
        assert_eq!(commit(store, &claim, step(long("late"), 1, Some(first))).await, StepOutcome::Moved);
        let stale_input = StepDraft { hard: vec![first], ..step(short("x"), 1, None) };
        assert_eq!(commit(store, &claim, stale_input).await, StepOutcome::Moved);
        let head = store.memory().head(&Visibility::Owner, MemoryScope::Channel, &ScopeId::new("C1"), MemoryType::LongTerm).await.expect("read");
        assert_eq!(head.map(|h| (h.step, h.memory.content().to_owned())), Some((second, "two".to_owned())));
    };

    /// The call of an answer that could not be used stays counted; builtin's is one row with its step.
    a_dropped_answer_stays_counted => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        let call = NewCall {
            at: at(5), day: "2026-02-02".to_owned(), role: Role::Memory, purpose: "merge",
            channel: Some(general()), thread: None, model: "builtin".to_owned(), attempt: 1, reserved: 100,
        };
        let usage = Usage { input: 40, cached: 0, output: 2, estimated: true };
        let end = CallOutcome { outcome: "ok", usage, millis: 1, stop: Some(StopReason::End) };
        let with_call = |parent| StepDraft {
            calls: vec![CallRecord::With(call.clone(), end.clone())],
            ..step(long("text"), 1, parent)
        };
        assert!(matches!(commit(store, &claim, with_call(None)).await, StepOutcome::Written(_)));
        assert_eq!(commit(store, &claim, with_call(None)).await, StepOutcome::Moved);
        let totals = store.memory().sum_all_calls().await.expect("read");
        assert_eq!((totals.calls, totals.tokens_in, totals.tokens_out), (2, 80, 4));
    };

    chapters_are_not_added_to_a_channel_that_moved => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        let after = store.memory().chapters_in_channel(&general()).await.expect("read");
        assert_eq!((after.latest_version, after.end), (3, Some(ts(30))));
        let (row, _) = store.archive().talk_after(&general(), ts(30)).await.expect("read").expect("C1");
        assert_eq!(row.memory_from, Some(ts(0)));
        store.intake().apply(vec![said(31, "meanwhile")], at(1)).await.expect("applied");
        let new = myao_store::NewChapters { channel: general(), read_revision: row.revision, after, cuts: Vec::new() };
        assert!(!store.memory().save_as_new_version(&claim, new).await.expect("asked"));
    };

    /// A person's text is a fold step of its own: nothing is folded in twice because of it.
    an_edit_by_hand_keeps_the_mark => async |world: &World| {
        let store = &world.store;
        let claim = prepared(store).await;
        let one = written(commit(store, &claim, chapter(1, "first", 9)).await);
        let mark = FoldMark { version: 1, step: Some(one) };
        let folded = StepDraft { hard: vec![one], mark, ..step(long("folded"), 1, None) };
        let seen = written(commit(store, &claim, folded).await);
        let by = ByHand { actor: "alice".to_owned(), user: None, reason: String::new() };
        let key = MemoryKey::long_term(&general());
        store.memory().edit(&claim, (key, seen), "by hand", by, at(20)).await.expect("edited");
        assert_eq!(store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read").mark, mark);
    };

    setbacks_wait_longer_each_time_and_are_forgotten => async |world: &World| {
        let store = &world.store;
        let mut waits = Vec::new();
        for _ in 0..12 {
            store.memory().set_back("channel:C1", "no answer", at(0)).await.expect("noted");
            let setback = store.memory().list_open_setbacks().await.expect("read").remove(0);
            waits.push(setback.retry_at.duration_since(at(0)).as_secs());
        }
        assert_eq!(waits[..4], [60, 120, 240, 480]);
        assert_eq!(waits.last(), Some(&21_600), "never longer than six hours");
        store.memory().clear_after_success("channel:C1").await.expect("cleared");
        assert!(store.memory().list_open_setbacks().await.expect("read").is_empty());
    };
}
