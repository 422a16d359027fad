//! Which message shows an answer while it is written, on both databases (ADR 125).

use myao_core::chat::{Event, MessageTs, Sighting, Telling, Visibility};
use myao_store::{AnswerStream, Claim, WantedReply};

use super::talk::{arrive, draft, mention, own, take, top, wanted};
use crate::support::{World, at, general, on_both, ts};

/// When each message began that is to be taken away in the place, and its time stamp.
async fn left_over(world: &World) -> Vec<(jiff::Timestamp, Option<MessageTs>)> {
    let streams = world.store.replies().streams_left_over(&top()).await.expect("read");
    streams.into_iter().map(|AnswerStream { since, ts, .. }| (since, ts)).collect()
}

/// A reply whose answer is shown at 102 and written.
async fn shown_and_written(world: &World) -> (Claim, WantedReply) {
    arrive(&world.store, vec![mention(1)]).await;
    let reply = wanted(&world.store).await.expect("wanted");
    let claim = take(&world.store, &top(), at(100)).await;
    let replies = world.store.replies();
    let words = draft(reply.id, &reply.triggers, &["the whole of it"]);
    assert!(replies.note_stream(&claim, &words, at(101)).await.expect("noted"));
    replies.note_stream_ts(&claim, reply.id, ts(102)).await.expect("noted");
    assert!(replies.write_parts(&claim, words, at(103)).await.expect("written"));
    (claim, reply)
}

on_both! {
    what_shows_an_answer_is_known_until_it_is_gone => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let replies = world.store.replies();
        assert!(left_over(world).await.is_empty());
        let seen = draft(reply.id, &reply.triggers, &[]);
        assert!(replies.note_stream(&claim, &seen, at(101)).await.expect("noted"));
        assert_eq!(left_over(world).await, [(at(101), None)], "nobody knows where it is");
        assert!(replies.note_stream(&claim, &seen, at(102)).await.expect("noted"));
        replies.note_stream_ts(&claim, reply.id, ts(103)).await.expect("noted");
        assert_eq!(left_over(world).await, [(at(101), Some(ts(103)))], "it began when it was first noted");
        replies.note_stream_gone(&claim, reply.id).await.expect("noted");
        assert!(left_over(world).await.is_empty());
    };
    what_is_left_over_is_due_before_an_answer_that_was_put_off => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let replies = world.store.replies();
        replies.put_off(&claim, reply.id, at(160), "the model is busy", at(101)).await.expect("put off");
        assert!(replies.to_act_on(at(102)).await.expect("read").due.is_empty());
        let seen = draft(reply.id, &reply.triggers, &[]);
        assert!(replies.note_stream(&claim, &seen, at(101)).await.expect("noted"));
        assert_eq!(replies.to_act_on(at(102)).await.expect("read").due, [top()]);
    };
    a_written_answer_is_finished_where_it_is_shown => async |world: &World| {
        shown_and_written(world).await;
        assert!(left_over(world).await.is_empty(), "its first part goes there");
    };
    beginnings_told_late_do_not_replace_the_whole => async |world: &World| {
        let (claim, reply) = shown_and_written(world).await;
        let whole = own(102, "the whole of it");
        assert!(world.store.intake().note_part_posted(&claim, reply.id, 1, whole, at(106)).await.expect("posted"));
        for (telling, text) in [
            (Telling::Posted, "the"),
            (Telling::Changed(ts(105)), "the whole"),
            (Telling::Changed(ts(107)), "the whole of it, and more"),
        ] {
            let told = Sighting { telling, ..Sighting::from(own(102, text)) };
            arrive(&world.store, vec![Event::Sighting(Box::new(told))]).await;
            let kept = world.store.archive().message(&Visibility::Owner, &general(), ts(102)).await.expect("read").expect("kept");
            let stands = if telling == Telling::Changed(ts(107)) { text } else { "the whole of it" };
            assert_eq!(kept.text, stands);
        }
    };
    what_may_not_be_said_any_more_is_not_shown => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let seen = draft(reply.id, &[ts(7)], &[]);
        assert!(!world.store.replies().note_stream(&claim, &seen, at(101)).await.expect("asked"));
        assert!(left_over(world).await.is_empty());
    };
}
