//! What people ask by commands and buttons: noted once, worked on by one process, ended once.

use jiff::SignedDuration;
use myao_core::{
    chat::{
        ChannelId, ChannelKind, Interaction, InteractionRequest, InteractionView, RefusedInteraction, UserId,
        Vote,
    },
    text::Language,
};
use myao_store::{InteractionOutcome, InteractionState, StoreError};

use crate::{
    forget::{forget, of_user},
    opting_out::rows_with,
    replies::talk::{arrive, draft, mention, speak_up, take, top, waiting},
    support::{World, at, channel, on_both, said},
};

fn typed(key: &str, user: &str, text: &str) -> Interaction {
    Interaction {
        key: key.to_owned(),
        user: UserId::new(user),
        channel: Some(ChannelId::new("C1")),
        request: InteractionRequest::Command { name: "/myao".to_owned(), text: text.to_owned() },
        answer_to: Some(format!("https://hooks.slack.com/commands/{key}")),
        trigger: None,
        view: None,
    }
}

on_both! {
    each_is_noted_once_and_taken_in_the_order_of_its_asker => async |world: &World| {
        let asked = world.store.interactions();
        let arrived = vec![typed("a", "U1", "recall tea"), typed("b", "U2", "help"), typed("c", "U1", "status")];
        assert_eq!(asked.take_in(arrived.clone(), at(10)).await.expect("stored").len(), 3);
        assert_eq!(asked.take_in(arrived, at(20)).await.expect("stored").len(), 0, "told again");
        assert_eq!(asked.askers().await.expect("read"), [UserId::new("U1"), UserId::new("U2")]);
        let first = asked.next_of(&UserId::new("U1")).await.expect("read").expect("waits");
        assert_eq!(first.interaction, typed("a", "U1", "recall tea"));
        assert_eq!((first.arrived_at, first.state), (at(10), InteractionState::Waiting));
    };
    a_language_is_ones_own_until_it_is_taken_back => async |world: &World| {
        let asked = world.store.interactions();
        let [one, other] = ["U1", "U2"].map(UserId::new);
        let languages = async || {
            let one = asked.preferred_language(&one).await.expect("read");
            (one, asked.preferred_language(&other).await.expect("read"))
        };
        assert_eq!(languages().await, (None, None));
        for language in [Language::En, Language::Ja] {
            asked.prefer_language(&one, Some(language)).await.expect("noted");
            assert_eq!(languages().await, (Some(language), None));
        }
        asked.prefer_language(&one, None).await.expect("noted");
        assert_eq!(languages().await, (None, None));
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
        assert_eq!(asked.take_in(vec![typed("a", "U1", "recall tea")], at(13)).await.expect("stored").len(), 0);
        for gone in ["recall tea", "hooks.slack.com"] {
            assert!(rows_with(world, gone).await.is_empty(), "{gone}");
        }
        assert_eq!(asked.counts().await.expect("read"), [("answered".to_owned(), 1)].into());
    };
    what_is_chosen_and_sent_comes_back_as_it_was => async |world: &World| {
        let asked = world.store.interactions();
        let ts = "1772442384.359059".parse().expect("a time stamp");
        let view = InteractionView { id: "V1".to_owned(), hash: "177.abc".to_owned() };
        let values = [("name".to_owned(), "kiln \"one\"".to_owned()), ("content".to_owned(), "窯は\n火曜".to_owned())];
        let requests = [
            (InteractionRequest::Shortcut { name: "forget-this".to_owned(), ts }, None),
            (InteractionRequest::Vote { ts, vote: Vote::Bad }, None),
            (
                InteractionRequest::Submission {
                    name: "remember-this/1".to_owned(),
                    note: "C1/1.2".to_owned(),
                    values: values.into_iter().collect(),
                },
                Some(view),
            ),
        ];
        for (nth, (request, view)) in requests.into_iter().enumerate() {
            let user = UserId::new(format!("U{nth}"));
            let one = Interaction { request, view, ..typed(&format!("k{nth}"), user.as_str(), "") };
            let with_trigger = Interaction { trigger: Some("12.34.secret".to_owned()), ..one.clone() };
            assert!(!format!("{with_trigger:?}").contains("secret"), "no log holds it");
            asked.take_in(vec![with_trigger], at(10)).await.expect("stored");
            assert_eq!(asked.next_of(&user).await.expect("read").expect("waits").interaction, one);
            let claim = world.store.claim(&asked.subject(&user), at(11), at(40)).await.expect("asked").expect("free");
            asked.end(&claim, &one.key, InteractionOutcome::Answered, at(12)).await.expect("ended");
        }
        for gone in ["12.34.secret", "火曜", "V1", "359059"] {
            assert!(rows_with(world, gone).await.is_empty(), "{gone}");
        }
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
        assert!(replies.hush(&general, at(100), at(50)).await.expect("hushed"));
        assert!(!replies.hush(&ChannelId::new("C9"), at(100), at(50)).await.expect("asked"), "not known");
        assert_eq!(replies.hushed_channels(at(99)).await.expect("read"), [(general.clone(), at(100))].into());
        assert!(replies.hushed_channels(at(100)).await.expect("read").is_empty(), "over");
        let later = at(100) + SignedDuration::from_hours(1);
        assert!(replies.hush(&general, later, at(50)).await.expect("hushed"));
        assert!(replies.hush(&general, at(101), at(50)).await.expect("lifted"));
        assert!(replies.hushed_channels(at(101)).await.expect("read").is_empty());
    };
    what_was_about_to_be_said_unasked_is_not_said => async |world: &World| {
        arrive(&world.store, vec![said(1, "where is the key?")]).await;
        let replies = world.store.replies();
        let general = ChannelId::new("C1");
        let wanted = speak_up(&world.store, 1, at(60), at(60)).await.expect("opened");
        assert!(replies.hush(&general, at(900), at(61)).await.expect("hushed"));
        assert!(replies.list_unfinished().await.expect("read").is_empty(), "{wanted:?} is over");
        // Written, and not given to the platform.
        arrive(&world.store, vec![said(2, "and the lamp?")]).await;
        let written = speak_up(&world.store, 2, at(70), at(70)).await.expect("opened");
        let claim = take(&world.store, &top(), at(100)).await;
        assert!(replies.write_parts(&claim, draft(written, &[], &["in the shed"]), at(101)).await.expect("written"));
        assert!(replies.hush(&general, at(900), at(102)).await.expect("hushed"));
        let given = world.store.intake().mark_part_sending(&claim, written, 1, at(103)).await.expect("asked");
        assert!(!given, "nothing is posted after quiet was promised");
        // Who asks is answered all the same.
        arrive(&world.store, vec![mention(3)]).await;
        assert!(replies.hush(&general, at(900), at(104)).await.expect("hushed"));
        assert_eq!(waiting(&world.store).await, [3]);
    };
    who_is_forgotten_is_named_by_no_request => async |world: &World| {
        let asked = world.store.interactions();
        let user = UserId::new("UFORGETME");
        asked.take_in(vec![typed("a", "UFORGETME", "help")], at(10)).await.expect("stored");
        let claim = world.store.claim(&asked.subject(&user), at(11), at(40)).await.expect("asked").expect("free");
        asked.end(&claim, "a", InteractionOutcome::Answered, at(12)).await.expect("ended");
        world.store.release(&claim).await.expect("released");
        assert_eq!(rows_with(world, "UFORGETME").await.len(), 1, "the row of the request");
        forget(&world.store, &of_user("UFORGETME"), 100).await;
        let left = rows_with(world, "UFORGETME").await;
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(asked.counts().await.expect("read"), [("answered".to_owned(), 1)].into());
    };
}
