//! A reply made from words that are removed is not sent, and not kept (specification §6).

use myao_core::chat::{Event, Message, MessageKind, UserId, Visibility};
use myao_store::{PartState, ReplyDraft, Store, WantedReply};

use super::talk::{arrive, draft, gone, mention, own, take, talk_of, top, wanted};
use crate::support::{World, at, general, message, on_both, said, ts};

/// A reply of three parts, written and not sent.
async fn written(store: &Store) -> (WantedReply, myao_store::Claim) {
    arrive(store, vec![said(0, "context"), mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let inputs = talk_of(store, "C1", (0, 1)).await;
    let words = ReplyDraft { inputs, ..draft(reply.id, &reply.triggers, &["one", "two", "three"]) };
    assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
    (reply, claim)
}

fn edited(event: Event, text: &str) -> Event {
    let Event::Message(message) = event else { panic!("a message") };
    Event::Message(Message { text: text.to_owned(), edited_at: Some(ts(60)), ..message })
}

async fn text(store: &Store, second: i64) -> String {
    let message = store.archive().message(&Visibility::Owner, &general(), ts(second)).await.expect("read");
    message.map(|message| message.text).unwrap_or_default()
}

async fn parts(store: &Store) -> Vec<PartState> {
    let replies = store.replies().list_unfinished().await.expect("read");
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

    what_is_partly_said_is_taken_back => async |world: &World| {
        for (n, removal, triggers) in [(10, gone(1), 0), (20, gone(0), 1)] {
            let world = if n == 10 { world } else { &crate::support::sqlite().await };
            let (reply, claim) = written(&world.store).await;
            assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
            world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
            arrive(&world.store, vec![removal]).await;
            assert_eq!(text(&world.store, 50).await, "", "it has left the archive at once");
            assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 2, at(104)).await.expect("asked"));
            assert_eq!(parts(&world.store).await, [PartState::Withdrawing { ts: ts(50) }]);
            assert!(wanted(&world.store).await.is_none(), "not before it is gone from the platform");
            world.store.replies().note_part_withdrawn(&claim, reply.id, 1, at(105)).await.expect("noted");
            assert_eq!(parts(&world.store).await, []);
            // What asked for it stands, or does not: then there is nothing to answer.
            let again = wanted(&world.store).await;
            assert_eq!(again.as_ref().map_or(0, |again| again.triggers.len()), triggers);
            assert!(again.is_none_or(|again| again.id != reply.id && again.made_anew == 1), "no mark is used twice");
        }
    };

    what_the_platform_keeps_is_not_answered_twice => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        arrive(&world.store, vec![gone(0)]).await;
        world.store.replies().note_not_withdrawn(&claim, reply.id, "cant_delete_message", at(104)).await.expect("noted");
        assert_eq!(parts(&world.store).await, []);
        assert!(wanted(&world.store).await.is_none());
        assert_eq!(text(&world.store, 50).await, "");
        let told = world.store.replies().failed_and_postponed(at(0)).await.expect("read");
        assert!(told[0].reason.contains("cant_delete_message"), "{told:?}");
    };

    /// Somebody deleted our own post: they do not want to read on.
    after_a_part_that_somebody_deleted_comes_no_other => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        arrive(&world.store, vec![gone(50)]).await;
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 2, at(104)).await.expect("asked"));
        assert_eq!(parts(&world.store).await, []);
        assert!(wanted(&world.store).await.is_none(), "it was answered");
    };

    a_part_on_its_way_is_not_lost_sight_of => async |world: &World| {
        world.store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        arrive(&world.store, vec![gone(0)]).await;
        assert_eq!(parts(&world.store).await.len(), 1);
        // The platform tells of it before it answers: it is not archived.
        arrive(&world.store, vec![Event::Message(own(102, "one"))]).await;
        assert_eq!(text(&world.store, 102).await, "");
        assert!(!world.store.intake().note_part_posted(&claim, reply.id, 1, own(102, "one"), at(103)).await.expect("posted"));
        assert_eq!(parts(&world.store).await, [PartState::Withdrawing { ts: ts(102) }]);
        arrive(&world.store, vec![Event::Message(own(102, "one"))]).await;
        assert_eq!(text(&world.store, 102).await, "", "a tombstone is final");
        world.store.replies().note_part_withdrawn(&claim, reply.id, 1, at(105)).await.expect("noted");
        assert_eq!(wanted(&world.store).await.expect("wanted").triggers, reply.triggers);
    };

    /// The echo came first, then the removal, then the platform's answer.
    an_echo_that_came_first_leaves_the_archive => async |world: &World| {
        world.store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        arrive(&world.store, vec![Event::Message(own(102, "one"))]).await;
        assert_eq!(text(&world.store, 102).await, "one");
        arrive(&world.store, vec![gone(0)]).await;
        assert_eq!(text(&world.store, 102).await, "");
        assert!(!world.store.intake().note_part_posted(&claim, reply.id, 1, own(102, "one"), at(103)).await.expect("posted"));
    };

    /// Complete long since: it leaves the archive if it says what nobody says any more.
    what_was_said_long_since_leaves_with_its_words => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        while !store.recall().count_older_messages().await.expect("counted") {}
        arrive(store, vec![said(0, "on 12 May the word is crocodile"), said(2, "the word is cat"), mention(3)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        let inputs = talk_of(store, "C1", (0, 3)).await;
        let words = ReplyDraft { inputs, ..draft(reply.id, &reply.triggers, &["crocodile", "cat", "see you on 12 May"]) };
        assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        for (part, second, text) in [(1, 50, "crocodile"), (2, 51, "cat"), (3, 52, "see you on 12 May")] {
            assert!(store.intake().mark_part_sending(&claim, reply.id, part, at(102)).await.expect("asked"));
            store.intake().note_part_posted(&claim, reply.id, part, own(second, text), at(103)).await.expect("posted");
        }
        arrive(store, vec![gone(0)]).await;
        assert_eq!((text(store, 50).await.as_str(), text(store, 51).await.as_str()), ("", "cat"));
        assert_eq!(text(store, 52).await, "see you on 12 May", "a date is nobody's word");
        // It still stands in the chat, and a history lists it.
        arrive(store, vec![Event::Message(own(50, "crocodile"))]).await;
        assert_eq!(text(store, 50).await, "");
        assert_eq!(store.replies().list_unfinished().await.expect("read"), [], "nothing is deleted in the chat");
    };

    what_changes_no_words_changes_no_reply => async |world: &World| {
        written(&world.store).await;
        let unfolded = Event::Message(Message { edited_at: Some(ts(60)), ..message("C1", 0, "context") });
        let joined = Event::Message(Message { kind: MessageKind::Notice, user: UserId::new("U7"), ..message("C1", 61, "joined") });
        arrive(&world.store, vec![unfolded, joined]).await;
        assert_eq!(parts(&world.store).await.len(), 3);
    };
}
