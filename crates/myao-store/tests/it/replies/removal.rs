//! A reply made from words that are removed is not sent, and not kept (SPEC §6).

use myao_core::chat::{Event, Message, MessageKind, UserId};
use myao_core::context::Visibility;
use myao_store::{PartState, Store, WantedReply};

use super::talk::{arrive, draft, gone, mention, own, take, top, wanted};
use crate::support::{World, at, general, message, on_both, said, ts};

/// A reply of three parts, written and not sent.
async fn written(store: &Store) -> (WantedReply, myao_store::Claim) {
    arrive(store, vec![said(0, "context"), mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let words = draft(reply.id, &reply.triggers, &["one", "two", "three"]);
    assert!(store.write_reply(&claim, words, at(101)).await.expect("written"));
    (reply, claim)
}

fn edited(event: Event, text: &str) -> Event {
    let Event::Message(message) = event else { panic!("a message") };
    Event::Message(Message { text: text.to_owned(), edited_at: Some(ts(60)), ..message })
}

async fn parts(store: &Store) -> Vec<PartState> {
    let replies = store.unfinished_replies().await.expect("read");
    replies.into_iter().flat_map(|reply| reply.parts).map(|part| part.state).collect()
}

on_both! {
    an_edited_trigger_has_its_answer_written_anew => async |world: &World| {
        let (reply, _) = written(&world.store).await;
        let Event::Message(asked) = mention(1) else { panic!("a message") };
        arrive(&world.store, vec![edited(mention(1), &format!("{} and more", asked.text))]).await;
        assert_eq!(parts(&world.store).await, []);
        let again = wanted(&world.store).await.expect("wanted again");
        assert_eq!((again.id, again.triggers), (reply.id, reply.triggers));
    };

    what_stood_beside_it_was_in_view_as_well => async |world: &World| {
        written(&world.store).await;
        arrive(&world.store, vec![gone(0)]).await;
        assert_eq!(parts(&world.store).await, []);
        assert!(wanted(&world.store).await.is_some());
    };

    of_what_is_partly_said_the_rest_is_never_said => async |world: &World| {
        for (n, removal) in [(10, gone(1)), (20, gone(50))].into_iter().enumerate() {
            let world = if n == 0 { world } else { &crate::support::sqlite().await };
            let (reply, claim) = written(&world.store).await;
            assert!(world.store.sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
            world.store.posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
            arrive(&world.store, vec![removal.1]).await;
            assert!(!world.store.sending(&claim, reply.id, 2, at(104)).await.expect("asked"), "{}", removal.0);
            assert_eq!(parts(&world.store).await, [], "and no word of it is kept");
            assert!(wanted(&world.store).await.is_none(), "it was answered");
        }
    };

    a_part_on_its_way_is_not_lost_sight_of => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        arrive(&world.store, vec![gone(1)]).await;
        assert_eq!(parts(&world.store).await.len(), 1);
        assert!(world.store.posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"), "all of it");
        assert_eq!(parts(&world.store).await, []);
        let stands = world.store.message(&Visibility::Owner, &general(), ts(50)).await.expect("read").expect("archived");
        assert_eq!(stands.text, "one");
    };

    what_changes_no_words_changes_no_reply => async |world: &World| {
        written(&world.store).await;
        let unfolded = Event::Message(Message { edited_at: Some(ts(60)), ..message("C1", 0, "context") });
        let joined = Event::Message(Message { kind: MessageKind::Notice, user: UserId::new("U7"), ..message("C1", 61, "joined") });
        arrive(&world.store, vec![unfolded, joined]).await;
        assert_eq!(parts(&world.store).await.len(), 3);
    };
}
