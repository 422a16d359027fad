//! Not butting in, no monologues, no second answer.

use std::sync::atomic::{AtomicUsize, Ordering};

use myao_core::judgment::ReplyState;
use myao_store::{TALK_WENT_ON, VerdictKind};

use super::{Room, forward, top, verdict};
use crate::reply_world::soon;

#[tokio::test]
async fn quiet_holds_the_longer_the_surer() {
    let confidence = AtomicUsize::new(0);
    let room = Room::judged_by(move |_| {
        // Not sure, not sure, rather sure, sure.
        let sure = [0.5, 0.5, 0.8, 0.95][confidence.fetch_add(1, Ordering::Relaxed)];
        verdict(false, sure, None)
    })
    .await;
    room.say("U1", top("C1"), "もう寝ます").await;
    room.live(24 * 3600).await;
    assert_eq!(room.judged_at().await, [300, 900, 2100, 2100 + 4 * 3600]);
    assert!(room.spoke_at().is_empty());
    room.say("U1", top("C1"), "おはよう").await;
    assert_eq!(
        room.look().await.next,
        Some(room.world.now() + jiff::SignedDuration::from_secs(300)),
        "a new message"
    );
}

#[tokio::test]
async fn never_twice_in_a_row_without_a_person_between() {
    let room = forward().await;
    let question = room.say("U1", top("C1"), "?").await;
    room.live(6 * 3600).await;
    assert_eq!(room.spoke_at().len(), 1);
    room.say("U2", ("C1", Some(question)), "ありがとう、でも違う").await;
    room.live(3600).await;
    let spoke = room.spoke();
    assert_eq!((spoke.len(), spoke[1].1.thread), (2, Some(question)), "a person spoke between");
    room.live(6 * 3600).await;
    assert_eq!(room.spoke_at().len(), 2);
}

#[tokio::test]
async fn after_an_answer_to_a_mention_there_is_no_second_one() {
    let room = forward().await;
    room.say("U1", top("C1"), "<@UMYAO> 元気？").await;
    room.live(6 * 3600).await;
    assert_eq!((room.spoke_at().len(), room.judge.calls()), (1, 0));
    // Nor where the mention could not be answered.
    room.say("U1", top("C2"), "<@UMYAO> いる？").await;
    let reply = room.world.store.replies().list_wanted(room.world.now()).await.expect("read").remove(0);
    let until = room.world.now() + jiff::SignedDuration::from_secs(30);
    let claim =
        room.world.store.claim(&myao_store::place_subject(&reply.place), room.world.now(), until).await;
    let claim = claim.expect("asked").expect("free");
    room.world.store.replies().fail(&claim, reply.id, "no answer", room.world.now()).await.expect("failed");
    room.world.store.release(&claim).await.expect("released");
    room.live(6 * 3600).await;
    assert_eq!((room.spoke_at().len(), room.judge.calls()), (1, 0));
}

#[tokio::test]
async fn a_mention_goes_before_what_we_were_going_to_say() {
    let room = Room::judged_by(|_| verdict(true, 0.8, Some(600))).await;
    room.say("U1", top("C1"), "?").await;
    room.live(400).await;
    room.say("U2", top("C1"), "<@UMYAO> 分かる？").await;
    room.live(3600).await;
    assert_eq!((room.spoke_at(), room.judge.calls()), (vec![400], 1), "one answer, at once");
}

#[tokio::test]
async fn somebody_who_answers_while_the_judge_thinks_is_not_talked_over() {
    let room = forward().await;
    room.say("U1", top("C1"), "?").await;
    room.world.clock.set(room.began + jiff::SignedDuration::from_secs(300));
    room.judge.hold();
    let judging = room.judging();
    let (look, ()) = soon(async {
        tokio::join!(Box::pin(judging.look()), async {
            room.judge.asked(1).await;
            room.say("U2", top("C1"), "はい").await;
            room.judge.release();
        })
    })
    .await;
    let look = look.expect("looked").expect("nobody else judges");
    assert_eq!((look.judged, look.opened), (1, 0));
    assert!(room.ledger().await.is_empty(), "a verdict on what is past is none");
}

