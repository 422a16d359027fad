//! Retention: words leave the archive, memories stay (ADR 52).

use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Visibility},
    forget::ForgetScope,
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{RestartFrom, Store};

use crate::{
    built::build,
    replies::talk::{edited, gone},
    support::{World, all_of, at, general, message, on_both, said, ts},
};

/// Wipes all that may be wiped of what was said before second 100; in how many pieces.
async fn expire(store: &Store) -> usize {
    let mut pieces = 0;
    while store.intake().expire_words(at(100), at(200)).await.expect("expired") {
        pieces += 1;
    }
    pieces
}

async fn words(store: &Store) -> Vec<String> {
    let (_, talk) =
        store.archive().talk_in_range(&Visibility::Owner, &all_of(general())).await.expect("read");
    talk.into_iter().map(|message| message.text).collect()
}

async fn long_term(store: &Store) -> Option<String> {
    let id = ScopeId::channel(&general());
    let head = store.memory().head(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm).await;
    head.expect("read").map(|head| head.memory.content().to_owned())
}

/// Messages, covered, pending, before the start, uncovered, expired: of C1.
async fn coverage(store: &Store) -> [u64; 6] {
    let all = store.memory().coverage_by_channel().await.expect("read");
    let c1 = all.into_iter().find(|one| one.channel == general()).expect("known");
    [c1.messages, c1.covered, c1.pending, c1.before_start, c1.uncovered, c1.expired]
}

async fn apply(store: &Store, events: Vec<Event>) -> myao_store::Applied {
    store.intake().apply(events, at(300)).await.expect("applied")
}

on_both! {
    expired_words_count_in_what_a_forgetting_would_take => async |world: &World| {
        let store = &world.store;
        build(store).await;
        let from = MessageTs::MIN;
        let to = ts(900);
        let scope = ForgetScope { channel: Some(general()), user: None, from, to, until_now: true, words: None };
        let before = store.forget().preview(&scope).await.expect("read");
        assert!(before.message_count() > 0 && before.by_channel().values().any(|row| row.long_term), "{before:?}");
        expire(store).await;
        assert_eq!(store.forget().preview(&scope).await.expect("read"), before);
    };

    what_long_term_memory_holds_expires_and_nothing_else => async |world: &World| {
        let store = &world.store;
        build(store).await;
        apply(store, vec![said(-5, "before the start")]).await;
        let faults = store.verify().await.expect("read").faults;
        assert_eq!(coverage(store).await, [6, 5, 0, 1, 0, 0]);
        // By the fifth second, what lies before the first chapter has expired; no chapter is over.
        for is_wiped in [true, false] {
            assert_eq!(store.intake().expire_words(at(5), at(200)).await.expect("expired"), is_wiped);
            assert_eq!(words(store).await, ["one", "one more", "two", "three", "four"]);
        }
        // Three chapters, and what lies before the first; the fourth is in no long-term memory yet.
        expire(store).await;
        assert_eq!(words(store).await, ["four"]);
        assert_eq!(coverage(store).await, [1, 1, 0, 0, 0, 5]);
        assert_eq!(long_term(store).await.as_deref(), Some("first to third"));
        assert_eq!(store.verify().await.expect("read").faults, faults);
        assert_eq!(store.intake().expired_of_version(&general(), 1).await.expect("read"), 2);
        let expired = async |from| store.intake().expired_chapters(&general(), from).await.expect("read");
        assert_eq!([expired(RestartFrom::Start).await, expired(RestartFrom::Chapter(4)).await], [3, 0]);
        let first = store.memory().first_of_version(&general(), 1).await.expect("read");
        assert_eq!(first, Some(ts(1)), "when it was said is known");
        assert_eq!(expire(store).await, 0);
    };

    nothing_brings_expired_words_back => async |world: &World| {
        let store = &world.store;
        build(store).await;
        apply(store, vec![said(-5, "before the start")]).await;
        expire(store).await;
        let again = apply(store, vec![said(1, "one"), said(11, "two"), said(-5, "before the start")]).await;
        assert_eq!((again.new, again.same), (0, 3));
        // What comes late there is covered as little as its chapter is written anew from less.
        apply(store, vec![said(3, "late"), said(-6, "late, too")]).await;
        assert_eq!(words(store).await, ["four"]);
        assert!(store.memory().chapters_to_write(&general()).await.expect("read").is_empty());
        assert_eq!(coverage(store).await, [1, 1, 0, 0, 0, 7]);
        let raw = Event::Unread { key: format!("C1/{}", ts(1)), raw: "one".into(), error: "odd".into() };
        assert_eq!(apply(store, vec![raw]).await.unread, 0);
        assert_eq!(long_term(store).await.as_deref(), Some("first to third"));
    };

    a_deletion_and_an_edit_still_reach_memories => async |world: &World| {
        let store = &world.store;
        build(store).await;
        expire(store).await;
        apply(store, vec![edited(21, 22, "something else")]).await;
        assert_eq!(long_term(store).await.as_deref(), Some("first and second"), "the third chapter is out");
        assert_eq!(words(store).await, ["four"]);
        assert_eq!(apply(store, vec![gone(11)]).await.deleted, 1);
        assert_eq!(long_term(store).await, None);
        let work = store.memory().chapters_to_write(&general()).await.expect("read");
        assert_eq!(work.iter().map(|work| work.version).collect::<Vec<_>>(), [2, 3]);
        // Once is enough.
        assert_eq!(apply(store, vec![gone(11), gone(21)]).await.same, 2);
        // An unfolded link is no edit.
        let unfolded = Message { text: "one more".into(), ..message("C1", 2, "") };
        apply(store, vec![Event::Message(unfolded)]).await;
        let history = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!(history.iter().map(|one| one.memory.version()).collect::<Vec<_>>(), [1, 4]);
    };

    where_there_is_no_memory_nothing_expires => async |world: &World| {
        let store = &world.store;
        apply(store, vec![said(1, "one"), Event::Message(message("C2", 2, "two"))]).await;
        assert_eq!(expire(store).await, 0);
        assert_eq!(words(store).await, ["one"]);
        let held = store.archive().held_channel(&ChannelId::new("C2")).await.expect("read").talk;
        assert_eq!(held.into_iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(2)]);
    };
}
