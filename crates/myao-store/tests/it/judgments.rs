//! Speaking up unasked: what is open, what is decided, and what the ledger keeps.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Place, Speaker, User, UserId, Visibility},
    judgment::{Cause, Decision, ReplyState},
};
use myao_store::{
    Claim, Decided, FirstSight, JUDGING, LedgerQuery, OpenTalk, Store, StoreError, TALK_WENT_ON,
    VerdictKind as Kind, VerdictOutcome, VerdictRecord,
};

use crate::{
    replies::talk::{
        arrive, attention, draft, edited, gone, in_thread, mention, own, speak_up, take, thread, top, verdict,
    },
    support::{World, at, channel, general, message, on_both, said, ts},
};

/// We are known, and listen to C1.
async fn listening(world: &World) -> &Store {
    let us = User { id: UserId::new("UMYAO"), name: "myao".to_owned(), is_bot: true };
    let ci = User { id: UserId::new("UCI"), name: "ci".to_owned(), is_bot: true };
    let people = vec![channel("C1", ChannelKind::Public), Event::User(us), Event::User(ci)];
    world.store.intake().apply(people, at(0)).await.expect("applied");
    world.store.recall().note_own(&attention().own).await.expect("noted");
    world.store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
    world.store.close_every_gap().await;
    &world.store
}

/// Shorthand of these tests.
trait Listened {
    async fn close_every_gap(&self);
    async fn open(&self) -> Vec<(Option<MessageTs>, MessageTs)>;
    async fn judge(&self, place: Place, about: i64, outcome: VerdictOutcome, now: Timestamp) -> Decided;
    async fn ledger(&self) -> Vec<VerdictRecord>;
}

impl Listened for Store {
    async fn close_every_gap(&self) {
        for gap in self.hearing().gaps().await.expect("read") {
            assert!(self.hearing().close_filled_gap(&gap).await.expect("asked"));
        }
    }

    async fn open(&self) -> Vec<(Option<MessageTs>, MessageTs)> {
        let open = self.replies().open_talk(ts(-10)).await.expect("read");
        let of = |open: &OpenTalk| open.talk.pauses().map(|p| (p.thread, p.latest_ts)).collect::<Vec<_>>();
        open.iter().flat_map(of).collect()
    }

    async fn judge(&self, place: Place, about: i64, outcome: VerdictOutcome, now: Timestamp) -> Decided {
        let claim = judging(self, now).await;
        let decided =
            self.replies().write_verdict(&claim, verdict(place, about, outcome), now).await.expect("decided");
        self.release(&claim).await.expect("released");
        decided
    }

    async fn ledger(&self) -> Vec<VerdictRecord> {
        let all = LedgerQuery { channel: None, since: at(-1000), limit: 100 };
        self.replies().list_verdicts(&Visibility::Owner, &all).await.expect("read")
    }
}

async fn judging(store: &Store, now: Timestamp) -> Claim {
    store.claim(JUDGING, now, now + SignedDuration::from_secs(30)).await.expect("asked").expect("free")
}

fn quiet(until: i64) -> VerdictOutcome {
    VerdictOutcome::Quiet { reason: "they are fine".to_owned(), confidence: 0.75, until: at(until) }
}

fn speak(earliest: i64, interval: i64) -> VerdictOutcome {
    VerdictOutcome::Speak {
        reason: "left alone".to_owned(),
        confidence: 0.8,
        earliest: at(earliest),
        interval: SignedDuration::from_secs(interval),
    }
}

fn failed() -> VerdictOutcome {
    VerdictOutcome::Failed { reason: "no answer".to_owned() }
}

fn by(user: &str, message: Message) -> Event {
    Event::Message(Message { user: UserId::new(user), ..message })
}

