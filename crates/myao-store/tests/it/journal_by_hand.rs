//! A person's hand on a memory: journaled, keeping the mark, and never bringing back what was removed
//! (specification §2.2, §6).

use myao_core::{
    chat::{ChannelKind, Event, Visibility},
    memory::{FoldMark, StepId, StepKind},
};
use myao_store::{ByHand, ByHandError, JournalEntry, MemoryKey, RestartFrom, StepDraft, StoreError};

use crate::{
    built::{Built, build, by, chapter, commit, long_term, merge, steps, thread, version},
    planted::plant,
    support::{World, at, by_hand, claim, general, long, on_both, short, step, ts, write_memory},
};

fn alice() -> ByHand {
    ByHand { actor: "alice".to_owned(), user: None, reason: String::new() }
}

async fn newest(world: &World, key: &MemoryKey) -> JournalEntry {
    world
        .store
        .memory()
        .journal_of_memory(&Visibility::Owner, key)
        .await
        .expect("read")
        .pop()
        .expect("an entry")
}

async fn refused(world: &World, built: &Built, to: StepId) -> String {
    let before = world
        .store
        .memory()
        .journal_page_after(&Visibility::Owner, StepId(0), 100)
        .await
        .expect("read")
        .len();
    let error =
        world.store.memory().revert(&built.claim, to, alice(), at(20)).await.expect_err("it went back");
    assert!(!matches!(error, ByHandError::Store(_)), "{error}");
    let after = world
        .store
        .memory()
        .journal_page_after(&Visibility::Owner, StepId(0), 100)
        .await
        .expect("read")
        .len();
    assert_eq!(before, after, "a refusal writes nothing");
    error.to_string()
}

