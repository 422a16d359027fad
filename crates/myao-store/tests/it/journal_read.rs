//! The journal as it is read: entries with their inputs and cost, and lineage down to chapters.

use myao_core::{
    chat::Visibility,
    memory::{MemoryScope, StepId, StepKind},
    ports::{Role, StopReason, Usage},
};
use myao_store::{CallOutcome, CallRecord, LineageLimits, LineageNode, NewCall, StepDraft};

use crate::{
    built::{build, commit, long_term, merge, steps, version},
    planted::plant,
    support::{World, at, general, on_both, ts},
};

const WIDE: LineageLimits = LineageLimits { depth: 9, width: 99, entries: 99 };

async fn lineage(world: &World, step: StepId, limits: LineageLimits) -> Vec<LineageNode> {
    world
        .store
        .memory()
        .lineage_of_step(&Visibility::Owner, step, limits)
        .await
        .expect("read")
        .expect("an entry")
}

/// Entry, the entry made from it, and how many of its inputs are left out.
fn shape(nodes: &[LineageNode]) -> Vec<(i64, Option<i64>, usize)> {
    let of = |node: &LineageNode| node.of.map(|at| nodes[at].entry.step.0);
    nodes.iter().map(|node| (node.entry.step.0, of(node), node.left_out)).collect()
}

