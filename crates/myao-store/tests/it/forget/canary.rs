//! No byte of it is left in any file, after each way of forgetting.

use std::path::PathBuf;

use myao_core::{
    chat::{ChannelKind, Visibility},
    forget::ForgetScope,
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{MemoHand, MemoQuery, Target, TextPlace};
use sqlx::{Connection as _, SqliteConnection};

use super::{
    everything, forget, of_channel, of_user,
    planted::{Extent, files_with, plant, plant_beside},
    with_words,
};
use crate::{
    memos::{draft, noted},
    support::{World, at, channel, general, on_both, said, sqlite, ts},
};

/// Plants the words, sees them in the files, forgets, and sees them no more: neither as they were written, nor the longest
/// of them as the counts of words hold it.
async fn is_gone(world: &World, words: &str, extent: Extent, scope: ForgetScope) {
    plant(&world.store, words, extent).await;
    let counted = words.split('-').next().unwrap_or(words).to_lowercase();
    for written in [words, counted.as_str()] {
        assert!(!files_with(world, written).await.is_empty(), "{written} is found where it is");
    }
    forget(&world.store, &scope, 200).await;
    for written in [words, counted.as_str()] {
        assert_eq!(files_with(world, written).await, Vec::<PathBuf>::new(), "{written}: {scope:?}");
    }
    let verified = world.store.verify().await.expect("verified");
    assert_eq!(verified.faults, [], "every row still fits");
    // What others said is as it was.
    let other = world.store.archive().message(&Visibility::Owner, &general(), ts(11)).await.expect("read");
    let others_went = scope.user.is_none() && scope.words.is_none() && scope.from != scope.to;
    assert_eq!(other.expect("its row").deleted, others_went);
}

on_both! {
    one_message => async |world: &World| {
        let scope = ForgetScope::message(general(), ts(2));
        is_gone(world, "Zwiebelturm-4711", Extent::OneMessage, scope).await;
    };

    a_person => async |world: &World| {
        is_gone(world, "Quittengelee-4712", Extent::Person, of_user("U7")).await;
    };

    a_channel => async |world: &World| {
        is_gone(world, "Rhabarber-4713", Extent::Channel, of_channel("C1")).await;
        let memos = world.store.memos().page(&Visibility::Owner, &MemoQuery { limit: 9, ..MemoQuery::default() }).await;
        assert_eq!(memos.expect("read").total, 0, "its memos went with it");
    };

    /// What would go is what goes: the memos of a channel with all of it, one made from a message with that message.
    memos => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "good morning")], at(0)).await.expect("applied");
        noted(store, "C1", 44, ("remember the code 4714", "word", "4714")).await.expect("noted");
        let hand = MemoHand::Owner { name: "alice".to_owned(), audience: Some(general()).into() };
        store.memos().add(&hand, &draft("vests", "wool"), at(50)).await.expect("noted");
        let until = |second| ForgetScope { to: ts(second), until_now: false, ..of_channel("C1") };
        for (scope, memos) in [(until(5), 0), (until(44), 1), (of_channel("C1"), 1)] {
            let preview = store.forget().preview(&scope).await.expect("read");
            assert_eq!(preview.text_count(TextPlace::Memos), memos, "{scope:?}");
            forget(store, &scope, 100).await;
            let done = store.forget().list_newest(1).await.expect("read").remove(0);
            assert_eq!((done.messages, done.memos), (preview.message_count(), memos));
        }
    };

    words => async |world: &World| {
        is_gone(world, "ひまわり畑4714", Extent::Channel, with_words("ひまわり畑4714")).await;
    };

    a_time => async |world: &World| {
        is_gone(world, "Sauerampfer-4715", Extent::Channel, everything()).await;
    };

    /// A combination: of one person, in one channel, in a span.
    several_limits => async |world: &World| {
        let scope = ForgetScope { channel: Some(general()), from: ts(0), to: ts(60), ..of_user("U7") };
        is_gone(world, "Moosbeere-4716", Extent::Channel, scope).await;
    };

    what_no_lineage_leads_to_goes_too => async |world: &World| {
        plant(&world.store, "Zimtstern-4719", Extent::OneMessage).await;
        plant_beside(&world.store, "Zimtstern-4719").await;
        forget(&world.store, &ForgetScope::message(general(), ts(2)), 200).await;
        assert_eq!(files_with(world, "Zimtstern-4719").await, Vec::<PathBuf>::new());
        assert_eq!(world.store.forget().list_newest(1).await.expect("read")[0].memos, 1);
        assert_eq!(world.store.replies().list_unfinished().await.expect("read"), [], "it is found words for anew");
    };

    memories_are_written_anew_from_the_rest => async |world: &World| {
        plant(&world.store, "Preiselbeere-4717", Extent::OneMessage).await;
        forget(&world.store, &ForgetScope::message(general(), ts(2)), 200).await;
        let scope_id = ScopeId::channel(&general());
        let versions = world.store
            .memory().find_history(&Visibility::Owner, MemoryScope::Channel, &scope_id, MemoryType::ShortTerm, 9)
            .await.expect("read");
        let versions: Vec<u32> = versions.iter().map(myao_core::memory::Memory::version).collect();
        assert_eq!(versions, [2], "the chapter without it stays, the other waits for the keeper");
        let due = world.store.memory().chapters_to_write(&general()).await.expect("read");
        assert_eq!(due.len(), 1);
        let listed = world.store.forget().list_newest(9).await.expect("listed");
        assert_eq!((listed[0].messages, listed[0].by.as_str()), (1, "alice"));
        assert!(listed[0].texts >= 5, "chapter, long-term, thread, workspace, leak: {}", listed[0].texts);
    };
}

/// Tables that were kept of the predecessor hold the same words in another form.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_kept_tables_of_the_predecessor_go() {
    let world = sqlite().await;
    let Target::Sqlite(path) = &world.target else { panic!("a file") };
    plant(&world.store, "Hagebutte-4718", Extent::OneMessage).await;
    let mut other = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("opened");
    for made in [
        "CREATE TABLE myao2_messages (text TEXT)",
        "INSERT INTO myao2_messages (text) VALUES ('the word was Hagebutte-4718')",
    ] {
        sqlx::query(made).execute(&mut other).await.expect("made");
    }
    other.close().await.expect("closed");
    assert_eq!(world.store.forget().kept_tables().await.expect("read"), ["myao2_messages"]);
    let compacted = forget(&world.store, &ForgetScope::message(general(), ts(2)), 200).await;
    assert_eq!(compacted.dropped, ["myao2_messages"]);
    assert_eq!(files_with(&world, "Hagebutte-4718").await, Vec::<PathBuf>::new());
}
