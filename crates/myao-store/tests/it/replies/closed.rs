//! Words that were made from what is said elsewhere, and a place that closes before they are said (specification §6).

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Visibility};
use myao_store::{FirstSight, PartState, ReplyDraft, ReplyInput, Sight, Store, WantedReply};

use super::talk::{arrive, draft, mention, own, take, top, waiting, wanted};
use crate::support::{World, at, channel, general, on_both, ts};

/// Hears the workspace since second 0, and knows #general since second 1.
async fn known(store: &Store) {
    arrive(store, vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)]).await;
    store.hearing().hear_since(Some(at(0)));
    store.hearing().note_known(&[general(), ChannelId::new("C2")], at(1)).await.expect("noted");
}

async fn doubt(store: &Store, second: i64) {
    store.hearing().doubt_channels(&[general()], at(second)).await.expect("noted");
}

/// Words that were made with another channel in view.
fn open_words(reply: &WantedReply, parts: &[&str]) -> ReplyDraft {
    let inputs = [ReplyInput::Channel(ChannelId::new("C2"))].into_iter().collect();
    ReplyDraft { sight: Sight::Open, inputs, ..draft(reply.id, &reply.triggers, parts) }
}

on_both! {
    a_channel_is_open_while_it_is_known => async |world: &World| {
        let store = &world.store;
        let sight = async || store.hearing().sight_of_channel(&general()).await.expect("read");
        let sees_open = async |id: &str| {
            store.hearing().seen_from(&ChannelId::new(id)).await.expect("read").sees_open_channels()
        };
        arrive(store, vec![channel("C1", ChannelKind::Public)]).await;
        assert_eq!(sight().await, Sight::Open, "beside no connection, what is stored is known");
        store.hearing().hear_since(None);
        assert_eq!(sight().await, Sight::Unknown, "not connected");
        store.hearing().hear_since(Some(at(10)));
        assert_eq!(sight().await, Sight::Unknown, "connected, not looked up");
        store.hearing().note_known(&[general()], at(9)).await.expect("noted");
        assert_eq!(sight().await, Sight::Unknown, "asked on an earlier connection");
        store.hearing().note_known(&[general()], at(11)).await.expect("noted");
        assert_eq!(sight().await, Sight::Open);
        doubt(store, 12).await;
        assert_eq!(sight().await, Sight::Unknown, "in doubt");
        assert!(!sees_open("C1").await && !sees_open("C9").await);
        store.hearing().note_known(&[general()], at(11)).await.expect("noted");
        assert_eq!(sight().await, Sight::Unknown, "asked before the doubt");
        store.hearing().note_known(&[general()], at(13)).await.expect("noted");
        assert!(sees_open("C1").await);
        store.hearing().hear_since(Some(at(20)));
        assert_eq!(sight().await, Sight::Unknown, "another connection");
        store.hearing().note_known(&[general()], at(21)).await.expect("noted");
        store.hearing().join_channel(&general(), FirstSight::since(myao_core::chat::MessageTs::MIN)).await.expect("joined");
        store.hearing().doubt_all(at(22)).await.expect("noted");
        assert_eq!(sight().await, Sight::Unknown, "all are in doubt");
        // The owner's own look does not depend on it.
        assert!(store.archive().channels(&Visibility::Open).await.expect("read").iter().any(|row| row.channel.id == general()));
    };

    words_for_an_open_place_are_not_written_into_a_closed_one => async |world: &World| {
        let store = &world.store;
        known(store).await;
        arrive(store, vec![mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        doubt(store, 50).await;
        assert!(!store.replies().write_parts(&claim, open_words(&reply, &["hi"]), at(101)).await.expect("asked"));
        assert_eq!(waiting(store).await, [2], "it is wanted still");
        let closed = ReplyDraft { sight: Sight::Unknown, ..draft(reply.id, &reply.triggers, &["hi"]) };
        assert!(store.replies().write_parts(&claim, closed, at(102)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        assert_eq!(store.hearing().replies_by_sight(Sight::Unknown, at(0)).await.expect("read"), 1);
    };

    words_that_are_not_posted_yet_are_taken_back => async |world: &World| {
        let store = &world.store;
        known(store).await;
        arrive(store, vec![mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, open_words(&reply, &["one", "two"]), at(101)).await.expect("written"));
        doubt(store, 102).await;
        assert!(!store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        assert_eq!(store.replies().list_unfinished().await.expect("read"), []);
        assert_eq!(waiting(store).await, [2]);
        assert_eq!(wanted(store).await.expect("wanted").id, reply.id);
        let words = draft(reply.id, &reply.triggers, &["anew"]);
        assert!(store.replies().write_parts(&claim, words, at(104)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(105)).await.expect("asked"));
    };

    what_came_later_is_answered_with_it => async |world: &World| {
        let store = &world.store;
        known(store).await;
        arrive(store, vec![mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, open_words(&reply, &["one"]), at(101)).await.expect("written"));
        arrive(store, vec![mention(3)]).await;
        doubt(store, 102).await;
        assert!(!store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        assert_eq!(waiting(store).await, [2, 3]);
        assert_ne!(wanted(store).await.expect("wanted").id, reply.id);
    };

    what_is_posted_in_part_waits_until_it_is_known => async |world: &World| {
        let store = &world.store;
        known(store).await;
        arrive(store, vec![mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, open_words(&reply, &["one", "two"]), at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        assert!(!store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"));
        doubt(store, 104).await;
        assert!(!store.intake().mark_part_sending(&claim, reply.id, 2, at(105)).await.expect("asked"));
        let waits = store.replies().list_unfinished().await.expect("read");
        assert!(waits.len() == 1 && !waits[0].is_due(at(105)), "{waits:?}");
        store.hearing().note_known(&[general()], at(106)).await.expect("noted");
        assert!(store.intake().mark_part_sending(&claim, reply.id, 2, at(110)).await.expect("asked"));
    };

    it_does_not_wait_for_ever => async |world: &World| {
        let store = &world.store;
        known(store).await;
        arrive(store, vec![mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, open_words(&reply, &["one", "two"]), at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        assert!(!store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"));
        doubt(store, 104).await;
        for second in 105..=117 {
            assert!(!store.intake().mark_part_sending(&claim, reply.id, 2, at(second)).await.expect("asked"));
        }
        assert_eq!(left(store).await, [PartState::Withdrawing { ts: ts(50) }]);
    };

    what_is_posted_in_part_is_taken_back_once_a_channel_closes => async |world: &World| {
        let closed = |id: &str, kind, external| {
            Event::Channel(Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external })
        };
        let closing = [
            closed("C1", ChannelKind::Public, true),
            closed("C2", ChannelKind::Private, false),
            closed("C2", ChannelKind::Public, true),
        ];
        for (n, event) in closing.into_iter().enumerate() {
            let world = if n == 0 { world } else { &crate::support::sqlite().await };
            let store = &world.store;
            known(store).await;
            arrive(store, vec![mention(2)]).await;
            let reply = wanted(store).await.expect("wanted");
            let claim = take(store, &top(), at(100)).await;
            assert!(store.replies().write_parts(&claim, open_words(&reply, &["one", "two"]), at(101)).await.expect("written"));
            assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
            assert!(!store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"));
            arrive(store, vec![event]).await;
            assert!(!store.intake().mark_part_sending(&claim, reply.id, 2, at(105)).await.expect("asked"));
            assert_eq!(left(store).await, [PartState::Withdrawing { ts: ts(50) }], "{n}");
            store.replies().note_part_withdrawn(&claim, reply.id, 1, at(106)).await.expect("noted");
            assert_eq!(waiting(store).await, [2], "{n}");
        }
    };
}

/// The parts with which something is still to be done.
async fn left(store: &Store) -> Vec<PartState> {
    let replies = store.replies().list_unfinished().await.expect("read");
    replies
        .into_iter()
        .flat_map(|reply| reply.parts)
        .map(|part| part.state)
        .filter(|state| !matches!(state, PartState::Posted { .. }))
        .collect()
}
