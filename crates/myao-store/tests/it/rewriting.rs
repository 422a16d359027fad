//! What was written anew lately in a channel (ADR 96).

use std::collections::BTreeMap;

use jiff::Timestamp;
use myao_core::{
    memory::{Origin, StepId, StepKind},
    ports::{Role, StopReason, Usage},
};
use myao_store::{CallOutcome, CallRecord, Claim, NewCall, RestartFrom, StepDraft, Store};

use crate::{
    built::{build, chapter, commit, merge},
    support::{World, at, general, on_both, ts},
};

/// The same, written by a model.
fn by_model(draft: StepDraft) -> StepDraft {
    let call = NewCall {
        at: at(9),
        day: "2026-02-02".to_owned(),
        role: Role::Memory,
        purpose: "chapter",
        channel: Some(general()),
        thread: None,
        model: "openai/x".to_owned(),
        attempt: 1,
        reserved: 0,
    };
    let usage = Usage { input: 9, cached: 0, output: 9, estimated: false };
    let end = CallOutcome { outcome: "ok", usage, millis: 1, stop: Some(StopReason::End) };
    StepDraft { calls: vec![CallRecord::With(call, end)], ..draft }
}

async fn rewritten(store: &Store) -> Vec<String> {
    let calls = store.memory().calls_while_rewriting(&general(), Timestamp::MIN).await.expect("read");
    calls.into_iter().map(|call| call.model).collect()
}

/// Which of the chapters to write had a text before.
async fn to_write(store: &Store) -> Vec<(u32, bool)> {
    let work = store.memory().chapters_to_write(&general()).await.expect("read");
    work.into_iter().map(|chapter| (chapter.version, chapter.was_written)).collect()
}

async fn again(store: &Store, claim: &Claim, parent: StepId) -> StepId {
    let draft = StepDraft { read_revision: 99, parent: Some(parent), ..chapter(1, "first, anew") };
    commit(store, claim, by_model(draft)).await
}

on_both! {
    what_was_there_before_is_told_from_what_is_new => async |world: &World| {
        let store = &world.store;
        let built = build(store).await;
        assert_eq!(rewritten(store).await, [""; 0], "each text is the first");
        assert_eq!(to_write(store).await, []);
        crate::planted::plant(world, "UPDATE chapters SET late_revision = 50 WHERE version = 1").await;
        assert_eq!(to_write(store).await, [(1, true)]);
        assert_eq!(store.memory().chapters_to_rewrite().await.expect("read"), BTreeMap::from([(general(), 1)]));
        let first = again(store, &built.claim, built.chapters[0]).await;
        assert_eq!(rewritten(store).await, ["openai/x"]);
        assert_eq!(store.memory().chapters_to_rewrite().await.expect("read"), BTreeMap::new());
        let fold = merge("first, anew", 1, &[first], None);
        commit(store, &built.claim, by_model(fold)).await;
        assert_eq!(rewritten(store).await.len(), 2, "the fold had come further before");
        let later = at(1_000);
        assert_eq!(store.memory().calls_while_rewriting(&general(), later).await.expect("read"), []);
        assert!(store.memory().thread_was_written(&general(), ts(1), ts(2)).await.expect("read"));
        assert!(!store.memory().thread_was_written(&general(), ts(1), ts(3)).await.expect("read"));

        let by = Origin { kind: StepKind::Dropped, actor: "alice".to_owned(), reason: "again".to_owned() };
        store.memory().drop_from(&built.claim, &general(), RestartFrom::Chapter(1), by, at(30)).await.expect("dropped");
        assert_eq!(rewritten(store).await, [""; 0], "a person wants it anew");
        assert!(to_write(store).await.iter().all(|(_, was_written)| !was_written));
    };
}
