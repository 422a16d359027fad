//! It is shown that an answer is being written, and never longer (ADR 121).

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::live::TypingOrder;
use myao_core::ports::{ModelError, PostError, Response, StopReason, Usage};
use myao_store::place_subject;
use myao_testkit::ScriptedModel;

use super::{World, saying, soon, top};

/// How long the platform cannot be reached.
const A_WHILE: SignedDuration = SignedDuration::from_mins(1);

#[tokio::test]
async fn what_is_shown_is_hidden_before_the_answer_is_posted() {
    let world = World::new(&saying("はい\nそうです")).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post", "post"]);
    assert!(!world.store.replies().may_be_shown(&top("C1")).await.expect("read"));
}

#[tokio::test]
async fn it_is_hidden_after_an_error_and_a_refusal_too() {
    let broken = ScriptedModel::answering(|_| "はい").failing(1, ModelError::Rejected("no".to_owned()));
    let world = World::new(&Arc::new(broken)).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post"]);

    let refusing = ScriptedModel::answering(|_| Response {
        text: String::new(),
        stop: StopReason::Refused,
        usage: Usage::default(),
        calls: Vec::new(),
        thoughts: Vec::new(),
    });
    let world = World::new(&Arc::new(refusing)).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post"]);
    assert_eq!(world.states().await[0].0, "failed");
}

#[tokio::test]
async fn nothing_is_shown_for_what_is_not_answered() {
    let world = World::new(&saying("はい")).await;
    world.mention("C1", "いる？").await;
    world.clock.advance(SignedDuration::from_hours(2));
    world.settle().await;
    assert_eq!(world.chat.order(), Vec::<&str>::new());
}

/// What is ready within a moment costs no call and no row: it would only flicker.
#[tokio::test]
async fn an_answer_that_is_ready_at_once_is_posted_without_a_status() {
    let world = World { typing: TypingOrder::default(), ..World::new(&saying("はい")).await };
    world.mention("C1", "いる？").await;
    soon(world.answering().settle()).await;
    assert_eq!(world.chat.order(), ["post"]);
    assert!(!world.store.replies().may_be_shown(&top("C1")).await.expect("read"));
}

#[tokio::test]
async fn an_answer_that_takes_a_moment_has_no_status_and_one_that_takes_longer_has() {
    for (millis, order) in [(299, &["post"][..]), (300, &["on", "off", "post"])] {
        let model = saying("はい");
        let world = World { typing: TypingOrder::default(), ..World::new(&model).await };
        model.hold();
        world.mention("C1", "いる？").await;
        let work = tokio::spawn(world.answering().settle());
        soon(model.asked(1)).await;
        world.clock.advance(SignedDuration::from_millis(millis));
        if order.len() > 1 {
            soon(world.chat.typed(1)).await;
            assert!(world.store.replies().may_be_shown(&top("C1")).await.expect("read"));
        }
        model.release();
        soon(work).await.expect("it runs");
        assert_eq!(world.chat.order(), order, "{millis} ms");
        assert!(!world.store.replies().may_be_shown(&top("C1")).await.expect("read"));
    }
}

/// A status that cannot be hidden holds no answer up, and is hidden as soon as that can be done.
#[tokio::test]
async fn what_cannot_be_hidden_at_once_is_hidden_later() {
    let world = World::new(&saying("はい")).await;
    for _ in ["on", "off", "off again"] {
        world.chat.will_not_show(PostError::Unreachable("the line is cut".to_owned()));
    }
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post", "off"]);
    assert!(world.store.replies().may_be_shown(&top("C1")).await.expect("read"));
    world.clock.advance(A_WHILE);
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post", "off", "off"]);
    world.clock.advance(A_WHILE);
    world.settle().await;
    assert_eq!(world.chat.order().len(), 5, "and not again");
}

/// A process that died while it wrote left a row, and what it showed.
async fn left_by_a_dead_process(world: &World) {
    let now = world.now();
    let subject = place_subject(&top("C1"));
    let claim = world.store.claim(&subject, now, now + A_WHILE).await.expect("asked").expect("free");
    let wanted = world.store.replies().find_wanted(&top("C1"), now).await.expect("read").expect("wanted");
    world.store.replies().note_shown(&claim, wanted.id, now).await.expect("noted");
    world.store.release(&claim).await.expect("released");
}

#[tokio::test]
async fn what_a_dead_process_showed_is_hidden_by_the_next_even_if_there_is_no_answer_any_more() {
    let world = World::new(&saying("はい")).await;
    world.mention("C1", "いる？").await;
    left_by_a_dead_process(&world).await;
    world.clock.advance(SignedDuration::from_hours(2));
    world.settle().await;
    assert_eq!(world.chat.order(), ["off"]);
    assert_eq!(world.states().await[0].0, "skipped");
    world.settle().await;
    assert_eq!(world.chat.order(), ["off"], "once");

    let world = World::new(&saying("はい")).await;
    world.mention("C1", "いる？").await;
    left_by_a_dead_process(&world).await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post"], "the answer is given now");
}

/// A call that shows something and gets no answer must not arrive after the answer is posted.
#[tokio::test]
async fn a_status_that_is_still_being_set_is_given_up_before_the_answer_is_posted() {
    let world = World::new(&saying("はい")).await;
    world.chat.never_shows();
    world.mention("C1", "いる？").await;
    soon(world.settle()).await;
    assert_eq!(world.chat.order(), ["on", "given up", "off", "post"]);
}
