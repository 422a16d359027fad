//! T1: what arrives, and what is wanted then.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelKind, Event, Message, User, UserId, Visibility},
    judgment::Cause,
};
use myao_store::{ANSWERED_ENOUGH, GatherRequest, ReplyDraft, Store};
use proptest::prelude::*;

use super::talk::{
    arrive, attention, channel_id, draft, edited, gone, in_thread, mention, own, speak_up, take, thread, top,
    waiting, wanted,
};
use crate::support::{World, at, channel, message, on_both, said, sqlite, ts};

on_both! {
    /// The event and its `app_mention`, a redelivery, catch-up after live and live after catch-up.
    a_mention_told_several_times_is_one_trigger => async |world: &World| {
        let first = arrive(&world.store, vec![mention(1), mention(1)]).await;
        assert_eq!(first.places.into_iter().collect::<Vec<_>>(), [top()]);
        assert_eq!(first.channels.len(), 1);
        let again = arrive(&world.store, vec![mention(1)]).await;
        assert!(again.places.is_empty() && again.channels.is_empty());
        let reply = wanted(&world.store).await.expect("wanted");
        assert_eq!((reply.cause, reply.triggers), (Cause::Mention, vec![ts(1)]));
    };

    mentions_that_wait_in_a_place_are_one_reply => async |world: &World| {
        arrive(&world.store, vec![mention(1), said(2, "by the way"), mention(3)]).await;
        arrive(&world.store, vec![in_thread(1, 4, "<@UMYAO> and here?"), mention(5)]).await;
        assert_eq!(waiting(&world.store).await, [1, 3, 5]);
        let all = world.store.replies().list_wanted(at(100)).await.expect("read");
        let places: Vec<_> = all.iter().map(|reply| reply.place.clone()).collect();
        assert_eq!(places, [top(), thread(1)]);
        assert_eq!(all[1].triggers, [ts(4)]);
    };

    an_import_triggers_nothing_and_what_is_told_live_afterwards_does => async |world: &World| {
        world.store.intake().apply(vec![mention(1), mention(2)], at(100)).await.expect("applied");
        assert!(wanted(&world.store).await.is_none());
        arrive(&world.store, vec![mention(2)]).await;
        assert_eq!(waiting(&world.store).await, [2]);
    };

    an_edit_that_adds_the_mention_is_a_first_mention => async |world: &World| {
        arrive(&world.store, vec![said(1, "hello")]).await;
        let edit = arrive(&world.store, vec![edited(1, 10, "<@UMYAO> hello")]).await;
        assert!(edit.places.contains(&top()));
        assert_eq!(waiting(&world.store).await, [1]);
    };

    what_is_taken_back_before_the_answer_wants_none => async |world: &World| {
        arrive(&world.store, vec![mention(1), mention(2), mention(3)]).await;
        arrive(&world.store, vec![gone(1), edited(2, 10, "never mind")]).await;
        assert_eq!(waiting(&world.store).await, [3]);
        // By whatever way the deletion becomes known.
        world.store.intake().apply(vec![gone(3)], at(100)).await.expect("applied");
        assert!(wanted(&world.store).await.is_none());
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
        // The next one opens a reply of its own.
        arrive(&world.store, vec![mention(4)]).await;
        assert_eq!(waiting(&world.store).await, [4]);
    };

    what_comes_too_late_is_skipped_once_and_for_ever => async |world: &World| {
        let late = at(3700);
        for _ in 0..2 {
            let events = vec![mention(1), edited(1, 3699, "<@UMYAO> hi!")];
            let arrived = world.store.intake().apply_live(events, &attention(), late).await.expect("applied");
            assert!(arrived.places.is_empty());
        }
        assert!(world.store.replies().list_wanted(late).await.expect("read").is_empty());
        // Though it were young enough for another process' clock.
        arrive(&world.store, vec![mention(1)]).await;
        assert!(wanted(&world.store).await.is_none());
    };

    in_a_direct_message_everything_a_person_says_wants_an_answer => async |world: &World| {
        let direct = |second| Event::Message(message("D1", second, "hello"));
        arrive(&world.store, vec![channel("D1", ChannelKind::Dm), direct(1)]).await;
        let mut own = message("D1", 2, "hello yourself");
        own.user = UserId::new("UMYAO");
        arrive(&world.store, vec![Event::Message(own), direct(3)]).await;
        let all = world.store.replies().list_wanted(at(100)).await.expect("read");
        assert_eq!((all.len(), all[0].cause), (1, Cause::Dm));
        assert_eq!(all[0].triggers, [ts(1), ts(3)]);
    };

    /// What kind of channel it is may be known only after its first message.
    a_channel_that_turns_out_to_be_a_direct_message_is_answered => async |world: &World| {
        arrive(&world.store, vec![Event::Message(message("D1", 1, "hello"))]).await;
        assert!(world.store.replies().list_wanted(at(100)).await.expect("read").is_empty());
        let told = arrive(&world.store, vec![channel("D1", ChannelKind::Dm)]).await;
        assert_eq!(told.places.len(), 1);
        assert_eq!(world.store.replies().list_wanted(at(100)).await.expect("read")[0].triggers, [ts(1)]);
    };

    /// Neither before it is known to be one, nor after.
    a_bot_is_not_answered => async |world: &World| {
        let bot = |is_bot| Event::User(User { id: UserId::new("U1"), name: "beep".to_owned(), is_bot });
        arrive(&world.store, vec![mention(1)]).await;
        assert_eq!(waiting(&world.store).await, [1]);
        arrive(&world.store, vec![bot(true), mention(2)]).await;
        assert!(wanted(&world.store).await.is_none());
        let mut listed = attention();
        listed.bots.insert(UserId::new("U1"));
        world.store.intake().apply_live(vec![mention(3)], &listed, at(95)).await.expect("applied");
        assert_eq!(waiting(&world.store).await, [0; 0], "it may not be whole yet");
        world.store.intake().apply_live(vec![mention(4)], &listed, at(90)).await.expect("applied");
        assert_eq!(waiting(&world.store).await, [3, 4], "a bot that is answered");
    };

    what_people_ask_for_goes_before_what_we_would_have_said => async |world: &World| {
        arrive(&world.store, vec![said(1, "is nobody there?")]).await;
        let later = at(500);
        let opened = speak_up(&world.store, 1, later, at(100)).await;
        assert!(opened.is_some());
        assert!(wanted(&world.store).await.is_none(), "not yet");
        assert_eq!(world.store.replies().to_act_on(at(100)).await.expect("read").next, Some(later));
        arrive(&world.store, vec![mention(2)]).await;
        let reply = wanted(&world.store).await.expect("at once");
        assert_eq!((reply.cause, reply.triggers, Some(reply.id)), (Cause::Mention, vec![ts(2)], opened));
        let second = speak_up(&world.store, 2, at(100), at(100)).await;
        assert!(second.is_none(), "one is wanted already");
    };

    nobody_speaks_up_where_somebody_spoke_meanwhile => async |world: &World| {
        arrive(&world.store, vec![said(1, "?"), said(2, "!")]).await;
        assert!(speak_up(&world.store, 1, at(0), at(100)).await.is_none());
    };

    /// Wherever they asked: at top level and in threads, what was given and what is ahead in line.
    replies_to_one_person_are_counted => async |world: &World| {
        let counted = |person: &'static str, reply, second| async move {
            let found = world.store.replies().how_often_answered(&UserId::new(person), reply, at(second)).await.expect("read");
            (found.given, found.ahead, found.told)
        };
        for second in 1..=3 {
            arrive(&world.store, vec![mention(second)]).await;
            let reply = wanted(&world.store).await.expect("wanted");
            let claim = take(&world.store, &top(), at(1000 * second)).await;
            let words = draft(reply.id, &reply.triggers, &["hi"]);
            let excuse = second == 3;
            let kept = if excuse { ANSWERED_ENOUGH } else { "" };
            let now = at(100 * second);
            world.store.replies().put_off(&claim, reply.id, now, kept, now).await.expect("noted");
            assert!(world.store.replies().write_parts(&claim, ReplyDraft { excuse, ..words }, now).await.expect("written"));
            world.store.intake().note_part_posted(&claim, reply.id, 1, own(50 + second, "hi"), now).await.expect("posted");
        }
        arrive(&world.store, vec![in_thread(1, 4, "<@UMYAO> ?"), in_thread(2, 5, "<@UMYAO> ?"), mention(6)]).await;
        let open = world.store.replies().list_wanted(at(400)).await.expect("read");
        let [first, .., last] = open.as_slice() else { panic!("{open:?}") };
        assert_eq!(counted("U1", first.id, 0).await, (2, 0, 1));
        assert_eq!(counted("U1", last.id, 0).await, (2, 2, 1));
        assert_eq!(counted("U1", last.id, 200).await, (1, 2, 1));
        assert_eq!(counted("U1", last.id, 301).await, (0, 2, 0));
        assert_eq!(counted("U2", last.id, 0).await, (0, 0, 0));
    };

    /// What a prompt is to answer is read in the snapshot that it is made from.
    a_prompt_knows_what_nobody_has_answered => async |world: &World| {
        arrive(&world.store, vec![mention(1), said(2, "and"), in_thread(1, 3, "<@UMYAO> here?"), mention(4)]).await;
        let unanswered = async |place| {
            let request = GatherRequest {
                most_remembered: usize::MAX,
                place, versions: 5, messages: 20, most_messages: 100, most_channels: 1000, most_tokens: 1_000_000, recent_seconds: i64::MAX, beside: None,
        most_recalled: 0,
        most_lines: 50,
        most_person_lines: 10,
        as_if_said: None,
        as_of: None,
        record: None,
            meaning: None,
            left_out: std::collections::BTreeSet::new(),
            only_own: false,
        in_view: std::collections::BTreeSet::new(),
            zone: TimeZone::UTC,
                threads_seconds: 100, now: at(100),
            };
            world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel").unanswered
        };
        assert_eq!(unanswered(top()).await, [ts(1), ts(4)]);
        assert_eq!(unanswered(thread(1)).await, [ts(3)]);
        assert!(unanswered(thread(2)).await.is_empty());
    };

    /// Messages without a wish in them are the most: nothing is written about them.
    what_wants_nothing_leaves_nothing => async |world: &World| {
        arrive(&world.store, vec![channel("C1", ChannelKind::Public), said(1, "a"), edited(1, 5, "b"), gone(1)]).await;
        assert!(world.store.replies().list_wanted(Timestamp::MAX).await.expect("read").is_empty());
        assert_eq!(world.store.archive().message(&Visibility::Owner, &channel_id("C1"), ts(1)).await.expect("read").map(|m| m.deleted), Some(true));
    };
}

/// Everything that may be told of four messages: one stays mentioned, one gains the mention, one loses it, one
/// is deleted.
fn story() -> Vec<Event> {
    let mention_again = Event::Message(Message { ..message("C1", 1, "<@UMYAO> hi") });
    vec![
        mention(1),
        mention_again,
        said(2, "hello"),
        edited(2, 20, "<@UMYAO> hello"),
        mention(3),
        edited(3, 21, "hello all"),
        mention(4),
        edited(4, 22, "<@UMYAO> hi?"),
        gone(4),
    ]
}

async fn triggers_after(store: &Store, told: &[usize]) -> Vec<i64> {
    let all = story();
    for index in told {
        arrive(store, vec![all[*index].clone()]).await;
    }
    waiting(store).await
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Any order and repetition of what is told gives the same triggers.
        #[test]
        fn triggers_depend_on_what_stands_not_on_how_it_was_told(
            before in prop::collection::vec(0_usize..9, 0..30),
            all in Just((0_usize..9).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let world = sqlite().await;
                let order: Vec<usize> = before.into_iter().chain(all).collect();
                prop_assert_eq!(triggers_after(&world.store, &order).await, [1, 2]);
                Ok(())
            })?;
        }
    }
}
