//! `verify`: clean where all is well; each sort of fault, planted past the store, is named, and no other.

use myao_core::{
    chat::{ChannelKind, Event, Visibility},
    memory::StepKind,
};
use myao_store::{Fault, FaultKind};

use crate::{
    built::{Built, build, by, chapter, commit, merge},
    planted::plant,
    support::{World, at, by_hand, channel, general, long, on_both, short, step, ts, write_memory},
};

async fn faults(world: &World) -> Vec<Fault> {
    world.store.verify().await.expect("read").faults
}

/// Builds, plants, and expects faults of one kind alone; gives their descriptions.
async fn planted(world: &World, kind: FaultKind, statements: impl FnOnce(&Built) -> String) -> Vec<String> {
    let built = build(&world.store).await;
    assert_eq!(faults(world).await, [], "before");
    plant(world, &statements(&built)).await;
    let found = faults(world).await;
    assert!(!found.is_empty(), "nothing was found");
    assert!(found.iter().all(|fault| fault.kind == kind), "expected {kind:?} alone: {found:#?}");
    found.into_iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect()
}

/// The same, where one fault is expected.
async fn one(world: &World, kind: FaultKind, statements: impl FnOnce(&Built) -> String) -> String {
    let mut found = planted(world, kind, statements).await;
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

fn micros(second: i64) -> i64 {
    ts(second).as_micros()
}

on_both! {
    a_workspace_where_all_is_well_has_no_fault => async |world: &World| {
        build(&world.store).await;
        let verification = world.store.verify().await.expect("read");
        assert_eq!(verification.faults, []);
        let checked = verification.checked;
        assert_eq!((checked.channels, checked.messages, checked.chapters), (2, 5, 4));
        assert_eq!((checked.memories, checked.entries), (8, 9));
    };

    an_empty_database_has_no_fault => async |world: &World| assert_eq!(faults(world).await, []);

    messages_in_a_gap_between_chapters => async |world: &World| {
        let what = one(world, FaultKind::Uncovered, |_| {
            format!("UPDATE chapters SET from_ts = {} WHERE version = 2", micros(15))
        }).await;
        assert!(what.starts_with("#name-C1: 1 messages after") && what.ends_with("between chapters 1 and 2"), "{what}");
    };

    messages_between_the_start_and_the_first_chapter => async |world: &World| {
        let what = one(world, FaultKind::Uncovered, |_| {
            format!("UPDATE chapters SET from_ts = {} WHERE version = 1", micros(1))
        }).await;
        assert!(what.contains("1 messages") && what.ends_with("between the start and chapter 1"), "{what}");
    };

    a_gap_without_messages => async |world: &World| {
        let what = one(world, FaultKind::Gap, |_| {
            format!("UPDATE chapters SET to_ts = {} WHERE version = 2", micros(12))
        }).await;
        assert!(what.contains("0 messages") && what.ends_with("between chapters 2 and 3"), "{what}");
    };

    messages_in_two_chapters => async |world: &World| {
        let what = one(world, FaultKind::DoublyCovered, |_| {
            format!("UPDATE chapters SET from_ts = {} WHERE version = 3", micros(10) + 1)
        }).await;
        assert!(what.contains("1 messages") && what.ends_with("in both chapters 2 and 3"), "{what}");
    };

    chapters_that_overlap_where_nothing_was_said => async |world: &World| {
        let what = one(world, FaultKind::Overlap, |_| {
            format!("UPDATE chapters SET from_ts = {} WHERE version = 3", micros(15))
        }).await;
        assert!(what.ends_with("in both chapters 2 and 3"), "{what}");
    };

    a_chapter_that_ends_before_it_begins => async |world: &World| {
        let what = one(world, FaultKind::Backwards, |_| {
            format!("UPDATE chapters SET from_ts = {}, to_ts = {} WHERE version = 4", micros(40), micros(30))
        }).await;
        assert!(what.contains("chapter 4 begins"), "{what}");
    };

    a_number_that_is_left_out => async |world: &World| {
        let what = one(world, FaultKind::Numbering, |_| {
            ["chapters", "memories", "memory_steps"]
                .map(|table| format!("UPDATE {table} SET version = 9 WHERE version = 4;")).concat()
        }).await;
        assert_eq!(what, "#name-C1: chapters do not count up by one: 4 should follow, 9 does");
    };

    a_memory_that_begins_behind_its_first_chapter => async |world: &World| {
        one(world, FaultKind::Start, |_| format!("UPDATE channels SET memory_from = {}", micros(5))).await;
    };

    a_version_without_a_chapter => async |world: &World| {
        build(&world.store).await;
        write_memory(&world.store, short("out of nothing"), by_hand(), at(9)).await;
        let found = faults(world).await;
        assert_eq!(found.iter().map(|f| (f.place.as_str(), f.kind)).collect::<Vec<_>>(),
            [("#name-C1, version 5", FaultKind::NoChapter)]);
    };

    an_adopted_version_may_lack_a_chapter => async |world: &World| {
        let origin = myao_core::memory::Origin { kind: StepKind::Adopted, ..by_hand() };
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        write_memory(&world.store, short("of old"), origin, at(9)).await;
        assert_eq!(faults(world).await, []);
    };

    a_memory_without_a_journal_entry => async |world: &World| {
        let what = one(world, FaultKind::NoEntry, |built| {
            format!("DELETE FROM memory_steps WHERE id = {}", built.chapters[3])
        }).await;
        assert!(what.starts_with("#name-C1, version 4: "), "{what}");
    };

    a_text_that_is_not_the_journals => async |world: &World| {
        let what = one(world, FaultKind::Differs, |built| {
            format!("UPDATE memories SET content = 'doctored' WHERE step_id = {}", built.merges[1])
        }).await;
        assert_eq!(what, format!("#name-C1, long-term: its text is not the one of its journal entry {}", 6));
    };

    a_count_that_is_not_the_journals => async |world: &World| {
        let what = one(world, FaultKind::Differs, |built| {
            format!("UPDATE memories SET source_message_count = 77 WHERE step_id = {}", built.workspace)
        }).await;
        assert!(what.starts_with("workspace: its number of messages"), "{what}");
    };

    a_newest_message_that_is_not_the_journals => async |world: &World| {
        let what = one(world, FaultKind::Differs, |built| {
            format!("UPDATE memories SET source_latest_message_ts = NULL WHERE step_id = {}", built.thread)
        }).await;
        assert!(what.contains("its newest message is not"), "{what}");
    };

    an_entry_of_another_memory => async |world: &World| {
        let what = one(world, FaultKind::Differs, |built| {
            format!("UPDATE memories SET step_id = {0}, content = 'third' WHERE step_id = {1};
                DELETE FROM memory_lines WHERE step_id = {1}", built.chapters[2], built.chapters[3])
        }).await;
        assert!(what.starts_with("#name-C1, version 4: its journal entry 3 is of another memory"), "{what}");
    };

    a_chapter_that_was_never_merged => async |world: &World| {
        let what = one(world, FaultKind::MergeMissing, |built| {
            format!("DELETE FROM step_inputs WHERE step_id = {} AND input_id = {}", built.merges[0], built.chapters[0])
        }).await;
        assert_eq!(what, "#name-C1, long-term: its mark is at chapter 3, but no merge took in 1");
    };

    an_emptied_chapter_needs_no_merge => async |world: &World| {
        planted(world, FaultKind::MergeMissing, |built| {
            format!("DELETE FROM step_inputs WHERE step_id = {} AND input_id = {}", built.merges[0], built.chapters[0])
        }).await;
        plant(world, "UPDATE memories SET content = '' WHERE version = 1 AND memory_type = 'short_term' AND scope = 'channel';
             UPDATE memory_steps SET content = '' WHERE version = 1 AND memory_type = 'short_term' AND scope = 'channel'").await;
        assert_eq!(faults(world).await, []);
    };

    a_chapter_that_was_merged_twice => async |world: &World| {
        let what = one(world, FaultKind::MergeDoubled, |built| {
            format!("INSERT INTO step_inputs (step_id, input_id, hard) VALUES ({}, {}, 1)",
                built.merges[1], built.chapters[1])
        }).await;
        assert_eq!(what, "#name-C1, long-term: chapter 2 is merged by entry 5 and again by entry 6");
    };

    /// A chapter that is written anew takes the merges of its old text back with it.
    another_text_of_a_chapter_that_was_merged_already => async |world: &World| {
        let built = build(&world.store).await;
        let anew = chapter(1, "first, again");
        let anew = myao_store::StepDraft { parent: Some(built.chapters[0]), ..anew };
        commit(&world.store, &built.claim, anew).await;
        assert!(world.store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read").head.is_none());
        assert_eq!(faults(world).await, []);
    };

    /// The window of overwrite mode: the mark's own chapter moves on and is merged again.
    the_last_chapter_may_be_merged_again_when_it_moved_on => async |world: &World| {
        let built = build(&world.store).await;
        plant(world, &format!("UPDATE memory_steps SET to_ts = to_ts - 5 WHERE id = {}", built.chapters[2])).await;
        plant(world, "UPDATE chapters SET closed_by = 'window' WHERE version = 3").await;
        let anew = myao_store::StepDraft { parent: Some(built.chapters[2]), ..chapter(3, "third, further") };
        let anew = commit(&world.store, &built.claim, anew).await;
        commit(&world.store, &built.claim, merge("on", 3, &[anew], Some(built.merges[1]))).await;
        assert_eq!(faults(world).await, []);
    };

    a_mark_beyond_the_last_chapter => async |world: &World| {
        let what = one(world, FaultKind::Mark, |built| {
            format!("UPDATE memory_steps SET through_version = 12 WHERE id = {}", built.merges[1])
        }).await;
        assert_eq!(what, "#name-C1, long-term: it claims to hold chapter 12, but the last one is 4");
    };

    a_mark_that_names_another_chapter => async |world: &World| {
        let what = one(world, FaultKind::Mark, |built| {
            format!("UPDATE memory_steps SET through_step = {} WHERE id = {}", built.thread, built.merges[1])
        }).await;
        assert!(what.ends_with("its mark is at chapter 3, but names entry 7"), "{what}");
    };

    lineage_that_leads_nowhere => async |world: &World| {
        let what = one(world, FaultKind::Orphan, |built| {
            format!("UPDATE step_inputs SET input_id = 999 WHERE step_id = {} AND input_id = {}",
                built.merges[0], built.chapters[0])
        }).await;
        assert!(what.contains("entry 5 was made from entry 999"), "{what}");
    };

    lineage_of_nothing => async |world: &World| {
        one(world, FaultKind::Orphan, |built| {
            format!("INSERT INTO step_inputs (step_id, input_id, hard) VALUES (999, {}, 1)", built.chapters[0])
        }).await;
    };

    lineage_from_the_future => async |world: &World| {
        let what = one(world, FaultKind::Orphan, |built| {
            format!("INSERT INTO step_inputs (step_id, input_id, hard) VALUES ({}, {}, 0)",
                built.chapters[0], built.workspace)
        }).await;
        assert!(what.ends_with("which is younger"), "{what}");
    };

    a_parent_that_does_not_exist => async |world: &World| {
        one(world, FaultKind::Orphan, |built| {
            format!("UPDATE memory_steps SET parent_id = -5 WHERE id = {}", built.merges[1])
        }).await;
    };

    a_parent_of_another_memory => async |world: &World| {
        let what = one(world, FaultKind::Orphan, |built| {
            format!("UPDATE memory_steps SET parent_id = {} WHERE id = {}", built.chapters[0], built.merges[1])
        }).await;
        assert!(what.ends_with("entry 6 replaced entry 1, which is of another memory"), "{what}");
    };

    memories_made_from_a_wiped_text => async |world: &World| {
        let what = planted(world, FaultKind::Stale, |built| {
            format!("UPDATE memory_steps SET content = NULL WHERE id = {}", built.chapters[0])
        }).await;
        assert_eq!(what, [
            "#name-C1, long-term: it was made from entry 1, whose text was wiped",
            "#name-C1, version 1: the text of its journal entry 1 was wiped",
            "workspace: it was made from entry 1, whose text was wiped",
        ]);
    };

    a_thread_whose_text_was_wiped => async |world: &World| {
        let what = one(world, FaultKind::Stale, |built| {
            format!("UPDATE memory_steps SET content = NULL WHERE id = {}", built.thread)
        }).await;
        assert!(what.starts_with("#name-C1, thread 1770000001.000000: "), "{what}");
    };

    a_chapter_that_holds_what_was_deleted => async |world: &World| {
        let what = one(world, FaultKind::Stale, |_| {
            format!("UPDATE messages SET deleted = 1, text = '', revision = 50 WHERE ts = {}", micros(31))
        }).await;
        assert_eq!(what, "#name-C1, version 4: 1 messages of it were deleted since it was written");
    };

    /// Nothing of it was ever in a memory.
    a_tombstone_of_a_message_never_seen_is_no_fault => async |world: &World| {
        build(&world.store).await;
        world.store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(35) }], at(9)).await.expect("applied");
        assert_eq!(faults(world).await, []);
    };

    memories_that_do_not_exist => async |world: &World| {
        let changes = [
            ("scope = 'galaxy'", "`galaxy` is no scope of a memory"),
            ("memory_type = 'long_term'", "there is no long_term memory of a thread"),
            ("version = 3", "there is no version 3 of it"),
            ("scope_id = 'nonsense'", "`nonsense` is not a thread's scope id"),
        ];
        let built = build(&world.store).await;
        for (change, expected) in changes {
            let both = |change: &str| format!(
                "UPDATE memories SET {change} WHERE step_id = {0}; UPDATE memory_steps SET {change} WHERE id = {0}",
                built.thread);
            plant(world, &both(change)).await;
            let found = faults(world).await;
            assert!(found.iter().all(|fault| fault.kind == FaultKind::Invalid), "{change}: {found:#?}");
            assert!(found.len() == 1 && found[0].what.contains(expected), "{change}: {found:#?}");
            let thread = crate::built::thread();
            plant(world, &both(&format!("scope = 'thread', scope_id = '{}', memory_type = 'short_term', version = 1",
                thread.scope_id))).await;
            assert_eq!(faults(world).await, []);
        }
    };

    /// Rows of the retired combination stay, unread, and break nothing (specification §1).
    a_workspace_short_term_row_is_left_alone => async |world: &World| {
        build(&world.store).await;
        plant(world, "INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content,
                source_message_count, created_at, updated_at)
            SELECT scope, scope_id, 'short_term', 1, step_id, content, 1, 0, 0 FROM memories WHERE scope = 'workspace'").await;
        assert_eq!(faults(world).await.iter().map(|fault| fault.kind).collect::<Vec<_>>(), []);
    };

    a_workspace_made_of_a_channel_that_is_not_open => async |world: &World| {
        let what = one(world, FaultKind::Leak, |_| "UPDATE channels SET kind = 'private' WHERE id = 'C1'".to_owned()).await;
        assert_eq!(what, "workspace: it was made from entry 6 of #name-C1");
    };

    a_channel_made_of_another => async |world: &World| {
        let what = one(world, FaultKind::Leak, |built| {
            format!("INSERT INTO step_inputs (step_id, input_id, hard)
                SELECT {}, step_id, 1 FROM memories WHERE scope_id = 'C2'", built.workspace)
        }).await;
        assert!(what.ends_with("of #name-C2"), "{what}");
    };

    /// What a person did by hand stands in the fold like everything else.
    reverts_and_edits_are_no_fault => async |world: &World| {
        let built = build(&world.store).await;
        let hand = || myao_store::ByHand { actor: "alice".into(), user: None, reason: String::new() };
        let store = &world.store;
        let back = store.memory().revert(&built.claim, built.merges[0], hand(), at(10)).await.expect("reverted");
        store.memory().edit(&built.claim, (crate::built::long_term(), back), "mine", hand(), at(11)).await.expect("edited");
        let head = store.memory().journal_of_memory(&Visibility::Owner, &crate::built::long_term()).await.expect("read").pop().expect("an entry");
        commit(store, &built.claim, merge("on", 4, &built.chapters[3..], Some(head.step))).await;
        assert_eq!(faults(world).await, []);
    };

    an_adopted_root_stands_for_what_came_before => async |world: &World| {
        let built = build(&world.store).await;
        store_adopted(world, &built).await;
        assert_eq!(faults(world).await, []);
        plant(world, "UPDATE memory_steps SET kind = 'merge' WHERE kind = 'adopted'").await;
        let kinds: Vec<FaultKind> = faults(world).await.iter().map(|fault| fault.kind).collect();
        assert_eq!(kinds, [FaultKind::MergeMissing]);
    };
}

/// Replaces C1's fold by an adopted text that holds chapters 1 and 2.
async fn store_adopted(world: &World, built: &Built) {
    plant(
        world,
        "DELETE FROM memories WHERE scope = 'workspace';
        DELETE FROM memories WHERE scope = 'channel' AND scope_id = 'C1' AND memory_type = 'long_term'",
    )
    .await;
    let mark = myao_core::memory::FoldMark { version: 2, step: Some(built.chapters[1]) };
    let adopted =
        myao_store::StepDraft { origin: by(StepKind::Adopted), mark, ..step(long("of old"), 1, None) };
    let adopted = commit(&world.store, &built.claim, adopted).await;
    commit(&world.store, &built.claim, merge("on", 3, &built.chapters[2..3], Some(adopted))).await;
}
