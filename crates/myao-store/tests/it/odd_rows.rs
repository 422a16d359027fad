//! A row that makes no sense, and a statement that fails, are told so that a person finds them.

use std::error::Error as _;

use myao_core::chat::{ChannelKind, Event, Visibility};

use crate::{
    planted::plant,
    replies::talk::{arrive, mention},
    support::{World, at, channel, on_both, user},
};

on_both! {
    a_value_of_no_meaning_is_told_with_its_column_and_row => async |world: &World| {
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        plant(world, "UPDATE channels SET kind = 'odd'").await;
        let error = world.store.archive().channels(&Visibility::Owner).await.expect_err("odd").to_string();
        assert!(error.contains("channels.kind of row C1: ") && error.contains("odd"), "{error}");
    };

    a_statement_that_fails_is_told_with_its_place_and_cause => async |world: &World| {
        plant(world, "ALTER TABLE users RENAME TO people").await;
        let events: Vec<Event> = vec![user("U1", "alice")];
        let error = world.store.intake().apply(events, at(0)).await.expect_err("no table");
        assert!(error.to_string().contains("directory.rs:"), "{error}");
        assert!(error.source().is_some(), "{error}");
    };

    /// Nothing waits behind a reply whose row makes no sense.
    a_reply_that_cannot_be_read_is_set_aside => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        arrive(store, vec![mention(5)]).await;
        assert!(!store.replies().to_act_on(at(6)).await.expect("read").any_unreadable);
        plant(world, "UPDATE replies SET cause = 'odd'").await;
        assert!(store.replies().to_act_on(at(6)).await.expect("read").any_unreadable);
        assert_eq!(store.replies().set_aside_unreadable(at(6)).await.expect("set aside").len(), 1);
        assert!(store.replies().set_aside_unreadable(at(7)).await.expect("asked").is_empty());
        assert!(!store.replies().to_act_on(at(7)).await.expect("read").any_unreadable);
    };
}
