//! Whoever is told to leave a model alone tells everybody: also those who wait for a slot.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use myao_companion::ask::{Answer, AskError, CallSubject, MEMORY_CALLS};
use myao_core::ports::{Clock as _, ModelError, Role};
use myao_testkit::{
    HandClock, ScriptedModel,
    waiting::{let_others_work, run_moving_clock, yield_until},
};
use tokio::task::JoinHandle;

use super::{Desk, request};
use crate::scenario::{LIVE, Scenario, hours, literal_mode_settings};

/// Callers at once: many more than there are slots.
const CALLERS: usize = 20;

type Asked = Result<Answer, AskError>;

/// Many callers at once, none of them answered yet.
async fn crowd(desk: &Desk, model: &ScriptedModel, role: Role) -> Vec<JoinHandle<Asked>> {
    model.hold();
    let ask = |_| {
        let asker = desk.asker.clone();
        tokio::spawn(async move { asker.ask(&request(role), CallSubject::default()).await })
    };
    let crowd = (0..CALLERS).map(ask).collect();
    model.asked(MEMORY_CALLS).await;
    // Each of the others has come as far as it can.
    let_others_work().await;
    model.release();
    crowd
}

async fn all(desk: &Desk, crowd: Vec<JoinHandle<Asked>>) -> Vec<Asked> {
    desk.run(async {
        let mut all = Vec::new();
        for one in crowd {
            all.push(one.await.expect("runs"));
        }
        all
    })
    .await
}

#[tokio::test]
async fn a_refused_key_is_asked_by_nobody_who_was_waiting() {
    let model = Arc::new(ScriptedModel::answering(|_| ModelError::Unauthorised("no such key".to_owned())));
    let desk = Desk::new(&model).await;
    let crowd = crowd(&desk, &model, Role::Memory).await;
    let ends = all(&desk, crowd).await;
    assert!(ends.iter().all(|end| matches!(end, Err(AskError::Model { .. }))), "{ends:?}");
    assert_eq!(model.calls(), MEMORY_CALLS, "only those that were under way when it was refused");
}

/// A model that takes one call a minute, and what it turned away.
fn one_a_minute(clock: &Arc<Mutex<Option<HandClock>>>, told: Option<u64>) -> Arc<ScriptedModel> {
    let clock = Arc::clone(clock);
    let last: Mutex<Option<Timestamp>> = Mutex::default();
    Arc::new(ScriptedModel::answering(move |_| {
        let Some(now) = clock.lock().expect("a clock").as_ref().map(HandClock::now) else {
            return myao_testkit::ScriptedAnswer::from("- ok");
        };
        let mut last = last.lock().expect("the last call");
        if last.is_some_and(|last| now.duration_since(last) < SignedDuration::from_secs(60)) {
            return ModelError::limited(told).into();
        }
        *last = Some(now);
        "- 2026-03-02 みんなで話をした".into()
    }))
}

#[tokio::test]
async fn a_time_to_wait_holds_for_those_who_wait_for_a_slot() {
    let clock = Arc::default();
    let model = one_a_minute(&clock, Some(60));
    let desk = Desk::new(&model).await;
    *clock.lock().expect("a clock") = Some(desk.clock.clone());
    let crowd = crowd(&desk, &model, Role::Memory).await;
    let ends = all(&desk, crowd).await;
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let minutes = desk.seconds() / 60.0;
    assert!((19.0..25.0).contains(&minutes), "{minutes}");
    // The first slots' worth, then one that is told to wait for each that is answered.
    assert!(model.calls() <= MEMORY_CALLS + 2 * CALLERS, "{}", model.calls());
}

#[tokio::test]
async fn a_limit_without_a_word_of_when_is_waited_out_for_memories() {
    let clock = Arc::default();
    let model = one_a_minute(&clock, None);
    let desk = Desk::new(&model).await;
    *clock.lock().expect("a clock") = Some(desk.clock.clone());
    let crowd = crowd(&desk, &model, Role::Memory).await;
    let ends = all(&desk, crowd).await;
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let minutes = desk.seconds() / 60.0;
    assert!(minutes < 36.0, "each may miss a minute once: {minutes}");
    assert!(model.calls() <= 8 * CALLERS, "{}", model.calls());
}

/// Memory work that is limited holds up no reply.
#[tokio::test]
async fn a_pause_that_nobody_asked_for_is_memorys_own() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        if request.role == Role::Memory {
            myao_testkit::ScriptedAnswer::from(ModelError::limited(None))
        } else {
            "here".into()
        }
    }));
    let desk = Desk::new(&model).await;
    let asker = desk.asker.clone();
    let memory = tokio::spawn(async move { asker.ask(&request(Role::Memory), CallSubject::default()).await });
    yield_until("somebody to sleep", async || desk.clock.next_wake().is_some()).await;
    // Without moving the clock.
    let asker = desk.asker.clone();
    let reply =
        tokio::spawn(async move { asker.ask(&request(Role::Response), CallSubject::default()).await });
    yield_until("a reply that does not wait for memory's pause", async || reply.is_finished()).await;
    reply.await.expect("runs").expect("answered at once");
    memory.abort();
}

/// A round with a key that may ask once a minute, behind a gateway that does not say so.
#[tokio::test]
async fn a_limit_a_minute_fails_no_round() {
    for told in [None, Some(60)] {
        let clock = Arc::default();
        let model = one_a_minute(&clock, told);
        let mut scenario = Scenario::new(literal_mode_settings(), Arc::<ScriptedModel>::clone(&model)).await;
        scenario.is_patient = true;
        *clock.lock().expect("a clock") = Some(scenario.clock.clone());
        for channel in ["C1", "C2", "C3"] {
            scenario.channel(channel).await;
            scenario.say(channel, "一分に一度の話").await;
        }
        scenario.pass(hours(3));
        scenario.heard().await;
        let report =
            Box::pin(run_moving_clock(&scenario.clock, "the end of a round", scenario.round(LIVE))).await;
        assert!(report.troubles.is_empty(), "{report:?}");
        assert!(report.summaries + report.merges >= 3, "{report:?}");
    }
}
