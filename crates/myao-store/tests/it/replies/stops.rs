//! Somebody stops an answer while it is written, and what is shown meanwhile, on both databases.

use jiff::Timestamp;
use myao_core::chat::{AnswerStop, Event, MessageTs, UserId, Visibility};
use myao_store::LedgerQuery;

use super::talk::{arrive, draft, mention, take, top, waiting, wanted};
use crate::support::{World, at, on_both, ts};

fn stopped_at(second: i64) -> Event {
    Event::AnswerStopped(AnswerStop { place: top(), by: Some(UserId::new("U7")), at: ts(second) })
}

/// When each stopped reply was asked for, by whom it was stopped, newest first.
async fn stopped(world: &World) -> Vec<(Option<MessageTs>, Option<UserId>)> {
    let query = LedgerQuery { channel: None, since: Timestamp::MIN, limit: 10 };
    let listed = world.store.replies().list_stopped(&Visibility::Owner, &query).await.expect("read");
    listed.into_iter().map(|reply| (reply.asked_at, reply.by)).collect()
}

on_both! {
    a_stop_ends_what_was_asked_before_it_and_nothing_later => async |world: &World| {
        arrive(&world.store, vec![mention(1), mention(5)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let arrived = arrive(&world.store, vec![stopped_at(3)]).await;
        assert!(arrived.stopped.contains(&top()));
        assert!(world.store.replies().is_stopped(&reply).await.expect("read"));
        assert_eq!(waiting(&world.store).await, [5], "the later question waits");
        assert_eq!(stopped(world).await, [(Some(ts(1)), Some(UserId::new("U7")))]);
        assert!(arrive(&world.store, vec![stopped_at(3)]).await.stopped.is_empty(), "told again");
    };
    a_stop_ends_a_written_answer_with_its_parts => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["one", "two"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        arrive(&world.store, vec![stopped_at(90)]).await;
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        assert_eq!(stopped(world).await, [(Some(ts(1)), Some(UserId::new("U7")))]);
    };
    what_is_shown_is_noted_until_it_is_hidden => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let replies = world.store.replies();
        assert!(!replies.may_be_shown(&top()).await.expect("read"));
        replies.note_shown(&claim, reply.id, at(101)).await.expect("noted");
        assert!(replies.may_be_shown(&top()).await.expect("read"));
        replies.note_not_shown(&claim, &top()).await.expect("noted");
        assert!(!replies.may_be_shown(&top()).await.expect("read"));
    };
}