on_both! {
    only_channels_that_we_hear_are_looked_at => async |world: &World| {
        let store = listening(world).await;
        let elsewhere = |id: &str, kind| vec![channel(id, kind), Event::Message(message(id, 5, "anybody?"))];
        arrive(store, vec![said(5, "anybody?")]).await;
        arrive(store, elsewhere("C2", ChannelKind::Public)).await;
        assert_eq!(store.open().await, [(None, ts(5))], "C2 is none of ours");
        for (id, kind) in [("C2", ChannelKind::Private), ("D1", ChannelKind::Dm), ("C3", ChannelKind::Unknown)] {
            arrive(store, elsewhere(id, kind)).await;
            store.hearing().join_channel(&ChannelId::new(id), FirstSight::since(ts(0))).await.expect("joined");
        }
        assert_eq!(store.open().await, [(None, ts(5))], "what they said is not all here yet");
        store.close_every_gap().await;
        assert_eq!(store.open().await.len(), 2, "a direct message and an unknown channel are not judged");
        store.hearing().open_gaps_since(at(50)).await.expect("opened");
        assert_eq!(store.open().await, []);
    };

    what_is_open_follows_the_archive => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?"), by("UCI", message("C1", 6, "build 17 failed"))]).await;
        assert_eq!(store.open().await, [(None, ts(5))], "a bot is no company");
        arrive(store, vec![in_thread(5, 7, "yes")]).await;
        assert_eq!(store.open().await, [(Some(ts(5)), ts(7))]);
        arrive(store, vec![gone(7)]).await;
        assert_eq!(store.open().await, [(None, ts(5))], "taken back");
        arrive(store, vec![mention(8)]).await;
        assert_eq!(store.open().await, [], "asked, and to be answered");
        arrive(store, vec![edited(8, 9, "hi all")]).await;
        assert_eq!(store.open().await, [(None, ts(8))], "not asked any more");
        arrive(store, vec![Event::Message(own(10, "hello"))]).await;
        assert_eq!(store.open().await, [], "we had the last word");
    };

    a_verdict_stands_in_the_ledger_with_all_it_was_made_from => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        assert_eq!(store.judge(top(), 5, quiet(900), at(300)).await, Decided::Holds(at(900)));
        let open = store.replies().open_talk(ts(-10)).await.expect("read");
        assert_eq!(open[0].decided[&(None, ts(5))], Decision::Hold(at(900)));
        let record = store.ledger().await.remove(0);
        assert_eq!((record.at, record.place, record.latest_ts), (at(300), top(), ts(5)));
        assert_eq!((record.kind, record.confidence, record.reason.as_str()), (Kind::Quiet, Some(0.75), "they are fine"));
        assert_eq!((record.wait, record.hold_until), (Some(SignedDuration::from_secs(300)), Some(at(900))));
        assert_eq!((record.model.as_deref(), record.shown_from, record.read_revision), (Some("scripted"), Some(ts(0)), Some(1)));
        assert_eq!(record.reply, None);
        assert_eq!(store.replies().verdict_counts(at(300)).await.expect("read"), [(Kind::Quiet, 1)]);
        assert_eq!(store.replies().verdict_counts(at(301)).await.expect("read"), []);
    };

    to_speak_opens_a_reply_in_the_same_transaction => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        let Decided::Speaks(reply, due) = store.judge(top(), 5, speak(310, 5), at(300)).await else { panic!("speaks") };
        assert_eq!(due, at(310));
        let wanted = store.replies().list_wanted(at(310)).await.expect("read").remove(0);
        assert_eq!((wanted.id, wanted.cause, wanted.about, wanted.triggers), (reply, Cause::Judgment, Some(ts(5)), vec![]));
        let reason = store.replies().reason_to_speak(reply, &general()).await.expect("read");
        assert_eq!(reason.map(|(reason, _)| reason).as_deref(), Some("left alone"));
        assert!(store.replies().is_left_alone(&top(), ts(5)).await.expect("read"));
        assert_eq!(store.judge(top(), 5, speak(320, 5), at(301)).await, Decided::Moved, "one is under way");
        let claim = take(store, &top(), at(311)).await;
        assert!(store.replies().write_parts(&claim, draft(reply, &[], &["here"]), at(312)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply, 1, at(313)).await.expect("asked"));
        assert!(store.intake().note_part_posted(&claim, reply, 1, own(313, "here"), at(314)).await.expect("posted"));
        let came = store.ledger().await.remove(0).reply.expect("a reply");
        assert_eq!((came.id, came.state, came.posted_ts, came.due), (reply, ReplyState::Done, Some(ts(313)), Some(at(310))));
        assert_eq!(store.open().await, []);
    };

    a_human_answer_cancels_what_was_going_to_be_said => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        let reply = speak_up(store, 5, at(600), at(300)).await.expect("wanted");
        // In its thread: top level does not hear of it.
        arrive(store, vec![in_thread(5, 400, "yes, me")]).await;
        assert!(!store.replies().is_left_alone(&top(), ts(5)).await.expect("read"));
        let claim = take(store, &top(), at(600)).await;
        assert!(!store.replies().write_parts(&claim, draft(reply, &[], &["hm"]), at(601)).await.expect("asked"));
        let came = store.ledger().await.remove(0).reply.expect("a reply");
        assert_eq!((came.state, came.reason.as_str(), came.posted_ts), (ReplyState::Skipped, TALK_WENT_ON, None));
        assert_eq!(store.judge(top(), 5, quiet(900), at(602)).await, Decided::Moved, "it is not open any more");
        assert_eq!(store.ledger().await.len(), 1);
    };

    a_bot_does_not_cancel_it_and_an_edit_is_read_again => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        let reply = speak_up(store, 5, at(300), at(300)).await.expect("wanted");
        arrive(store, vec![by("UCI", message("C1", 310, "build 18 failed"))]).await;
        let claim = take(store, &top(), at(320)).await;
        let (revision, _) = store.archive().talk_in_range(&Visibility::Owner, &crate::support::all_of(general())).await.expect("read");
        arrive(store, vec![edited(5, 315, "nobody?")]).await;
        let old = myao_store::ReplyDraft { read_revision: revision, ..draft(reply, &[], &["hm"]) };
        assert!(!store.replies().write_parts(&claim, old.clone(), at(321)).await.expect("asked"), "it says something else now");
        assert_eq!(store.replies().list_wanted(at(321)).await.expect("read").len(), 1, "and is still wanted");
        let anew = myao_store::ReplyDraft { read_revision: revision + 1, ..old };
        assert!(store.replies().write_parts(&claim, anew, at(322)).await.expect("asked"));
    };

    answers_nobody_asked_for_keep_apart => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "top?"), in_thread(1, 6, "one?"), in_thread(2, 7, "two?"), in_thread(3, 8, "three?")]).await;
        let due = async |place, about, outcome, now| match store.judge(place, about, outcome, at(now)).await {
            Decided::Speaks(_, due) => due,
            other @ (Decided::Holds(_) | Decided::Moved) => panic!("{other:?}"),
        };
        assert_eq!(due(top(), 5, speak(300, 5), 300).await, at(300));
        assert_eq!(due(thread(1), 6, speak(300, 5), 300).await, at(305));
        assert_eq!(due(thread(2), 7, speak(900, 5), 300).await, at(900), "a later one is in nobody's way");
        assert_eq!(due(thread(3), 8, speak(302, 5), 301).await, at(310));
        // What was just said counts too.
        let reply = store.replies().list_wanted(at(300)).await.expect("read").remove(0);
        let claim = take(store, &top(), at(330)).await;
        assert!(store.replies().write_parts(&claim, draft(reply.id, &[], &["here"]), at(330)).await.expect("written"));
        arrive(store, vec![in_thread(4, 9, "four?")]).await;
        assert_eq!(due(thread(4), 9, speak(331, 7), 331).await, at(337));
    };

    what_fails_is_left_alone_longer_each_time => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        let mut now = 300;
        for minutes in [1, 2, 4] {
            let until = at(now + 60 * minutes);
            assert_eq!(store.judge(top(), 5, failed(), at(now)).await, Decided::Holds(until));
            now += 60 * minutes;
        }
        assert_eq!(store.judge(top(), 5, quiet(now + 5), at(now)).await, Decided::Holds(at(now + 5)));
        assert_eq!(store.judge(top(), 5, failed(), at(now + 5)).await, Decided::Holds(at(now + 65)), "counted anew");
        let kinds: Vec<Kind> = store.ledger().await.iter().map(|record| record.kind).collect();
        let expected = [Kind::Failed, Kind::Quiet, Kind::Failed, Kind::Failed, Kind::Failed];
        assert_eq!(kinds, expected, "newest first");
    };

    whoever_lost_the_claim_decides_nothing => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        let lost = judging(store, at(300)).await;
        let held = judging(store, at(400)).await;
        let refused = store.replies().write_verdict(&lost, verdict(top(), 5, speak(401, 5)), at(401)).await;
        assert!(matches!(refused, Err(StoreError::ClaimLost(_))), "{refused:?}");
        assert_eq!((store.ledger().await.len(), store.replies().list_wanted(at(900)).await.expect("read").len()), (0, 0));
        let decided = store.replies().write_verdict(&held, verdict(top(), 5, quiet(900)), at(402)).await.expect("decided");
        assert_eq!(decided, Decided::Holds(at(900)));
    };

    removed_words_do_not_linger_in_a_reason => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "the password is hunter2"), in_thread(1, 6, "is lunch there?")]).await;
        let because = |reason: &str| VerdictOutcome::Quiet { reason: reason.to_owned(), confidence: 1.0, until: at(900) };
        store.judge(top(), 5, because("U1 shared a password, hunter2"), at(300)).await;
        store.judge(thread(1), 6, because("is lunch there, they ask"), at(300)).await;
        arrive(store, vec![gone(5)]).await;
        let reasons: Vec<(String, bool)> = store.ledger().await.into_iter().map(|record| (record.reason, record.wiped)).collect();
        assert_eq!(reasons, [("is lunch there, they ask".to_owned(), false), (String::new(), true)]);
    };

    the_seed_is_drawn_once => async |world: &World| {
        assert_eq!(world.store.replies().known_judgment_seed().await.expect("read"), None);
        assert_eq!(world.store.replies().seed_of_chance(u64::MAX).await.expect("drawn"), u64::MAX);
        assert_eq!(world.store.replies().seed_of_chance(3).await.expect("kept"), u64::MAX);
        assert_eq!(world.store.replies().known_judgment_seed().await.expect("read"), Some(u64::MAX));
    };

    /// A bot that is answered like a person leaves others less alone, too.
    a_bot_that_is_heard_counts_as_a_person => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?"), by("UCI", message("C1", 6, "the build is red"))]).await;
        let speakers = async || {
            let said = store.replies().utterances_between(&general(), ts(4), ts(6)).await.expect("read");
            said.into_iter().map(|one| one.speaker).collect::<Vec<_>>()
        };
        assert_eq!(speakers().await, [Speaker::Person, Speaker::Bot]);
        store.replies().note_heard_bots(&[UserId::new("UCI")].into()).await.expect("noted");
        assert_eq!(speakers().await, [Speaker::Person, Speaker::Person]);
        store.replies().note_heard_bots(&BTreeSet::new()).await.expect("noted");
        assert_eq!(speakers().await, [Speaker::Person, Speaker::Bot]);
    };

    judgments_are_counted_by_whose_words_they_were_about => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        assert!(store.replies().judged_since(at(0)).await.expect("read").is_empty());
        speak_up(store, 5, at(400), at(400)).await.expect("we speak");
        assert_eq!(store.replies().judged_since(at(400)).await.expect("read"), [(UserId::new("U1"), vec![at(400)])].into());
        assert!(store.replies().judged_since(at(401)).await.expect("read").is_empty());
    };

    what_was_said_unasked_is_counted_by_channel => async |world: &World| {
        let store = listening(world).await;
        arrive(store, vec![said(5, "anybody?")]).await;
        assert!(store.replies().unasked_since(at(0)).await.expect("read").is_empty());
        speak_up(store, 5, at(400), at(400)).await.expect("we speak");
        assert_eq!(store.replies().unasked_since(at(400)).await.expect("read"), [(general(), vec![at(400)])].into());
        assert!(store.replies().unasked_since(at(401)).await.expect("read").is_empty());
    };
}
