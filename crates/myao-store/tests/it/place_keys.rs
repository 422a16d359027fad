//! What rules for places name: by name, by id and by kind, over renames, and what is forgotten by kind (ADR 139).

use std::collections::BTreeSet;

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, ForgottenKinds, PlaceKind};
use myao_store::{OptOuts, PlaceKeys, Store};

use crate::{
    opting_out::rows_with,
    support::{World, at, channel, message, on_both},
};

/// What is found nowhere afterwards.
const CANARY: &str = "zanzibar";

fn keys(named: &[&str]) -> PlaceKeys {
    PlaceKeys { named: named.iter().map(|&key| key.to_owned()).collect(), ..PlaceKeys::default() }
}

fn forgetting(nothing: &[PlaceKind], chapters: &[PlaceKind], kept: &[&str]) -> PlaceKeys {
    let forgotten = ForgottenKinds {
        nothing: nothing.iter().copied().collect(),
        chapters: chapters.iter().copied().collect(),
    };
    PlaceKeys { forgotten, kept: kept.iter().map(|&key| key.to_owned()).collect(), ..keys(kept) }
}

/// The world's store by these rules, as a program that starts now.
async fn started(world: &World, places: PlaceKeys) -> Store {
    let store = world.store.clone().heeding(OptOuts::default().with_places(places));
    store.intake().note_opted_out(at(5)).await.expect("noted");
    store
}

fn placed(id: &str, name: &str, kind: ChannelKind, external: bool) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external })
}

async fn apply(store: &Store, events: Vec<Event>) -> (u64, u64) {
    let applied = store.intake().apply(events, at(10)).await.expect("applied");
    (applied.new, applied.left_out)
}

async fn hidden(store: &Store, id: &str) -> bool {
    let row = store.archive().channel_row(&ChannelId::new(id)).await.expect("read");
    row.expect("known").has_opted_out()
}

async fn meant_by(store: &Store, id: &str) -> BTreeSet<String> {
    let facts = store.hearing().place_facts(&ChannelId::new(id)).await.expect("read");
    facts.map(|facts| facts.meant_by).unwrap_or_default()
}

on_both! {
    a_renamed_channel_keeps_its_rule => async |world: &World| {
        let private = ChannelKind::Private;
        apply(&world.store, vec![placed("C2", "exec", private, false), placed("C3", "hall", private, false)]).await;
        let store = started(world, keys(&["＃exec", "C3", "#soon"])).await;
        assert_eq!(meant_by(&store, "C2").await, ["exec".to_owned()].into());
        // Twice is once.
        store.intake().note_places_named(&["#exec".to_owned()]).await.expect("noted");
        // A name that is borne only later, and then changed, too.
        apply(&store, vec![placed("C2", "board", private, false), placed("C4", "soon", private, false)]).await;
        apply(&store, vec![placed("C4", "late", private, false)]).await;
        assert_eq!(meant_by(&store, "C2").await, ["exec".to_owned()].into());
        assert_eq!(meant_by(&store, "C4").await, ["soon".to_owned()].into());
        // With a new id as well, whether it is named by that or by name.
        for (old, new) in [("C2", "C8"), ("C3", "C9")] {
            let (old, new) = (ChannelId::new(old), ChannelId::new(new));
            assert!(store.intake().rename_channel_everywhere(&old, &new, at(11)).await.expect("renamed"));
        }
        assert!(meant_by(&store, "C8").await.contains("exec"));
        assert!(meant_by(&store, "C9").await.contains("C3"));
        let wanted = ["#exec", "C3", "#nobody"].map(str::to_owned);
        let named = store.hearing().places_named(&wanted).await.expect("read");
        assert!(named["#exec"].contains(&ChannelId::new("C8")), "{named:?}");
        assert!(named["C3"].contains(&ChannelId::new("C9")), "{named:?}");
        assert!(named["#nobody"].is_empty(), "nobody bears it");
        // Nobody's words are hidden by a rule that says nothing of them.
        assert!(!hidden(&store, "C8").await);
        assert_eq!(store.hearing().place_facts(&ChannelId::new("C7")).await.expect("read"), None);
    };

    of_a_kind_nothing_is_archived => async |world: &World| {
        let store = started(world, forgetting(&[PlaceKind::Dm, PlaceKind::External], &[], &["D2"])).await;
        let events = vec![
            placed("D1", "ann", ChannelKind::Dm, false),
            placed("D2", "ben", ChannelKind::Dm, false),
            placed("C1", "general", ChannelKind::Public, false),
            placed("C2", "customers", ChannelKind::Public, true),
            Event::Message(message("D1", 1, CANARY)),
            Event::Message(message("D2", 2, "kept by its own rule")),
            Event::Message(message("C1", 3, "hello")),
            Event::Message(message("C2", 4, CANARY)),
            // Nobody knows yet what this is.
            Event::Message(message("X9", 5, CANARY)),
        ];
        assert_eq!(apply(&store, events).await, (2, 3));
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        // Once it is known, it is remembered.
        apply(&store, vec![placed("X9", "open", ChannelKind::Public, false)]).await;
        assert_eq!(apply(&store, vec![Event::Message(message("X9", 6, "and now"))]).await, (1, 0));
        assert!(!hidden(&store, "X9").await);
    };

    what_was_said_before_is_hidden_until_the_rule_goes => async |world: &World| {
        let dm = placed("D1", "ann", ChannelKind::Dm, false);
        apply(&world.store, vec![dm, Event::Message(message("D1", 1, "from before"))]).await;
        apply(&world.store, vec![channel("C1", ChannelKind::Public)]).await;
        let store = started(world, forgetting(&[PlaceKind::Dm], &[], &[])).await;
        assert!(hidden(&store, "D1").await);
        assert!(!hidden(&store, "C1").await);
        // A channel that becomes another kind follows the rule of that.
        let store = started(world, forgetting(&[PlaceKind::External], &[], &[])).await;
        assert!(!hidden(&store, "D1").await);
        apply(&store, vec![placed("C1", "general", ChannelKind::Public, true), Event::Message(message("C1", 2, CANARY))]).await;
        assert!(hidden(&store, "C1").await);
        apply(&store, vec![placed("C1", "general", ChannelKind::Public, false), Event::Message(message("C1", 3, "hi"))]).await;
        assert!(!hidden(&store, "C1").await);
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
    };

    the_more_particular_kind_wins => async |world: &World| {
        let kinds = forgetting(&[PlaceKind::Public], &[PlaceKind::External], &[]);
        let store = started(world, kinds).await;
        let events = vec![
            placed("C1", "general", ChannelKind::Public, false),
            placed("C2", "customers", ChannelKind::Public, true),
            Event::Message(message("C1", 1, CANARY)),
            Event::Message(message("C2", 2, "hello")),
        ];
        assert_eq!(apply(&store, events).await, (1, 1));
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
    };
}
