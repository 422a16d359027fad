//! How often a term is said, and where: as the rows stand, whatever came before.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Own, UserId},
    text::terms_of_text,
};
use myao_store::Store;
use proptest::prelude::*;

use crate::support::{World, at, channel, message, on_both, sqlite, ts};

/// How many messages of each channel hold a term, as `C1: 2, C2: 1`; `!` for where it is said here.
async fn said(store: &Store, term: &str) -> (u64, u64, bool) {
    let counts = store
        .recall()
        .frequencies_of_terms(Some(&ChannelId::new("C1")), &[term.to_owned()].into())
        .await
        .expect("read");
    assert!(counts.is_complete);
    let frequency = counts.frequencies[term];
    (frequency.messages, frequency.channels, frequency.is_said_here)
}

async fn tell(store: &Store, id: &str, second: i64, text: &str) {
    store.intake().apply(vec![Event::Message(message(id, second, text))], at(second)).await.expect("applied");
}

on_both! {
    words_are_counted_as_they_are_said => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)], at(0)).await.expect("applied");
        tell(store, "C1", 1, "a crocodile, 鰐").await;
        tell(store, "C1", 2, "crocodile CROCODILE").await;
        tell(store, "C2", 3, "鰐 and 🦕").await;
        assert_eq!(said(store, "crocodile").await, (2, 1, true));
        assert_eq!(said(store, "鰐").await, (2, 2, true));
        assert_eq!(said(store, "🦕").await, (1, 1, false));
        assert_eq!(said(store, "lion").await, (0, 0, false));
        // Told again, edited, deleted.
        tell(store, "C1", 2, "crocodile CROCODILE").await;
        assert_eq!(said(store, "crocodile").await, (2, 1, true));
        let edited = Message { edited_at: Some(ts(9)), ..message("C1", 2, "a lion") };
        store.intake().apply(vec![Event::Message(edited)], at(9)).await.expect("applied");
        assert_eq!((said(store, "crocodile").await, said(store, "lion").await), ((1, 1, true), (1, 1, true)));
        store.intake().apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: ts(1) }], at(10)).await.expect("applied");
        assert_eq!((said(store, "crocodile").await, said(store, "鰐").await), ((0, 0, false), (1, 1, false)));
    };

    /// What we said explains nobody's words, whenever it was found out who we are.
    our_own_words_do_not_count => async |world: &World| {
        let store = &world.store;
        tell(store, "C1", 1, "a crocodile").await;
        let ours = Message { user: UserId::new("UMYAO"), ..message("C1", 2, "a crocodile it is") };
        store.intake().apply(vec![Event::Message(ours)], at(2)).await.expect("applied");
        assert_eq!(said(store, "crocodile").await, (2, 1, true));
        store.recall().note_own(&Own { user: UserId::new("UMYAO"), bot: None }).await.expect("noted");
        let counts = store.recall().frequencies_of_terms(None, &BTreeSet::new()).await.expect("read");
        assert!(!counts.is_complete, "they are counted anew");
        while !store.recall().count_older_messages().await.expect("counted") {}
        assert_eq!(said(store, "crocodile").await, (1, 1, true));
        let ours = Message { user: UserId::new("UMYAO"), ..message("C1", 3, "crocodile") };
        store.intake().apply(vec![Event::Message(ours)], at(3)).await.expect("applied");
        assert_eq!(said(store, "crocodile").await, (1, 1, true));
    };

    a_channel_with_a_new_id_takes_its_words_along => async |world: &World| {
        let store = &world.store;
        tell(store, "C0", 1, "a crocodile").await;
        tell(store, "C1", 2, "a lion").await;
        let done = store.intake().rename_channel_everywhere(&ChannelId::new("C0"), &ChannelId::new("C1"), at(3)).await;
        assert!(done.expect("renamed"));
        assert_eq!(said(store, "crocodile").await, (1, 1, true));
        assert_eq!(said(store, "lion").await, (1, 1, true));
    };
}

