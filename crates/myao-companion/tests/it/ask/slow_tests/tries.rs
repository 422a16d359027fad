//! What is tried again, when, and what is not.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::{AskError, CallSubject, MEMORY_CALLS};
use myao_core::ports::{ModelError, Role};
use myao_store::CallGroup;
use myao_testkit::{ScriptedAnswer, ScriptedModel, waiting::yield_until};
use proptest::prelude::*;

use crate::ask::{Desk, request};

fn script(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answers(answers))
}

fn failure(error: AskError) -> (ModelError, u32) {
    let AskError::Model { error, attempts, .. } = error else { panic!("{error}") };
    (error, attempts)
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_as_long_as_the_provider_asks() {
    let model = script([ModelError::limited(Some(20)).into(), "done".into()]);
    let desk = Desk::new(&model).await;
    let answer = desk.ask(&request(Role::Memory)).await.expect("the second try");
    assert_eq!(answer.response.text, "done");
    assert!((20.0..22.5).contains(&desk.seconds()), "{}", desk.seconds());
    let sums = desk.sums(CallGroup::Model).await.remove(0);
    assert_eq!((sums.calls, sums.failed, sums.reserved), (2, 1, 0));
}

#[tokio::test]
async fn without_a_word_of_the_provider_the_waits_grow() {
    let down = || ScriptedAnswer::from(ModelError::Unavailable("down".to_owned()));
    let model = script([down(), down(), down(), "up again".into()]);
    let desk = Desk::new(&model).await;
    desk.ask(&request(Role::Memory)).await.expect("the fourth try");
    // 1 + 3 + 9 seconds, each up to as much longer by chance.
    assert!((13.0..=26.0).contains(&desk.seconds()), "{}", desk.seconds());
}

#[tokio::test]
async fn four_tries_are_all() {
    for (role, error) in [
        (Role::Response, ModelError::limited(None)),
        (Role::Judgment, ModelError::limited(None)),
        (Role::Memory, ModelError::Unavailable("down".to_owned())),
    ] {
        let answer = error.clone();
        let model = Arc::new(ScriptedModel::answering(move |_| answer.clone()));
        let desk = Desk::new(&model).await;
        let failed = desk.ask(&request(role)).await.expect_err("it never answers");
        assert!(failed.to_string().ends_with("(tried 4 times)"), "{failed}");
        assert_eq!((failure(failed), model.calls()), ((error, 4), 4));
    }
}

/// A model that drips until the call's time is over: who waits is not made to wait for that a second time.
#[tokio::test]
async fn a_person_waits_for_one_time_out_and_no_more() {
    let tries = async |role, seconds: u64| {
        let clock = Arc::new(std::sync::OnceLock::<myao_testkit::HandClock>::new());
        let hand = Arc::clone(&clock);
        let model = Arc::new(ScriptedModel::answering(move |_| {
            let clock = hand.get().expect("set before it is asked");
            clock.advance(SignedDuration::from_secs(i64::try_from(seconds).expect("few")));
            ModelError::Timeout(seconds)
        }));
        let desk = Desk::new(&model).await;
        clock.set(desk.clock.clone()).expect("once");
        let failed = desk.ask(&request(role)).await.expect_err("it never answers");
        assert!(matches!(failure(failed).0, ModelError::Timeout(_)));
        (model.calls(), desk.seconds())
    };
    assert_eq!(tries(Role::Response, 120).await, (1, 120.0));
    let (calls, seconds) = tries(Role::Response, 30).await;
    assert!(calls > 1 && seconds < 150.0, "{calls} {seconds}");
    assert_eq!(tries(Role::Memory, 120).await.0, 2, "nobody waits for memories");
}

/// For memories nobody waits.
#[tokio::test]
async fn a_limit_of_memory_work_is_waited_for_longer_and_not_for_ever() {
    let model = Arc::new(ScriptedModel::answering(|_| ModelError::limited(None)));
    let desk = Desk::new(&model).await;
    let error = desk.ask(&request(Role::Memory)).await.expect_err("it never answers");
    assert_eq!((failure(error), model.calls()), ((ModelError::limited(None), 7), 7));
    // 1, 3, 9, 27, 60 and 60 s, each longer by chance but none longer than a minute.
    assert!((160.0..=201.0).contains(&desk.seconds()), "{}", desk.seconds());
}

#[tokio::test]
async fn time_outs_are_not_tried_for_ever() {
    let model = Arc::new(ScriptedModel::answering(|_| ModelError::Timeout(120)));
    model.hold();
    let desk = Desk::new(&model).await;
    let memory = request(Role::Memory);
    let mut asked = std::pin::pin!(desk.asker.ask(&memory, CallSubject::default()));
    for call in 1..=2 {
        tokio::select! {
            done = &mut asked => panic!("{done:?}"),
            () = model.asked(call) => {}
        }
        desk.clock.advance(SignedDuration::from_secs(120));
        model.release_one();
        if call == 1 {
            // The wait between the tries.
            tokio::select! {
                biased;
                done = &mut asked => panic!("{done:?}"),
                () = yield_until("somebody to sleep", async || desk.clock.next_wake().is_some()) => {}
            }
            desk.clock.set(desk.clock.next_wake().expect("it waits"));
        }
    }
    let error = asked.await.expect_err("two of two minutes each are enough");
    assert_eq!(failure(error), (ModelError::Timeout(120), 2));
    let sums = desk.sums(CallGroup::Model).await.remove(0);
    assert!(sums.tokens_in > 0 && sums.estimated == 2, "what may be on the bill counts: {sums:?}");
}

#[tokio::test]
async fn a_longer_wait_than_a_minute_is_not_waited_for() {
    let model = script([ModelError::limited(Some(3600)).into()]);
    let desk = Desk::new(&model).await;
    let error = desk.ask(&request(Role::Memory)).await.expect_err("too long");
    assert_eq!(failure(error), (ModelError::limited(Some(3600)), 1));
    assert!(desk.seconds() < 0.1);
}

#[tokio::test]
async fn what_goes_wrong_again_is_not_tried_again() {
    for error in [
        ModelError::TooLong("8192 tokens".to_owned()),
        ModelError::Unsupported("tools".to_owned()),
        ModelError::Rejected("no".to_owned()),
    ] {
        let model = script([error.clone().into()]);
        let desk = Desk::new(&model).await;
        let failed = desk.ask(&request(Role::Memory)).await.expect_err("it fails");
        assert_eq!(failure(failed), (error, 1));
    }
}

#[tokio::test]
async fn an_answer_that_makes_no_sense_is_asked_for_once_more() {
    let model = Arc::new(ScriptedModel::answering(|_| ModelError::Invalid("<html>".to_owned())));
    let desk = Desk::new(&model).await;
    let failed = desk.ask(&request(Role::Memory)).await.expect_err("it fails");
    assert_eq!(failure(failed), (ModelError::Invalid("<html>".to_owned()), 2));
}

#[tokio::test]
async fn a_refused_key_is_not_tried_a_thousand_times() {
    let error = ModelError::Unauthorised("no such key".to_owned());
    let model = script([error.clone().into(), "mended".into()]);
    let desk = Desk::new(&model).await;
    for attempts in [1, 0, 0] {
        let failed = desk.ask(&request(Role::Memory)).await.expect_err("it fails");
        assert_eq!(failure(failed), (error.clone(), attempts));
    }
    assert_eq!(model.calls(), 1);
    desk.clock.advance(SignedDuration::from_secs(61));
    desk.ask(&request(Role::Memory)).await.expect("the key may have been mended");
}

#[tokio::test]
async fn a_limit_told_to_one_holds_for_all() {
    let model = script([ModelError::limited(Some(30)).into(), "one".into(), "other".into()]);
    let desk = Desk::new(&model).await;
    let ask = |role| {
        let asker = desk.asker.clone();
        tokio::spawn(async move { asker.ask(&request(role), CallSubject::default()).await })
    };
    let first = ask(Role::Memory);
    // Until it has been told to wait, and does.
    yield_until("somebody to sleep", async || desk.clock.next_wake().is_some()).await;
    let second = ask(Role::Response);
    let (one, other) = desk.run(async { (first.await.expect("runs"), second.await.expect("runs")) }).await;
    assert!(one.is_ok() && other.is_ok());
    assert!(desk.seconds() >= 30.0);
    assert_eq!(model.calls(), 3);
}

/// Memory work that hangs takes no place from replies.
#[tokio::test]
async fn replies_do_not_wait_for_memories() {
    let model = Arc::new(ScriptedModel::answering(|_| "- ok"));
    model.hold();
    let desk = Desk::new(&model).await;
    let hanging: Vec<_> = (0..MEMORY_CALLS + 2)
        .map(|_| {
            let asker = desk.asker.clone();
            tokio::spawn(async move { asker.ask(&request(Role::Memory), CallSubject::default()).await })
        })
        .collect();
    model.asked(MEMORY_CALLS).await;
    let asker = desk.asker.clone();
    let reply =
        tokio::spawn(async move { asker.ask(&request(Role::Response), CallSubject::default()).await });
    model.asked(MEMORY_CALLS + 1).await;
    assert_eq!(model.requests().last().map(|r| r.role), Some(Role::Response));
    model.release();
    reply.await.expect("runs").expect("answered");
    for task in hanging {
        task.await.expect("runs").expect("answered");
    }
}

#[tokio::test]
async fn stopping_gives_up_what_is_under_way_and_settles_it() {
    let model = Arc::new(ScriptedModel::answering(|_| "late"));
    model.hold();
    let desk = Desk::new(&model).await;
    let asker = desk.asker.clone();
    let task = tokio::spawn(async move { asker.ask(&request(Role::Memory), CallSubject::default()).await });
    model.asked(1).await;
    desk.asker.stop();
    assert!(matches!(task.await.expect("runs"), Err(AskError::Stopped)));
    let sums = desk.sums(CallGroup::Model).await.remove(0);
    assert_eq!((sums.calls, sums.failed, sums.reserved), (1, 1, 0));
    assert!(matches!(desk.ask(&request(Role::Memory)).await, Err(AskError::Stopped)));
    assert_eq!(model.calls(), 1);
}

/// Whoever asked may go away, at a time limit or because other work failed: the call is over then.
#[tokio::test]
async fn a_call_whose_caller_goes_away_is_settled() {
    let model = Arc::new(ScriptedModel::answering(|_| "late"));
    model.hold();
    let desk = Desk::new(&model).await;
    let asker = desk.asker.clone();
    let task = tokio::spawn(async move { asker.ask(&request(Role::Memory), CallSubject::default()).await });
    model.asked(1).await;
    task.abort();
    assert!(task.await.expect_err("aborted").is_cancelled());
    let is_settled = async || desk.sums(CallGroup::Model).await.remove(0).reserved == 0;
    yield_until("the call to be settled", is_settled).await;
    let sums = desk.sums(CallGroup::Model).await.remove(0);
    assert_eq!((sums.calls, sums.failed, sums.reserved), (1, 1, 0), "{sums:?}");
    assert!(sums.tokens_in > 0 && sums.estimated == 1, "the prompt may be on the bill: {sums:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever a provider does, one call is at most four tries in at most three minutes of waiting, and no
    /// reservation stays behind. For memories, six more waits of at most a minute for a limit.
    #[test]
    fn tries_are_bounded(kinds in prop::collection::vec((0_u8..6, 0_u64..90), 12), for_memory in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let answers = kinds.iter().map(|(kind, seconds)| match kind {
                0 => ScriptedAnswer::from("fine"),
                1 => ModelError::limited(Some(*seconds)).into(),
                2 => ModelError::limited(None).into(),
                3 => ModelError::Unavailable("down".to_owned()).into(),
                4 => ModelError::Timeout(120).into(),
                _ => ModelError::Invalid("?".to_owned()).into(),
            });
            let model = script(answers.collect::<Vec<_>>());
            let desk = Desk::new(&model).await;
            let (role, tries, seconds) =
                if for_memory { (Role::Memory, 10, 541.2) } else { (Role::Response, 4, 180.0) };
            let done = desk.ask(&request(role)).await;
            prop_assert!(model.calls() <= tries);
            prop_assert!(desk.seconds() <= seconds, "{}", desk.seconds());
            let sums = desk.sums(CallGroup::Model).await.remove(0);
            prop_assert_eq!(sums.reserved, 0);
            prop_assert_eq!(sums.calls, u64::try_from(model.calls()).expect("few"));
            prop_assert_eq!(done.is_ok(), kinds[model.calls() - 1].0 == 0);
            Ok(())
        })?;
    }
}
