//! A clock is set back: nothing waits until it has caught up, and nothing is known, heard or held beyond now.

use myao_core::chat::ChannelKind;
use myao_store::{FirstSight, ProcessCard, SharedLimit, Sight, Store};

use crate::{
    replies::talk::{arrive, draft, mention, take, top, wanted},
    support::{World, at, channel, general, on_both, ts},
};

/// An hour, by which the clock is set back to second 200.
const WRONG: i64 = 3_800;
const RIGHT: i64 = 200;

fn limit() -> SharedLimit {
    SharedLimit { subject: "post".to_owned(), spacing: 1_000_000, burst: 1 }
}

async fn sight(store: &Store) -> Sight {
    store.hearing().sight_of_channel(&general()).await.expect("read")
}

on_both! {
    what_was_put_off_is_due => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![mention(1)]).await;
        let reply = wanted(store).await.expect("wanted");
        let held = take(store, &top(), at(WRONG - 60)).await;
        let words = draft(reply.id, &reply.triggers, &["one"]);
        assert!(store.replies().write_parts(&held, words, at(WRONG - 30)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&held, reply.id, 1, at(WRONG - 20)).await.expect("asked"));
        store.replies().put_off(&held, reply.id, at(WRONG + 30), "the platform asks to wait", at(WRONG)).await.expect("put off");
        store.memory().set_back("channel:C1", "because", at(WRONG)).await.expect("noted");
        store.pause_until(limit(), at(WRONG + 60)).await.expect("paused");
        assert!(store.take_turn(vec![limit()], at(RIGHT)).await.expect("asked").is_some());
        store.hearing().clock_was_set_back(at(RIGHT)).await.expect("put right");
        let waits = store.replies().list_unfinished().await.expect("read").remove(0);
        assert!(waits.is_due(at(RIGHT)), "{waits:?}");
        assert!(store.take_turn(vec![limit()], at(RIGHT)).await.expect("asked").is_none());
        assert!(store.claim("channel:C9", at(RIGHT), at(RIGHT + 8)).await.expect("asked").is_some());
    };

    what_was_put_off_by_a_right_clock_waits_on => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![mention(1)]).await;
        let reply = wanted(store).await.expect("wanted");
        let held = take(store, &top(), at(100)).await;
        store.replies().put_off(&held, reply.id, at(RIGHT + 60), "the night is quiet", at(110)).await.expect("put off");
        store.hearing().clock_was_set_back(at(RIGHT)).await.expect("put right");
        let due = async |second| store.replies().to_act_on(at(second)).await.expect("read").due.len();
        assert_eq!((due(RIGHT + 59).await, due(RIGHT + 61).await), (0, 1));
    };

    what_is_known_stays_known_and_what_is_in_doubt_in_doubt => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
        store.hearing().begin(at(WRONG - 100));
        let card = ProcessCard { started: at(WRONG - 200), ..ProcessCard::default() };
        store.hearing().report_alive(&card, Some(at(WRONG)), at(WRONG)).await.expect("shown");
        store.hearing().note_known(&[general()], at(WRONG)).await.expect("noted");
        assert_eq!(sight(store).await, Sight::Open);
        store.hearing().clock_was_set_back(at(RIGHT)).await.expect("put right");
        assert_eq!(sight(store).await, Sight::Open);
        assert_eq!(store.hearing().last_heard().await.expect("read"), Some(at(RIGHT)));
        assert!(!store.hearing().was_heard_later_than(at(RIGHT)).await.expect("read"));
        store.hearing().doubt_channels(&[general()], at(RIGHT + 5)).await.expect("noted");
        assert_eq!(sight(store).await, Sight::Unknown);
        store.hearing().note_known(&[general()], at(RIGHT + 6)).await.expect("noted");
        assert_eq!(sight(store).await, Sight::Open, "a lookup by the right clock counts");
        store.hearing().doubt_channels(&[general()], at(WRONG)).await.expect("noted");
        store.hearing().clock_was_set_back(at(RIGHT + 7)).await.expect("put right");
        assert_eq!(sight(store).await, Sight::Unknown);
        store.hearing().note_known(&[general()], at(RIGHT + 8)).await.expect("noted");
        assert_eq!(sight(store).await, Sight::Open);
    };

    a_claim_of_the_wrong_time_is_not_held_for_an_hour => async |world: &World| {
        let other = Store::open(&world.target).await.expect("a second process");
        let held = other.claim("channel:C1", at(WRONG), at(WRONG + 8)).await.expect("asked").expect("free");
        assert!(world.store.claim("channel:C1", at(RIGHT), at(RIGHT + 8)).await.expect("asked").is_none());
        world.store.hearing().clock_was_set_back(at(RIGHT)).await.expect("put right");
        assert!(world.store.claim("channel:C1", at(RIGHT + 31), at(RIGHT + 40)).await.expect("asked").is_some());
        assert!(!other.renew(&held, at(RIGHT + 40)).await.expect("asked"), "it is another's now");
        assert_eq!(world.store.hearing().shared_now(at(RIGHT)), at(RIGHT));
    };
}
