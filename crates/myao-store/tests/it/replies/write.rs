//! T2: words only for what is still wanted.

use myao_core::{
    chat::{ChannelId, Place, Visibility},
    judgment::ReplyState,
};
use myao_store::{CallTotals, PartState, ReplyDraft, StoreError};

use super::talk::{
    arrive, draft, edited, gone, in_thread, mention, own, speak_up, take, thread, top, waiting, wanted,
};
use crate::support::{World, at, on_both, said, ts};

on_both! {
    what_came_while_the_model_wrote_gets_a_reply_of_its_own => async |world: &World| {
        arrive(&world.store, vec![mention(1), mention(2)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        arrive(&world.store, vec![mention(3)]).await;
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["one", "two"]);
        assert!(world.store.replies().write_parts(&claim, words.clone(), at(101)).await.expect("written"));
        // Within a place in order: the next one waits until this one is posted.
        assert!(wanted(&world.store).await.is_none());
        assert!(!world.store.replies().write_parts(&claim, words, at(102)).await.expect("asked"), "once");
        for part in 1..=2 {
            assert!(world.store.intake().mark_part_sending(&claim, reply.id, part, at(103)).await.expect("asked"));
            let post = own(50 + i64::from(part), "words");
            let done = world.store.intake().note_part_posted(&claim, reply.id, part, post, at(104)).await.expect("posted");
            assert_eq!(done, part == 2);
        }
        assert_eq!(waiting(&world.store).await, [3]);
        assert_ne!(wanted(&world.store).await.expect("wanted").id, reply.id);
    };

    /// The prompt held other words of a message than it has by now; what else changed is of no matter.
    an_answer_to_other_words_is_dropped_and_asked_for_anew => async |world: &World| {
        arrive(&world.store, vec![said(1, "lunch?"), mention(2), mention(3)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let revision = async || world.store.archive().channels(&Visibility::Owner).await.expect("read")[0].revision;
        let seen = ReplyDraft { read_revision: revision().await, ..draft(reply.id, &reply.triggers, &["hi"]) };
        arrive(&world.store, vec![edited(3, 50, "<@UMYAO> why?")]).await;
        assert!(!world.store.replies().write_parts(&claim, seen.clone(), at(101)).await.expect("asked"));
        let anew = ReplyDraft { read_revision: revision().await, ..seen };
        arrive(&world.store, vec![edited(1, 51, "dinner?")]).await;
        assert!(world.store.replies().write_parts(&claim, anew, at(102)).await.expect("written"));
    };

    /// The prompt held a message that is gone: the answer may be about it.
    an_answer_to_what_was_taken_back_is_dropped_and_asked_for_anew => async |world: &World| {
        arrive(&world.store, vec![mention(1), mention(2)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        arrive(&world.store, vec![gone(1)]).await;
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["about both"]);
        assert!(!world.store.replies().write_parts(&claim, words, at(101)).await.expect("asked"));
        assert_eq!(waiting(&world.store).await, [2]);
        let words = draft(reply.id, &[ts(2)], &["about the second"]);
        assert!(world.store.replies().write_parts(&claim, words, at(102)).await.expect("written"));
        // Written and not sent: taking the last one back takes the words back.
        arrive(&world.store, vec![gone(2)]).await;
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
    };

    /// Of two triggers of a written reply one goes: it is written anew, with what came meanwhile.
    a_written_reply_that_lost_a_trigger_joins_what_waits => async |world: &World| {
        arrive(&world.store, vec![mention(1), mention(2)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["about both"]);
        assert!(world.store.replies().write_parts(&claim, words.clone(), at(101)).await.expect("written"));
        arrive(&world.store, vec![mention(3)]).await;
        arrive(&world.store, vec![gone(1)]).await;
        assert_eq!(waiting(&world.store).await, [2, 3]);
        assert!(!world.store.replies().write_parts(&claim, words, at(102)).await.expect("asked"));
    };

    what_was_given_to_the_platform_is_taken_back => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["hi"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        arrive(&world.store, vec![gone(1)]).await;
        assert!(!world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "hi"), at(103)).await.expect("posted"));
        let unfinished = world.store.replies().list_unfinished().await.expect("read");
        assert_eq!(unfinished[0].parts[0].state, PartState::Withdrawing { ts: ts(50) });
        world.store.replies().note_part_withdrawn(&claim, reply.id, 1, at(104)).await.expect("noted");
        assert_eq!((world.store.replies().list_unfinished().await.expect("read"), wanted(&world.store).await), (vec![], None));
    };

    nobody_speaks_up_when_the_talk_went_on => async |world: &World| {
        arrive(&world.store, vec![said(1, "?")]).await;
        let speak = speak_up(&world.store, 1, at(0), at(100)).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        arrive(&world.store, vec![said(2, "here I am")]).await;
        assert!(!world.store.replies().write_parts(&claim, draft(speak, &[], &["hm"]), at(101)).await.expect("asked"));
        assert!(wanted(&world.store).await.is_none());
        let again = speak_up(&world.store, 2, at(0), at(102)).await.expect("wanted");
        assert!(world.store.replies().write_parts(&claim, draft(again, &[], &["hm"]), at(103)).await.expect("asked"));
    };

    whoever_lost_the_place_writes_nothing => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let lost = take(&world.store, &top(), at(100)).await;
        let held = take(&world.store, &top(), at(200)).await;
        let words = draft(reply.id, &reply.triggers, &["hi"]);
        let refused = world.store.replies().write_parts(&lost, words.clone(), at(201)).await;
        assert!(matches!(refused, Err(StoreError::ClaimLost(_))), "{refused:?}");
        // Nor does a claim on some other place do.
        for place in [thread(1), Place { channel: ChannelId::new("C2"), thread: None }] {
            let other = take(&world.store, &place, at(200)).await;
            let refused = world.store.replies().write_parts(&other, words.clone(), at(201)).await;
            assert!(matches!(refused, Err(StoreError::ClaimLost(_))), "{refused:?}");
        }
        assert!(world.store.replies().write_parts(&held, words, at(202)).await.expect("written"));
        assert_eq!(world.store.memory().sum_all_calls().await.expect("read"), CallTotals::default());
    };

    what_was_tried_in_vain_is_told_with_its_reason => async |world: &World| {
        arrive(&world.store, vec![mention(1), in_thread(5, 6, "<@UMYAO> hi")]).await;
        assert_eq!(world.store.replies().failed_and_postponed(at(0)).await.expect("read"), [], "nothing went wrong");
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        world.store.replies().put_off(&claim, reply.id, at(160), "no answer", at(100)).await.expect("put off");
        let waits = world.store.replies().failed_and_postponed(at(0)).await.expect("read").remove(0);
        assert_eq!((waits.id, waits.place, waits.state), (reply.id, top(), ReplyState::Wanted));
        assert_eq!((waits.attempts, waits.not_before, waits.reason.as_str()), (1, at(160), "no answer"));
        world.store.replies().fail(&claim, reply.id, "never", at(170)).await.expect("failed");
        let failed = world.store.replies().failed_and_postponed(at(170)).await.expect("read").remove(0);
        assert_eq!((failed.state, failed.reason.as_str()), (ReplyState::Failed, "never"));
        assert_eq!(world.store.replies().failed_and_postponed(at(171)).await.expect("read"), [], "long ago");
    };

    what_failed_waits_and_an_excuse_ends_it => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        world.store.replies().put_off(&claim, reply.id, at(160), "no answer", at(100)).await.expect("put off");
        // What joins does not ask a model that fails any sooner.
        arrive(&world.store, vec![mention(2)]).await;
        assert!(wanted(&world.store).await.is_none());
        assert_eq!(world.store.replies().to_act_on(at(100)).await.expect("read").next, Some(at(160)));
        let later = world.store.replies().find_wanted(&top(), at(160)).await.expect("read").expect("due");
        assert_eq!((later.attempts, later.after_excuse, later.triggers.len()), (1, false, 2));
        let mut words = draft(reply.id, &later.triggers, &["sorry, not now"]);
        words.excuse = true;
        assert!(world.store.replies().write_parts(&claim, words, at(161)).await.expect("written"));
        assert!(world.store.replies().list_unfinished().await.expect("read")[0].excuse);
        assert!(world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "sorry"), at(162)).await.expect("posted"));
        arrive(&world.store, vec![mention(3)]).await;
        assert!(wanted(&world.store).await.expect("wanted").after_excuse, "so that it is said once");
    };

    a_reply_that_is_skipped_or_failed_is_over => async |world: &World| {
        for (second, fails) in [(1, false), (2, true)] {
            arrive(&world.store, vec![mention(second)]).await;
            let reply = wanted(&world.store).await.expect("wanted");
            let claim = take(&world.store, &top(), at(100 * second)).await;
            let words = draft(reply.id, &reply.triggers, &["one", "two"]);
            assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
            let ended = if fails {
                world.store.replies().fail(&claim, reply.id, "no such channel", at(102)).await
            } else {
                world.store.replies().skip(&claim, reply.id, "enough for an hour", at(102)).await
            };
            ended.expect("ended");
            assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
            assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
            arrive(&world.store, vec![mention(second)]).await;
            assert!(wanted(&world.store).await.is_none(), "it stays answered");
        }
    };

    with_nothing_to_say_a_reply_is_skipped => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        assert!(world.store.replies().write_parts(&claim, draft(reply.id, &reply.triggers, &[]), at(101)).await.expect("asked"));
        assert!(wanted(&world.store).await.is_none());
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
    };
}
