//! Waits, from the first word to the answer, over restarts and with several at once.

use myao_core::judgment::ReplyState;
use myao_store::{TALK_WENT_ON, VerdictKind};

use super::{Room, forward, top, verdict};

#[tokio::test]
async fn a_lonely_question_is_answered_after_the_wait_and_only_once() {
    let room = forward().await;
    room.say("U1", top("C1"), "誰か、昨日の議事録の場所を知りませんか？").await;
    room.live(299).await;
    assert_eq!((room.spoke_at(), room.judge.calls()), (Vec::<i64>::new(), 0), "not before its time");
    room.live(12 * 3600).await;
    assert_eq!((room.spoke_at(), room.judge.calls()), (vec![300], 1));
    let record = room.ledger().await.remove(0);
    assert_eq!(
        (record.kind, record.confidence, record.reason.as_str()),
        (VerdictKind::Speak, Some(0.9), "because")
    );
    let reply = record.reply.expect("a reply");
    assert_eq!((reply.state, reply.posted_ts.is_some()), (ReplyState::Done, true));
}

#[tokio::test]
async fn a_lively_conversation_is_left_alone() {
    let room = forward().await;
    for i in 0..120 {
        let who = if i % 2 == 0 { "U1" } else { "U2" };
        room.say(who, top("C1"), "それで、次はどうする？").await;
        room.live(30).await;
    }
    assert_eq!((room.spoke_at(), room.judge.calls()), (Vec::<i64>::new(), 0), "an hour of talk");
    room.live(3600).await;
    // The livelier, the shorter: a fifth of the wait after the last message.
    assert_eq!(room.judged_at().await, [119 * 30 + 60]);
}

#[tokio::test]
async fn a_restart_in_the_middle_of_a_wait_changes_nothing() {
    let mut undisturbed = forward().await;
    let mut restarted = forward().await;
    for room in [&mut undisturbed, &mut restarted] {
        room.world.config.response.jitter_ratio = 0.3;
        room.say("U1", top("C1"), "?").await;
    }
    undisturbed.live(900).await;
    // Every look is made by a new process: nothing is remembered between them. This one looks all the time.
    for _ in 0..90 {
        restarted.live(10).await;
    }
    assert_eq!(undisturbed.spoke_at(), restarted.spoke_at());
    assert_eq!(undisturbed.judged_at().await, restarted.judged_at().await);
    assert_ne!(undisturbed.judged_at().await, [300], "chance has its part in it");
}

#[tokio::test]
async fn whoever_comes_back_late_speaks_at_once_if_it_is_not_too_late() {
    let room = forward().await;
    room.say("U1", top("C1"), "?").await;
    room.say("U1", top("C2"), "?").await;
    room.world.clock.set(room.began + jiff::SignedDuration::from_secs(43_100));
    room.say("U2", top("C2"), "!").await;
    room.live(600).await;
    assert_eq!(room.spoke_at(), [43_100, 43_400]);
    let room = forward().await;
    room.say("U1", top("C1"), "?").await;
    room.world.clock.set(room.began + jiff::SignedDuration::from_secs(43_201));
    room.live(600).await;
    assert_eq!((room.spoke_at(), room.judge.calls()), (Vec::<i64>::new(), 0));
}

#[tokio::test]
async fn a_verdict_with_delay_is_cancelled_by_a_human_answer() {
    let room = Room::judged_by(|_| verdict(true, 0.8, Some(120))).await;
    let question = room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    assert_eq!((room.judged_at().await, room.spoke_at()), (vec![300], Vec::<i64>::new()));
    room.say("U2", ("C1", Some(question)), "ここだよ").await;
    room.live(200).await;
    assert!(room.spoke_at().is_empty(), "somebody was quicker, in the thread");
    let reply = room.ledger().await.remove(0).reply.expect("a reply");
    assert_eq!((reply.state, reply.reason.as_str()), (ReplyState::Skipped, TALK_WENT_ON));
    // Where nobody is quicker it is said when it was due.
    let room = Room::judged_by(|_| verdict(true, 0.8, Some(120))).await;
    room.say("U1", top("C1"), "?").await;
    room.live(600).await;
    assert_eq!(room.spoke_at(), [420]);
}

#[tokio::test]
async fn five_that_come_due_at_once_are_answered_one_after_the_other() {
    let mut room = forward().await;
    room.world.config.response.dynamic_wait.enabled = false;
    let mut roots = Vec::new();
    for i in 0..4 {
        roots.push(room.say("U1", top("C2"), &format!("話題{i}")).await);
        room.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    for root in &roots {
        room.say("U2", ("C2", Some(*root)), "?").await;
        room.world.clock.advance(jiff::SignedDuration::from_micros(1));
    }
    room.say("U1", top("C1"), "?").await;
    room.live(900).await;
    let spoke = room.spoke_at();
    assert_eq!(spoke.len(), 5, "{spoke:?}");
    let apart: Vec<i64> = spoke.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(apart.iter().all(|seconds| (3..=10).contains(seconds)), "{spoke:?}");
}