#[tokio::test]
async fn somebody_who_answers_while_we_write_is_not_talked_over() {
    let room = forward().await;
    room.say("U1", top("C1"), "?").await;
    room.world.clock.set(room.began + jiff::SignedDuration::from_secs(300));
    assert_eq!(room.look().await.opened, 1);
    room.say("U2", top("C1"), "はい").await;
    room.world.settle().await;
    assert_eq!(room.world.states().await, [("skipped".to_owned(), TALK_WENT_ON.to_owned())]);
    assert!(room.spoke_at().is_empty());
}

#[tokio::test]
async fn two_processes_do_not_judge_at_once() {
    let room = forward().await;
    room.say("U1", top("C1"), "?").await;
    room.world.clock.set(room.began + jiff::SignedDuration::from_secs(300));
    room.judge.hold();
    let one = room.judging();
    let other = room.judging();
    let (look, none) = soon(async {
        tokio::join!(Box::pin(one.look()), async {
            room.judge.asked(1).await;
            let none = Box::pin(other.look()).await.expect("looked");
            room.judge.release();
            none
        })
    })
    .await;
    assert_eq!((look.expect("looked").map(|look| look.opened), none), (Some(1), None));
    assert_eq!(room.judge.calls(), 1);
}

/// So many threads of C1 in which somebody asks and nobody answers.
async fn ask_in_threads(room: &Room, many: usize) {
    for i in 0..many {
        let topic = room.say("U1", top("C1"), &format!("話題{i}")).await;
        room.world.clock.advance(jiff::SignedDuration::from_secs(1));
        room.say("U2", ("C1", Some(topic)), "?").await;
        room.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
}

#[tokio::test]
async fn enough_is_enough_in_one_channel_within_an_hour() {
    let room = forward().await;
    ask_in_threads(&room, 8).await;
    room.live(1800).await;
    assert_eq!(room.spoke_at().len(), 4);
    room.say("U1", top("C2"), "?").await;
    room.live(600).await;
    assert_eq!(room.spoke_at().len(), 5, "elsewhere it is another matter");
    let done = room.ledger().await.into_iter().filter(|record| record.kind == VerdictKind::Speak);
    assert!(done.filter_map(|record| record.reply).all(|reply| reply.state == ReplyState::Done));
}

/// The judge wakes when the hour is over, and need not be woken by what somebody says.
#[tokio::test]
async fn who_is_still_alone_when_the_hour_is_over_is_answered_then() {
    let room = forward().await;
    ask_in_threads(&room, 6).await;
    room.live(2 * 3600).await;
    let spoke_at = room.spoke_at();
    assert!(spoke_at.len() > 4, "{spoke_at:?}");
    for five in spoke_at.windows(5) {
        assert!(five[4] - five[0] >= 3600, "{spoke_at:?}");
    }
}

/// Whoever opens many threads does not cost as many judgments; what others say is judged in time all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_person_in_many_threads_costs_a_bounded_number_of_judgments() {
    let room = Room::judged_by(|_| verdict(false, 0.9, None)).await;
    for n in 0..120 {
        let topic = room.say("U1", top("C1"), &format!("topic {n}")).await;
        room.world.clock.advance(jiff::SignedDuration::from_secs(1));
        room.say("U1", ("C1", Some(topic)), "who knows more about it?").await;
        room.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    let other = room.say("U2", top("C2"), "does anybody know the way?").await;
    room.live(3_500).await;
    let ledger = room.ledger().await;
    let about_other = ledger.iter().filter(|record| record.latest_ts == other).count();
    assert!(about_other >= 1, "the other person waits for nobody");
    assert_eq!(ledger.len() - about_other, 30, "within an hour");
    room.live(3_600).await;
    let ledger = room.ledger().await;
    let of_first = ledger.iter().filter(|record| record.latest_ts != other).count();
    assert!((31..=60).contains(&of_first), "and as many within the next: {of_first}");
}
