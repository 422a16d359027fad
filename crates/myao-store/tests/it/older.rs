//! What an older program wrote with words of other places is found, once, on both databases (specification §6).

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Visibility},
    memory::{MemoryScope, MemoryType},
    text::terms_of_text,
};
use myao_store::{MemoQuery, Range, StepDraft, Store};

use crate::{
    planted::plant,
    support::{
        World, at, by_hand, channel, claim, cut_chapters, draft, general, message, on_both, said, short,
        step, ts, write_memory,
    },
};

/// C1, where nobody knows the secret word of G1.
async fn furnish(store: &Store) {
    let secret = Event::Message(message("G1", 1, "the axolotl project"));
    let events = vec![
        channel("C1", ChannelKind::Public),
        channel("G1", ChannelKind::Private),
        said(1, "lunch at noon"),
        said(11, "tea at four"),
        secret,
    ];
    store.intake().apply(events, at(0)).await.expect("applied");
}

/// Two chapters of C1, the second written with a memory of G1 beside it, whose word it holds.
async fn write(store: &Store) {
    let beside = draft(MemoryScope::Channel, "G1", MemoryType::LongTerm, "the axolotl project");
    write_memory(store, beside, by_hand(), at(1)).await;
    let beside = store.memory().all_memories(&Visibility::Owner).await.expect("read").remove(0).0;
    let claim = claim(store, "channel:C1").await;
    cut_chapters(store, &claim, 0, 2).await;
    let range = |from| Some(Range { channel: general(), from: ts(from), to: ts(from + 10) });
    let of = |number, from, text| StepDraft {
        range: range(from),
        read_revision: 9,
        soft: vec![beside],
        ..step(short(text), number, None)
    };
    let chapters = vec![of(1, 0, "lunch at noon"), of(2, 10, "tea, and the axolotl project")];
    store.memory().save_steps(&claim, chapters, at(5)).await.expect("committed");
}

/// A memo and a reason of C1, both by a reply, with and without the word.
const NOTES: &str = "
    INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, made_by, read_revision, created_at, updated_at)
        VALUES ('m1', 'pets', 'an axolotl', 3, '[]', NULL, 'C1', '', 1, 1, 1),
               ('m2', 'food', 'lunch', 3, '[]', NULL, 'C1', '', 1, 1, 1);
    INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait, hold_until, speak_at, call_id, at)
        VALUES ('C1', 0, 11, 'quiet', 850, 'they talk of the axolotl', NULL, 99, NULL, NULL, 40),
               ('C1', 0, 12, 'quiet', 850, 'they have lunch', NULL, 99, NULL, NULL, 41);
    INSERT INTO older_texts (until) SELECT max(id) FROM memory_steps;";

async fn contents(store: &Store) -> BTreeSet<String> {
    store
        .memory()
        .all_memories(&Visibility::Owner)
        .await
        .expect("read")
        .into_iter()
        .map(|(_, memory)| memory.content().to_owned())
        .collect()
}

on_both! {
    texts_of_an_older_program_are_looked_at_once => async |world: &World| {
        let store = &world.store;
        assert!(!store.intake().has_unchecked_texts().await.expect("read"));
        furnish(store).await;
        write(store).await;
        plant(world, NOTES).await;
        assert!(store.intake().has_unchecked_texts().await.expect("read"));
        while !store.recall().count_older_messages().await.expect("counted") {}
        while !check(store).await {}
        assert!(!store.intake().has_unchecked_texts().await.expect("read"));
        assert_eq!(contents(store).await, ["lunch at noon", "the axolotl project"].map(str::to_owned).into());
        let place = Visibility::Place { channel: general(), open_channels: false };
        let all = MemoQuery { limit: 50, ..MemoQuery::default() };
        let seen = store.memos().page(&place, &all).await.expect("read").memos;
        assert_eq!(seen.iter().map(|one| one.memo.name.as_str()).collect::<Vec<_>>(), ["food"]);
        assert_eq!(store.memos().page(&Visibility::Owner, &all).await.expect("read").total, 2, "the owner's from now on");
        let ledger = myao_store::LedgerQuery { channel: None, since: at(-2_000_000_000), limit: 9 };
        let reasons: BTreeSet<String> = store.replies().list_verdicts(&Visibility::Owner, &ledger).await.expect("read").into_iter().map(|one| one.reason).collect();
        assert!(reasons.iter().all(|reason| !reason.contains("axolotl")), "{reasons:?}");
        assert!(reasons.contains("they have lunch"), "{reasons:?}");
    };

    words_that_a_model_made_up_are_its_own => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let asked = terms_of_text("axolotl lunch");
        store.recall().note_model_words(&terms_of_text("axolotl")).await.expect("noted");
        store.recall().note_model_words(&terms_of_text("axolotl")).await.expect("noted again");
        let counts = store.recall().frequencies_of_terms(Some(&ChannelId::new("C1")), &asked).await.expect("read");
        let own: Vec<&str> = counts.frequencies.iter().filter(|(_, f)| f.is_models_own).map(|(term, _)| term.as_str()).collect();
        assert_eq!(own, ["axolotl"]);
    };
}

async fn check(store: &Store) -> bool {
    let names = store.archive().names(&Visibility::Owner).await.expect("read");
    store.intake().check_some_older_texts(&names, at(50)).await.expect("looked at")
}