/// What happens to a message: said or edited to some words, or deleted.
type Happening = (bool, u8, u8, Vec<u8>, bool);

/// Whether it is ours, and its terms; none for a deleted one.
type Standing = Option<(bool, BTreeSet<String>)>;

const WORDS: [&str; 6] = ["lion", "鰐", "🦕", "ひまわり", "42", "東京"];

async fn agree(happenings: &[Happening]) {
    let world = sqlite().await;
    let store = &world.store;
    let own = Own { user: UserId::new("UMYAO"), bot: None };
    let mut stands: BTreeMap<(String, i64), Standing> = BTreeMap::new();
    for (n, (is_deletion, which, second, words, is_ours)) in (1..).zip(happenings) {
        let id = format!("C{}", which % 3);
        let second = i64::from(second % 5) + 1;
        let key = (id.clone(), second);
        if *is_deletion {
            stands.insert(key, None);
            store
                .intake()
                .apply(vec![Event::Deleted { channel: ChannelId::new(&id), ts: ts(second) }], at(n))
                .await
                .expect("applied");
        } else {
            let text: Vec<&str> = words.iter().map(|word| WORDS[usize::from(*word) % WORDS.len()]).collect();
            let text = text.join(" ");
            let user = if *is_ours { own.user.clone() } else { UserId::new("U1") };
            let edited_at = Some(MessageTs::from_micros(ts(100).as_micros() + n));
            let said = Message { user, edited_at, ..message(&id, second, &text) };
            store.intake().apply(vec![Event::Message(said)], at(n)).await.expect("applied");
            if !matches!(stands.get(&key), Some(None)) {
                stands.insert(key, Some((*is_ours, terms_of_text(&text))));
            }
        }
        if n == 10 {
            store.recall().note_own(&own).await.expect("noted");
        }
        if n % 7 == 0 {
            store.recall().count_older_messages().await.expect("counted");
        }
    }
    while !store.recall().count_older_messages().await.expect("counted") {}
    let knows_us = happenings.len() >= 10;
    let asked: BTreeSet<String> = WORDS.iter().flat_map(|word| terms_of_text(word)).collect();
    let counts = store.recall().frequencies_of_terms(None, &asked).await.expect("read");
    for term in asked {
        let holds = |entry: &&Standing| {
            entry.as_ref().is_some_and(|(is_ours, terms)| !(knows_us && *is_ours) && terms.contains(&term))
        };
        let expected = u64::try_from(stands.values().filter(holds).count()).expect("few");
        assert_eq!(counts.frequencies[&term].messages, expected, "{term}");
    }
}

/// How many channels there are is counted as far as it tells a word of everywhere from one of a few places.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn channels_are_counted_as_far_as_it_matters() {
    let world = sqlite().await;
    let store = &world.store;
    for n in 0..30 {
        let id = format!("C{n}");
        let text = if n < 5 { "a crocodile" } else { "something else" };
        store.intake().apply(vec![channel(&id, ChannelKind::Public)], at(0)).await.expect("applied");
        for second in 1..=8 {
            tell(store, &id, second, text).await;
        }
    }
    let of = async |term: &str| {
        let counts = store.recall().frequencies_of_terms(None, &terms_of_text(term)).await.expect("read");
        let frequency = counts.frequencies[term];
        (counts.channels, frequency.tells(counts.channels), frequency.tells(30))
    };
    assert_eq!(of("crocodile").await, (21, true, true), "five channels are a quarter of twenty");
    assert_eq!(of("something").await, (30, false, false));
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn counts_are_what_stands(
            happenings in prop::collection::vec(
                (prop::bool::weighted(0.2), any::<u8>(), any::<u8>(), prop::collection::vec(any::<u8>(), 0..5), prop::bool::weighted(0.3)),
                1..40,
            ),
        ) {
            tokio::runtime::Runtime::new().expect("a runtime").block_on(agree(&happenings));
        }
    }
}
