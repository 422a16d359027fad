//! What people ask by commands and buttons: noted once, worked on by one process, ended once.

use jiff::SignedDuration;
use myao_core::chat::{ChannelId, ChannelKind, Interaction, InteractionRequest, RefusedInteraction, UserId};
use myao_store::{InteractionOutcome, InteractionState, StoreError};

use crate::{
    opting_out::rows_with,
    support::{World, at, channel, on_both},
};

fn typed(key: &str, user: &str, text: &str) -> Interaction {
    Interaction {
        key: key.to_owned(),
        user: UserId::new(user),
        channel: Some(ChannelId::new("C1")),
        request: InteractionRequest::Command { name: "/myao".to_owned(), text: text.to_owned() },
        answer_to: Some(format!("https://hooks.slack.com/commands/{key}")),
    }
}

on_both! {
    each_is_noted_once_and_taken_in_the_order_of_its_asker => async |world: &World| {
        let asked = world.store.interactions();
        let arrived = vec![typed("a", "U1", "recall tea"), typed("b", "U2", "help"), typed("c", "U1", "status")];
        assert_eq!(asked.take_in(arrived.clone(), at(10)).await.expect("stored"), 3);
        assert_eq!(asked.take_in(arrived, at(20)).await.expect("stored"), 0, "told again");
        assert_eq!(asked.askers().await.expect("read"), [UserId::new("U1"), UserId::new("U2")]);
        let first = asked.next_of(&UserId::new("U1")).await.expect("read").expect("waits");
        assert_eq!(first.interaction, typed("a", "U1", "recall tea"));
        assert_eq!((first.arrived_at, first.state), (at(10), InteractionState::Waiting));
    };
    it_goes_one_way_and_leaves_no_words => async |world: &World| {
        let asked = world.store.interactions();
        let user = UserId::new("U1");
        asked.take_in(vec![typed("a", "U1", "recall tea")], at(10)).await.expect("stored");
        let claim = world.store.claim(&asked.subject(&user), at(11), at(40)).await.expect("asked").expect("free");
        let (waiting, answering) = (InteractionState::Waiting, InteractionState::Answering);
        assert!(asked.advance(&claim, "a", waiting, answering).await.expect("moved"));
        assert!(!asked.advance(&claim, "a", waiting, answering).await.expect("asked"), "once");
        let open = asked.next_of(&user).await.expect("read").expect("is not over");
        assert_eq!(open.state, answering);
        asked.end(&claim, "a", InteractionOutcome::Answered, at(12)).await.expect("ended");
        assert_eq!(asked.next_of(&user).await.expect("read"), None);
        assert_eq!(asked.take_in(vec![typed("a", "U1", "recall tea")], at(13)).await.expect("stored"), 0);
        for gone in ["recall tea", "hooks.slack.com"] {
            assert!(rows_with(world, gone).await.is_empty(), "{gone}");
        }
        assert_eq!(asked.counts().await.expect("read"), [("answered".to_owned(), 1)].into());
    };
    whoever_lost_the_claim_moves_nothing => async |world: &World| {
        let asked = world.store.interactions();
        let user = UserId::new("U1");
        asked.take_in(vec![typed("a", "U1", "help")], at(10)).await.expect("stored");
        let lost = world.store.claim(&asked.subject(&user), at(11), at(12)).await.expect("asked").expect("free");
        world.store.claim(&asked.subject(&user), at(20), at(50)).await.expect("asked").expect("expired");
        let moved = asked.advance(&lost, "a", InteractionState::Waiting, InteractionState::Answering).await;
        assert!(matches!(moved, Err(StoreError::ClaimLost(_))), "{moved:?}");
        let ended = asked.end(&lost, "a", InteractionOutcome::Answered, at(21)).await;
        assert!(matches!(ended, Err(StoreError::ClaimLost(_))), "{ended:?}");
        assert_eq!(asked.next_of(&user).await.expect("read").expect("waits").state, InteractionState::Waiting);
    };
    what_is_refused_is_counted => async |world: &World| {
        let asked = world.store.interactions();
        let user = UserId::new("U1");
        for (key, why) in [("a", RefusedInteraction::Foreign), ("b", RefusedInteraction::Unknown)] {
            let request = InteractionRequest::Refused { why };
            let refused = Interaction { request, channel: None, answer_to: None, ..typed(key, "U1", "") };
            asked.take_in(vec![refused.clone()], at(10)).await.expect("stored");
            let claim = world.store.claim(&asked.subject(&user), at(11), at(40)).await.expect("asked").expect("free");
            assert_eq!(asked.next_of(&user).await.expect("read").expect("waits").interaction, refused);
            asked.end(&claim, key, InteractionOutcome::Refused, at(12)).await.expect("ended");
            world.store.release(&claim).await.expect("released");
        }
        assert_eq!(asked.counts().await.expect("read"), [("refused".to_owned(), 2)].into());
    };
    a_channel_is_hushed_until_an_instant => async |world: &World| {
        let general_event = channel("C1", ChannelKind::Public);
        world.store.intake().apply(vec![general_event], at(1)).await.expect("stored");
        let replies = world.store.replies();
        let general = ChannelId::new("C1");
        assert!(replies.hush(&general, at(100)).await.expect("hushed"));
        assert!(!replies.hush(&ChannelId::new("C9"), at(100)).await.expect("asked"), "not known");
        assert_eq!(replies.hushed_channels(at(99)).await.expect("read"), [(general.clone(), at(100))].into());
        assert!(replies.hushed_channels(at(100)).await.expect("read").is_empty(), "over");
        let later = at(100) + SignedDuration::from_hours(1);
        assert!(replies.hush(&general, later).await.expect("hushed"));
        assert!(replies.hush(&general, at(101)).await.expect("lifted"));
        assert!(replies.hushed_channels(at(101)).await.expect("read").is_empty());
    };
}
