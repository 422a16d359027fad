//! The index follows what it indexes in the same transaction.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, FileRef, Message, MessageKind, Visibility},
    memory::StepId,
    recall::terms_to_index,
};
use myao_store::{Claim, Range, RestartFrom, StepDraft, StepOutcome, Store};

use super::{asked, edited, found, index, micros, rebuilt, request, rows, sampled, tell};
use crate::support::{
    World, at, by_hand, channel, claim, general, long, message, on_both, said, short, step, ts, write_memory,
};

async fn committed(store: &Store, claim: &Claim, draft: StepDraft) -> StepId {
    match store.memory().save_steps(claim, vec![draft], at(9)).await.expect("committed").remove(0) {
        StepOutcome::Written(step) => step,
        StepOutcome::Moved => panic!("it was not written"),
    }
}

on_both! {
    a_message_is_found_until_it_is_deleted => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        assert_eq!(found(store, "crocodile").await, ["a crocodile"]);
        let gone = Event::Deleted { channel: general(), ts: ts(1) };
        store.intake().apply(vec![gone], at(3)).await.expect("applied");
        assert!(found(store, "crocodile").await.is_empty());
        let left: BTreeSet<i64> = rows(world).await.into_iter().map(|(address, _)| address).collect();
        assert_eq!(left.len(), 1, "no row is left of it");
        // A tombstone stays one, whatever is delivered again.
        tell(store, vec![message("C1", 1, "a crocodile")]).await;
        assert!(found(store, "crocodile").await.is_empty());
    };

    an_edited_message_is_found_by_its_new_words_only => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "something else")]).await;
        tell(store, vec![edited(message("C1", 1, "a platypus"), 9)]).await;
        assert_eq!(found(store, "platypus").await, ["a platypus"]);
        assert!(found(store, "crocodile").await.is_empty());
        // The platform tells of an earlier edit late.
        tell(store, vec![edited(message("C1", 1, "a lion"), 5)]).await;
        assert!(found(store, "lion").await.is_empty());
        // A notice is not talk.
        let notice = Message { kind: MessageKind::Notice, ..edited(message("C1", 1, "a platypus joined"), 10) };
        tell(store, vec![notice]).await;
        assert!(found(store, "platypus").await.is_empty());
    };

    how_common_words_are_is_counted_as_they_stand => async |world: &World| {
        let store = &world.store;
        let channels = ["C1", "C2"].map(|id| channel(id, ChannelKind::Public));
        store.intake().apply(channels.to_vec(), at(0)).await.expect("applied");
        let said = |id: &str, n: i64| message(id, n, &format!("a crocodile of number {n}"));
        tell(store, (1..600).flat_map(|n| [said("C1", n), said("C2", n)]).collect()).await;
        index(store).await;
        let all = sampled(world).await;
        let every = terms_to_index("crocodile").into_iter().next().expect("a term");
        assert!(all.iter().any(|(term, rows)| *term == every.to_string() && *rows > 5), "{all:?}");
        // Most are deleted, some are edited, and a channel is closed.
        let gone = (1..600).filter(|n| n % 5 != 0).map(|n| Event::Deleted { channel: general(), ts: ts(n) });
        store.intake().apply(gone.collect(), at(1000)).await.expect("applied");
        let otherwise = |n: i64| edited(message("C2", n, "a platypus"), 2000);
        tell(store, (1..600).filter(|n| n % 3 == 0).map(otherwise).collect()).await;
        store.intake().apply(vec![channel("C2", ChannelKind::Private)], at(2000)).await.expect("applied");
        index(store).await;
        let counted = sampled(world).await;
        rebuilt(world).await;
        assert_eq!(counted, sampled(world).await);
        assert_ne!(counted, all);
        let gone = (1..600).map(|n| Event::Deleted { channel: general(), ts: ts(n) });
        store.intake().apply(gone.collect(), at(3000)).await.expect("applied");
        let gone = (1..600).map(|n| Event::Deleted { channel: ChannelId::new("C2"), ts: ts(n) });
        store.intake().apply(gone.collect(), at(3000)).await.expect("applied");
        assert_eq!(sampled(world).await, []);
    };

    messages_of_one_instant_are_told_apart => async |world: &World| {
        let store = &world.store;
        let close = |n: i64, text: &str| Message { ts: micros(1, n), ..message("C1", 1, text) };
        tell(store, vec![close(0, "a crocodile"), close(100, "a platypus"), close(249, "a crocodile too")]).await;
        assert_eq!(found(store, "crocodile").await.len(), 2);
        assert_eq!(found(store, "platypus").await, ["a platypus"]);
        let gone = Event::Deleted { channel: general(), ts: micros(1, 0) };
        store.intake().apply(vec![gone], at(3)).await.expect("applied");
        assert_eq!(found(store, "crocodile").await, ["a crocodile too"]);
        assert_eq!(found(store, "platypus").await, ["a platypus"]);
    };

    files_are_found_by_name_and_description => async |world: &World| {
        let store = &world.store;
        let file = FileRef {
            name: "予算案_2026.xlsx".to_owned(),
            mimetype: None,
            permalink: None,
            alt: Some("A giraffe beside a table".to_owned()),
            image_url: None,
            ..FileRef::default()
        };
        let with_file = Message { files: vec![file], ..message("C1", 1, "here it is") };
        tell(store, vec![with_file.clone(), message("C1", 2, "thanks")]).await;
        for words in ["予算案", "giraffes", "2026", "xlsx"] {
            assert_eq!(found(store, words).await.len(), 1, "{words}");
        }
        tell(store, vec![edited(Message { files: Vec::new(), ..with_file }, 9)]).await;
        assert!(found(store, "giraffe").await.is_empty());
    };

    a_memory_is_found_by_the_text_that_stands => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        write_memory(store, long("- a crocodile\n- a lion"), by_hand(), at(1)).await;
        assert_eq!(found(store, "crocodile").await, ["a crocodile"]);
        write_memory(store, long("- a platypus"), by_hand(), at(2)).await;
        assert_eq!(found(store, "platypus").await, ["a platypus"]);
        assert!(found(store, "crocodile").await.is_empty());
        let mut without = request("platypus");
        without.with_memories = false;
        assert!(asked(store, &Visibility::Owner, &without).await.is_empty());
        let held = claim(store, "channel:C1").await;
        store.memory().drop_from(&held, &general(), RestartFrom::Start, by_hand(), at(3)).await.expect("restarted");
        assert!(found(store, "platypus").await.is_empty());
        assert!(rows(world).await.is_empty());
    };

    /// A removed message takes the memories along that were made from it: what stood before is found again.
    a_memory_that_moved_back_is_found_by_what_stands => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "one"), said(15, "two")], at(20)).await.expect("applied");
        index(store).await;
        let held = claim(store, "channel:C1").await;
        let chapter = |text: &str, from, to, version| StepDraft {
            range: Some(Range { channel: general(), from: ts(from), to: ts(to) }),
            read_revision: 100,
            ..step(short(text), version, None)
        };
        let first = committed(store, &held, chapter("about crocodiles", 0, 10, 1)).await;
        let before = StepDraft { hard: vec![first], ..step(long("- a lion"), 1, None) };
        let before = committed(store, &held, before).await;
        let second = committed(store, &held, chapter("about platypuses", 10, 20, 2)).await;
        let after = StepDraft { hard: vec![second], ..step(long("- a lion\n- a wombat"), 1, Some(before)) };
        committed(store, &held, after).await;
        assert_eq!((found(store, "wombat").await.len(), found(store, "platypus").await.len()), (1, 1));
        let gone = Event::Deleted { channel: general(), ts: ts(15) };
        store.intake().apply(vec![gone], at(30)).await.expect("applied");
        assert!(found(store, "wombat").await.is_empty());
        assert!(found(store, "platypus").await.is_empty());
        assert_eq!(found(store, "lion").await, ["a lion"]);
        assert_eq!(found(store, "crocodile").await, ["about crocodiles"]);
    };
}
