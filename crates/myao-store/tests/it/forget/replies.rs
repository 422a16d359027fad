//! Answers of ours to what is forgotten: posted, on their way, and not begun.

use myao_core::chat::Visibility;
use myao_store::{PartState, ReplyDraft, Store};

use super::forget;
use crate::{
    replies::talk::{arrive, draft, gone, mention, own, take, talk_of, top, wanted},
    support::{World, at, general, on_both, said, ts},
};

async fn text(store: &Store, second: i64) -> Option<String> {
    store
        .archive()
        .message(&Visibility::Owner, &general(), ts(second))
        .await
        .expect("read")
        .map(|message| message.text)
}

fn the_mention() -> myao_core::forget::ForgetScope {
    myao_core::forget::ForgetScope::message(general(), ts(1))
}

on_both! {
    a_mention_that_is_forgotten_is_not_answered => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        forget(&world.store, &the_mention(), 110).await;
        assert_eq!(wanted(&world.store).await, None);
    };

    words_that_are_written_are_not_said => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["hi yourself"]);
        assert!(world.store.replies().write_parts(&claim, words.clone(), at(101)).await.expect("written"));
        forget(&world.store, &the_mention(), 110).await;
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(111)).await.expect("asked"));
        assert!(!world.store.replies().write_parts(&claim, words, at(112)).await.expect("asked"), "an answer in flight");
        assert_eq!(world.store.replies().list_unfinished().await.expect("read"), []);
    };

    what_was_on_its_way_arrives_without_its_words => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["hi yourself"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("sent"));
        forget(&world.store, &the_mention(), 110).await;
        assert!(!world.store.intake().note_part_posted(&claim, reply.id, 1, own(103, "hi yourself"), at(111)).await.expect("posted"));
        assert_eq!(text(&world.store, 103).await.as_deref(), Some(""));
        // It is deleted in the chat, and nothing is left to answer.
        let unfinished = world.store.replies().list_unfinished().await.expect("read");
        assert_eq!(unfinished[0].parts[0].state, PartState::Withdrawing { ts: ts(103) });
        world.store.replies().note_part_withdrawn(&claim, reply.id, 1, at(112)).await.expect("noted");
        assert_eq!((world.store.replies().list_unfinished().await.expect("read"), wanted(&world.store).await), (vec![], None));
        // Its echo comes later.
        arrive(&world.store, vec![myao_core::chat::Event::Message(own(103, "hi yourself"))]).await;
        assert_eq!(text(&world.store, 103).await.as_deref(), Some(""));
    };

    what_did_not_arrive_is_not_sent_again => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["hi yourself", "and more"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("sent"));
        forget(&world.store, &the_mention(), 110).await;
        let unfinished = world.store.replies().list_unfinished().await.expect("read");
        let states: Vec<&PartState> = unfinished.iter().flat_map(|reply| &reply.parts).map(|part| &part.state).collect();
        assert!(!format!("{states:?}").contains("yourself"), "{states:?}");
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(140)).await.expect("asked"));
        assert_eq!(world.store.replies().list_unfinished().await.expect("read"), [], "it has ended");
    };

    an_answer_goes_with_its_question => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["hi yourself"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("sent"));
        assert!(world.store.intake().note_part_posted(&claim, reply.id, 1, own(103, "hi yourself"), at(103)).await.expect("posted"));
        assert_eq!(text(&world.store, 103).await.as_deref(), Some("hi yourself"));
        let preview = world.store.forget().preview(&the_mention()).await.expect("read");
        assert_eq!((preview.message_count(), preview.answers.len()), (1, 1));
        forget(&world.store, &the_mention(), 110).await;
        assert_eq!(text(&world.store, 103).await.as_deref(), Some(""));
        // And it goes from the chat.
        let unfinished = world.store.replies().list_unfinished().await.expect("read");
        assert!(unfinished[0].has_ended, "{unfinished:?}");
        assert_eq!(unfinished[0].parts[0].state, PartState::Withdrawing { ts: ts(103) });
        let at_hand = world.store.replies().to_act_on(at(111)).await.expect("read");
        assert_eq!(at_hand.due, [top()]);
        world.store.replies().note_part_withdrawn(&claim, reply.id, 1, at(112)).await.expect("noted");
        assert_eq!(world.store.replies().list_unfinished().await.expect("read"), []);
    };

    /// What goes is what was listed before, and nothing else that was made from the message.
    posts_made_from_it_are_listed_before_they_go => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        while !store.recall().count_older_messages().await.expect("counted") {}
        arrive(store, vec![said(2, "on 12 May the word is crocodile"), mention(4)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        let inputs = talk_of(store, "C1", (2, 4)).await;
        let posts = ["crocodile it is", "see you on 12 May"];
        let words = ReplyDraft { inputs, ..draft(reply.id, &reply.triggers, &posts) };
        assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        for (part, second, post) in [(1, 103, posts[0]), (2, 104, posts[1])] {
            assert!(store.intake().mark_part_sending(&claim, reply.id, part, at(102)).await.expect("sent"));
            store.intake().note_part_posted(&claim, reply.id, part, own(second, post), at(103)).await.expect("posted");
        }
        let scope = myao_core::forget::ForgetScope::message(general(), ts(2));
        let preview = store.forget().preview(&scope).await.expect("read");
        assert_eq!(preview.own_posts().len(), 1, "{preview:?}");
        forget(store, &scope, 110).await;
        assert_eq!(text(store, 103).await.as_deref(), Some(""));
        assert_eq!(text(store, 104).await.as_deref(), Some(posts[1]));
        let unfinished = store.replies().list_unfinished().await.expect("read");
        assert_eq!(unfinished[0].parts[0].state, PartState::Withdrawing { ts: ts(103) });
    };

    /// Its words were taken back before, so that nobody knows what else the post says.
    what_left_the_archive_before_goes_from_the_chat => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        while !store.recall().count_older_messages().await.expect("counted") {}
        arrive(store, vec![said(2, "the word is crocodile"), said(3, "the word is cat"), mention(4)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        let inputs = talk_of(store, "C1", (2, 4)).await;
        let words = ReplyDraft { inputs, ..draft(reply.id, &reply.triggers, &["crocodile, cat"]) };
        assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("sent"));
        assert!(store.intake().note_part_posted(&claim, reply.id, 1, own(103, "crocodile, cat"), at(103)).await.expect("posted"));
        arrive(store, vec![gone(2)]).await;
        assert_eq!(text(store, 103).await.as_deref(), Some(""));
        assert_eq!(store.replies().list_unfinished().await.expect("read"), [], "it stays in the chat");
        forget(store, &myao_core::forget::ForgetScope::message(general(), ts(3)), 110).await;
        let unfinished = store.replies().list_unfinished().await.expect("read");
        assert_eq!(unfinished[0].parts[0].state, PartState::Withdrawing { ts: ts(103) });
    };
}
