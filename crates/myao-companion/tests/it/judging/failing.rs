//! A judge that fails, costs, or cannot be understood.

use std::sync::Arc;

use myao_core::ports::{ModelError, Response, StopReason, Usage};
use myao_store::VerdictKind;
use myao_testkit::ScriptedModel;

use super::{Room, top, verdict};

#[tokio::test]
async fn a_judgment_that_fails_is_tried_less_and_less() {
    let refused = || ModelError::Rejected("no".to_owned());
    let room = Room::with(Arc::new(ScriptedModel::answering(move |_| refused()))).await;
    room.say("U1", top("C1"), "?").await;
    room.live(12 * 3600).await;
    let minutes: Vec<i64> = room.judged_at().await.into_iter().map(|second| (second - 300) / 60).collect();
    assert_eq!(minutes, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511], "twice as long each time");
    assert_eq!(room.judge.calls(), 10, "one call each, in twelve hours");
    let record = room.ledger().await.remove(0);
    assert_eq!((record.kind, record.confidence), (VerdictKind::Failed, None));
    assert!(record.reason.contains("the provider refused the request: no"), "{}", record.reason);
    assert!(room.spoke_at().is_empty(), "nobody is told of it");
}

#[tokio::test]
async fn a_prompt_that_cannot_be_made_is_no_models_refusal() {
    let mut room = Room::judged_by(|_| verdict(false, 0.5, None)).await;
    room.world.config.prompt.max_tokens = 100;
    room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    let record = room.ledger().await.remove(0);
    assert!(record.reason.starts_with("persona and instructions alone take"), "{}", record.reason);
    assert_eq!((room.judge.calls(), record.kind), (0, VerdictKind::Failed));
}

#[tokio::test]
async fn nonsense_is_shown_to_the_judge_once_and_is_a_failure_then() {
    let room = Room::judged_by(|_| "I would rather not say".to_owned()).await;
    room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    assert_eq!(room.judge.calls(), 2);
    assert_eq!(room.ledger().await.remove(0).kind, VerdictKind::Failed);
    // Whatever else stands around the object is passed over.
    let room = Room::judged_by(|_| format!("Sure! ```json\n{}\n```", verdict(false, 85.0, None))).await;
    room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    let record = room.ledger().await.remove(0);
    assert_eq!((room.judge.calls(), record.kind, record.confidence), (1, VerdictKind::Quiet, Some(0.85)));
}

#[tokio::test]
async fn judgments_wait_when_the_budget_is_spent_and_go_on_the_next_day() {
    let spend = |_: &myao_core::ports::Request| Response {
        text: verdict(false, 0.5, None),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::End,
        usage: Usage { input: 9000, cached: 0, output: 100, estimated: false },
    };
    let mut room = Room::with(Arc::new(ScriptedModel::answering(spend))).await;
    room.world.daily_tokens = Some(11_000);
    room.world.clock.set("2026-03-02T20:00:00Z".parse().expect("a time"));
    room.say("U1", top("C1"), "?").await;
    room.live(3600).await;
    assert_eq!(room.judge.calls(), 1, "the second one does not fit any more");
    assert_eq!(room.ledger().await.len(), 1, "and is no verdict");
    let mention = room.say("U1", top("C2"), "<@UMYAO> いる？").await;
    room.live(60).await;
    let answered = room
        .world
        .store
        .replies()
        .is_left_alone(
            &myao_core::chat::Place { channel: myao_core::chat::ChannelId::new("C2"), thread: None },
            mention,
        )
        .await;
    assert!(!answered.expect("read"), "who asks is answered");
    room.world.clock.set("2026-03-03T00:00:00Z".parse().expect("a time"));
    room.live(600).await;
    assert_eq!(room.judge.calls(), 2);
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_halved_once() {
    let short = Arc::new(
        ScriptedModel::answering(|_| verdict(false, 0.5, None))
            .failing(1, ModelError::TooLong("8000".into())),
    );
    let room = Room::with(short).await;
    room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    assert_eq!((room.judge.calls(), room.ledger().await.remove(0).kind), (2, VerdictKind::Quiet));
    let never = Arc::new(ScriptedModel::answering(|_| ModelError::TooLong("1".to_owned())));
    let room = Room::with(never).await;
    room.say("U1", top("C1"), "?").await;
    room.live(310).await;
    assert_eq!((room.judge.calls(), room.ledger().await.remove(0).kind), (2, VerdictKind::Failed));
}