on_both! {
    going_back_keeps_what_is_folded_in => async |world: &World| {
        let built = build(&world.store).await;
        let to = built.merges[0];
        let step = world.store.memory().revert(&built.claim, to, alice(), at(20)).await.expect("reverted");
        let entry = newest(world, &long_term()).await;
        assert_eq!((entry.step, entry.kind, entry.is_current), (step, StepKind::Revert, true));
        assert_eq!((entry.actor.as_str(), entry.reason.as_str()), ("alice", "back to entry 5"));
        assert_eq!(entry.content.as_deref(), Some("first and second"));
        assert_eq!((entry.parent, steps(&entry.hard), entry.at), (Some(built.merges[1]), vec![to], at(20)));
        let fold = world.store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!(fold.mark, FoldMark { version: 3, step: Some(built.chapters[2]) });
        let head = fold.head.expect("a memory");
        assert_eq!((head.step, head.memory.content()), (step, "first and second"));
        assert_eq!(fold.waiting.iter().map(|(c, _)| c.version).collect::<Vec<_>>(), [3, 4], "as before");
    };

    going_back_can_be_taken_back => async |world: &World| {
        let built = build(&world.store).await;
        world.store.memory().revert(&built.claim, built.merges[0], alice(), at(20)).await.expect("reverted");
        world.store.memory().revert(&built.claim, built.merges[1], alice(), at(21)).await.expect("reverted");
        assert_eq!(newest(world, &long_term()).await.content.as_deref(), Some("first to third"));
    };

    /// The keeper sees a chapter with a text of its range, and leaves it alone.
    a_chapter_gone_back_on_is_not_written_again => async |world: &World| {
        let built = build(&world.store).await;
        let first = built.chapters[0];
        let again = StepDraft { parent: Some(first), ..chapter(1, "first, otherwise") };
        commit(&world.store, &built.claim, again).await;
        let covered = world.store.memory().coverage_by_channel().await.expect("read");
        world.store.memory().revert(&built.claim, first, alice(), at(20)).await.expect("reverted");
        assert_eq!(newest(world, &version(1)).await.content.as_deref(), Some("first"));
        assert_eq!(world.store.memory().chapters_to_write(&general()).await.expect("read"), []);
        assert_eq!(world.store.memory().coverage_by_channel().await.expect("read"), covered);
    };

    threads_and_the_workspace_go_back_as_well => async |world: &World| {
        let built = build(&world.store).await;
        let edited = world.store.memory().edit(&built.claim, (thread(), built.thread), "mine", alice(), at(20)).await.expect("edited");
        world.store.memory().revert(&built.claim, built.thread, alice(), at(21)).await.expect("reverted");
        assert_eq!(newest(world, &thread()).await.parent, Some(edited));
        world.store.memory().edit(&built.whole, (MemoryKey::workspace(), built.workspace), "mine", alice(), at(20)).await.expect("edited");
        world.store.memory().revert(&built.whole, built.workspace, alice(), at(22)).await.expect("reverted");
        assert_eq!(newest(world, &MemoryKey::workspace()).await.content.as_deref(), Some("of C1"));
    };

    what_is_refused_says_why => async |world: &World| {
        let built = build(&world.store).await;
        let first = built.merges[0];
        let second = built.merges[1];
        assert_eq!(refused(world, &built, StepId(999)).await,
            "there is no journal entry 999; `myao memory log` lists them");
        assert_eq!(refused(world, &built, second).await, "entry 6 is what the memory says now");
        plant(world, &format!("UPDATE memory_steps SET content = NULL WHERE id = {first}")).await;
        assert_eq!(refused(world, &built, first).await,
            "the text of entry 5 was wiped, since something it was made from was removed");
    };

    what_rests_on_something_wiped_is_refused => async |world: &World| {
        let built = build(&world.store).await;
        plant(world, &format!("UPDATE memory_steps SET content = NULL WHERE id = {}", built.chapters[1])).await;
        assert_eq!(refused(world, &built, built.merges[0]).await,
            "entry 5 was made from entry 2, whose text was wiped: going back would bring back what was removed");
    };

    a_version_without_a_chapter_or_messages_is_refused => async |world: &World| {
        let built = build(&world.store).await;
        let first = write_memory(&world.store, short("out of nothing"), by_hand(), at(9)).await;
        assert_eq!(first.version(), 5);
        plant(world, "UPDATE memories SET content = 'other' WHERE version = 5").await;
        assert_eq!(refused(world, &built, StepId(10)).await,
            "version 5 has no chapter, so its text would stand for nothing");
        let empty = StepDraft { origin: by(StepKind::Emptied), parent: Some(built.chapters[3]), ..chapter(4, "") };
        let emptied = commit(&world.store, &built.claim, empty).await;
        assert_eq!(refused(world, &built, built.chapters[3]).await,
            "every message of version 4 was deleted: nothing of it may come back");
        assert_eq!(refused(world, &built, emptied).await, "entry 11 holds no text to go back to (emptied)");
    };

    /// A rebuild leaves a note in the journal, and no text.
    a_note_is_no_text_to_go_back_to => async |world: &World| {
        let built = build(&world.store).await;
        world.store.memory().drop_from(&built.claim, &general(), RestartFrom::Chapter(4), by_hand(), at(20)).await.expect("restarted");
        let note = newest(world, &long_term()).await;
        assert_eq!(note.kind, StepKind::Dropped);
        assert_eq!(refused(world, &built, note.step).await,
            format!("entry {} holds no text to go back to (dropped)", note.step));
    };

    a_memory_that_is_not_there_is_refused => async |world: &World| {
        let built = build(&world.store).await;
        world.store.memory().drop_from(&built.claim, &general(), RestartFrom::Start, by_hand(), at(9)).await.expect("restarted");
        assert_eq!(refused(world, &built, built.merges[0]).await,
            "there is no such memory at the moment; `myao memory build` builds what is missing");
    };

    /// What was said in a channel that is private now does not come back into everybody's memory.
    the_workspace_does_not_go_back_to_what_is_private_now => async |world: &World| {
        let built = build(&world.store).await;
        let mine = (MemoryKey::workspace(), built.workspace);
        world.store.memory().edit(&built.whole, mine, "mine", alice(), at(20)).await.expect("edited");
        let private = crate::support::channel("C1", ChannelKind::Private);
        world.store.intake().apply(vec![private], at(21)).await.expect("applied");
        let error = world.store.memory().revert(&built.whole, built.workspace, alice(), at(22)).await.expect_err("leaked");
        assert_eq!(error.to_string(), "the text of entry 9 was wiped, since something it was made from was removed");
    };

    only_whoever_holds_the_memory_writes_it => async |world: &World| {
        let built = build(&world.store).await;
        let other = claim(&world.store, "channel:C9").await;
        let error = world.store.memory().revert(&other, built.merges[0], alice(), at(20)).await.expect_err("it went back");
        assert!(matches!(error, ByHandError::Store(StoreError::ClaimLost(ref whose)) if whose == "channel:C1"), "{error}");
        world.store.release(&built.claim).await.expect("released");
        let error = world.store.memory().revert(&built.claim, built.merges[0], alice(), at(20)).await.expect_err("it went back");
        assert!(matches!(error, ByHandError::Store(StoreError::ClaimLost(_))), "{error}");
    };

    an_own_text_keeps_what_is_folded_in => async |world: &World| {
        let built = build(&world.store).await;
        let by = ByHand { actor: "alice".into(), user: None, reason: "the date was wrong".into() };
        let seen = built.merges[1];
        let step = world.store.memory().edit(&built.claim, (long_term(), seen), " mine\0 alone\n", by, at(20)).await.expect("edited");
        let entry = newest(world, &long_term()).await;
        assert_eq!((entry.step, entry.kind, entry.reason.as_str()), (step, StepKind::Edit, "the date was wrong"));
        assert_eq!(entry.content.as_deref(), Some("mine alone"));
        let put_right = world.store.memory().corrections(&Visibility::Owner, &general(), usize::MAX).await.expect("read");
        let put_right: Vec<StepId> = put_right.iter().map(|one| one.step).collect();
        assert_eq!(put_right.len(), 1, "one statement was replaced");
        let made_from = [vec![seen], put_right].concat();
        assert_eq!((entry.parent, steps(&entry.hard)), (Some(seen), made_from), "it was written before that text");
        assert_eq!(entry.mark, FoldMark { version: 3, step: Some(built.chapters[2]) });
    };

    an_own_text_is_refused_where_it_would_undo_or_do_nothing => async |world: &World| {
        let built = build(&world.store).await;
        let store = &world.store;
        let seen = built.merges[1];
        let edit = async |seen, text| {
            store.memory().edit(&built.claim, (long_term(), seen), text, alice(), at(20)).await.expect_err("edited").to_string()
        };
        assert_eq!(edit(built.merges[0], "mine").await,
            "the memory changed meanwhile (it is at entry 6 now); look at it and try again");
        assert_eq!(edit(seen, " first to third ").await, "nothing changed: the text is the one there is");
        assert_eq!(edit(seen, " \n ").await, "the text is empty; `myao forget` removes what should not be remembered");
    };

    /// A text gone back to had something shown beside it: whoever removes that finds this entry too.
    what_was_shown_beside_a_text_stays_with_it => async |world: &World| {
        let built = build(&world.store).await;
        let soft = StepDraft { soft: vec![built.workspace], ..merge("with the workspace beside", 4, &built.chapters[3..], Some(built.merges[1])) };
        let soft = commit(&world.store, &built.claim, soft).await;
        let plain = StepDraft { mark: FoldMark { version: 4, step: Some(built.chapters[3]) }, ..step(long("plain"), 1, Some(soft)) };
        commit(&world.store, &built.claim, plain).await;
        world.store.memory().revert(&built.claim, soft, alice(), at(20)).await.expect("reverted");
        assert_eq!(steps(&newest(world, &long_term()).await.soft), [built.workspace]);
    };

    /// The archive moves on beside it: a revert depends on no message.
    new_messages_do_not_hinder_going_back => async |world: &World| {
        let built = build(&world.store).await;
        let late = crate::support::message("C1", 41, "later");
        world.store.intake().apply(vec![Event::Message(late)], at(10)).await.expect("applied");
        assert!(ts(41) > ts(40));
        world.store.memory().revert(&built.claim, built.merges[0], alice(), at(20)).await.expect("reverted");
    };
}