on_both! {
    a_memorys_entries_come_oldest_first_with_their_inputs => async |world: &World| {
        let built = build(&world.store).await;
        let entries = world.store.memory().journal_of_memory(&Visibility::Owner, &long_term()).await.expect("read");
        assert_eq!(entries.iter().map(|e| e.step).collect::<Vec<_>>(), built.merges);
        assert_eq!(steps(&entries[0].hard), built.chapters[..2]);
        assert_eq!(steps(&entries[1].hard), [built.chapters[2], built.merges[0]]);
        assert_eq!(entries[1].hard[0].key, version(3), "an input says of which memory it is");
        assert_eq!(entries.iter().map(|e| e.is_current).collect::<Vec<_>>(), [false, true]);
        assert_eq!((entries[1].kind, entries[1].mark.version, entries[1].at), (StepKind::Merge, 3, at(9)));
        assert_eq!(entries[1].content.as_deref(), Some("first to third"));
    };

    a_part_of_a_journal_comes_with_what_stands_around_it => async |world: &World| {
        let built = build(&world.store).await;
        let read = async |around, most| {
            let window = world.store.memory().journal_window_around(&Visibility::Owner, &long_term(), around, most).await.expect("read");
            let steps: Vec<StepId> = window.entries.iter().map(|entry| entry.step).collect();
            (steps, window.texts_before, window.texts_behind)
        };
        assert_eq!(read(None, 9).await, (built.merges.clone(), 0, 0));
        assert_eq!(read(None, 1).await, (built.merges[1..].to_vec(), 1, 0), "the text that it has now");
        assert_eq!(read(Some(built.merges[0]), 1).await, (built.merges[..1].to_vec(), 0, 1));
        let window = world.store.memory().journal_window_around(&Visibility::Owner, &long_term(), None, 1).await.expect("read");
        assert_eq!(steps(&window.entries[0].hard), [built.chapters[2], built.merges[0]], "inputs come with it");
        let elsewhere = Visibility::only(&myao_core::chat::ChannelId::new("CELSEWHERE"));
        let hidden = world.store.memory().journal_window_around(&elsewhere, &long_term(), None, 9).await.expect("read");
        assert!(hidden.entries.is_empty() && hidden.texts_before == 0);
    };

    the_whole_journal_comes_page_by_page => async |world: &World| {
        build(&world.store).await;
        let mut seen = Vec::new();
        let mut after = StepId(0);
        loop {
            let page = world.store.memory().journal_page_after(&Visibility::Owner, after, 4).await.expect("read");
            let Some(last) = page.last() else { break };
            after = last.step;
            seen.extend(page);
        }
        assert_eq!(seen.iter().map(|e| e.step.0).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
        assert_eq!(seen[0].range, Some((ts(0), ts(10))));
        assert_eq!(seen[4].hard.len(), 2, "inputs come with their page");
    };

    what_a_call_cost_stands_with_its_entry => async |world: &World| {
        let built = build(&world.store).await;
        let call = NewCall {
            at: at(5), day: "2026-02-02".to_owned(), role: Role::Memory, purpose: "merge",
            channel: Some(general()), thread: None, model: "openai/x".to_owned(), attempt: 1, reserved: 100,
        };
        let usage = Usage { input: 40, cached: 0, output: 2, estimated: false };
        let end = CallOutcome { outcome: "ok", usage, millis: 7, stop: Some(StopReason::End) };
        let draft = StepDraft {
            calls: vec![CallRecord::With(call, end)],
            ..merge("on", 4, &built.chapters[3..], Some(built.merges[1]))
        };
        let step = commit(&world.store, &built.claim, draft).await;
        let entry = world.store.memory().find_journal_entry(&Visibility::Owner, step).await.expect("read").expect("an entry");
        let call = entry.call.expect("a call");
        assert_eq!((call.model.as_str(), call.tokens_in, call.tokens_out, call.millis), ("openai/x", 40, 2, 7));
        assert!(world.store.memory().find_journal_entry(&Visibility::Owner, StepId(99)).await.expect("read").is_none());
    };

    all_memories_come_with_their_entries => async |world: &World| {
        let built = build(&world.store).await;
        let memories = world.store.memory().all_memories(&Visibility::Owner).await.expect("read");
        assert_eq!(memories.len(), 8);
        let (step, workspace) = memories.last().expect("a memory");
        assert_eq!((workspace.scope(), *step), (MemoryScope::Workspace, built.workspace));
    };

    a_version_knows_its_entry_and_range => async |world: &World| {
        let built = build(&world.store).await;
        let log = world.store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!(log.iter().map(|version| version.step).collect::<Vec<_>>(), built.chapters);
        let range = log[1].range.as_ref().expect("a chapter");
        assert_eq!((range.from, range.to), (ts(10), ts(20)));
    };

    lineage_leads_down_to_the_chapters => async |world: &World| {
        let built = build(&world.store).await;
        let nodes = lineage(world, built.workspace, WIDE).await;
        assert_eq!(shape(&nodes), [
            (9, None, 0), (6, Some(9), 0), (5, Some(6), 0), (3, Some(6), 0), (2, Some(5), 0), (1, Some(5), 0),
        ]);
        assert!(world.store.memory().lineage_of_step(&Visibility::Owner, StepId(99), WIDE).await.expect("read").is_none());
    };

    lineage_is_bounded_and_says_what_it_leaves_out => async |world: &World| {
        let built = build(&world.store).await;
        let narrow = lineage(world, built.merges[1], LineageLimits { width: 1, ..WIDE }).await;
        assert_eq!(shape(&narrow), [(6, None, 1), (5, Some(6), 1), (2, Some(5), 0)], "what it replaced first, then the newest");
        let flat = lineage(world, built.merges[1], LineageLimits { depth: 1, ..WIDE }).await;
        assert_eq!(shape(&flat), [(6, None, 0), (5, Some(6), 2), (3, Some(6), 0)]);
        let few = lineage(world, built.merges[1], LineageLimits { entries: 2, ..WIDE }).await;
        assert_eq!(shape(&few), [(6, None, 1), (5, Some(6), 2)]);
    };

    what_appears_twice_is_listed_once => async |world: &World| {
        let built = build(&world.store).await;
        plant(world, &format!("INSERT INTO step_inputs (step_id, input_id, hard) VALUES ({0}, {1}, 1), ({0}, {2}, 0)",
            built.workspace, built.merges[0], built.thread)).await;
        let nodes = lineage(world, built.workspace, WIDE).await;
        let repeated: Vec<i64> = nodes.iter().filter(|n| n.is_repeated).map(|n| n.entry.step.0).collect();
        assert_eq!(repeated, [5], "once by itself, once through the merge that replaced it");
        let soft: Vec<i64> = nodes.iter().filter(|n| !n.is_hard).map(|n| n.entry.step.0).collect();
        assert_eq!(soft, [7], "what was shown beside it is named, not followed");
    };
}
