//! A day's tokens, and who waits first when they run out.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::AskError;
use myao_core::{
    memory::MemoryType,
    ports::{ModelError, Role},
    text::estimate_tokens,
};
use myao_store::CallGroup;
use myao_testkit::ScriptedModel;

use super::{Desk, request, said};
use crate::scenario::{LIVE, Scenario, counting_model, hours, literal_mode_settings, minutes};

/// A model each of whose answers costs this many tokens.
fn costing(tokens: u64) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(move |_| said("- ok", tokens - 10, 10)))
}

#[tokio::test]
async fn memories_wait_first_then_judgments_and_replies_last() {
    let model = costing(1000);
    let desk = Desk::with(&model, Some(10_000), false).await;
    let mut waiting = Vec::new();
    for spent in 0..=10 {
        for role in [Role::Memory, Role::Judgment, Role::Response] {
            if let Err(error) = desk.ask(&request(role)).await {
                assert!(matches!(error, AskError::Budget { .. }), "{error}");
                if !waiting.contains(&role) {
                    waiting.push(role);
                }
            }
        }
        assert!(spent < 10 || waiting.len() == 3);
    }
    assert_eq!(waiting, [Role::Memory, Role::Judgment, Role::Response]);
    let spent = desk.store.memory().day_spent("2026-03-02").await.expect("read");
    assert!(spent.total() <= 10_000, "{spent:?}");
    desk.clock.advance(SignedDuration::from_hours(24));
    desk.ask(&request(Role::Memory)).await.expect("a new day");
}

#[tokio::test]
async fn what_waits_says_why() {
    let desk = Desk::with(&costing(900), Some(1000), false).await;
    desk.ask(&request(Role::Response)).await.expect("within the budget");
    let error = desk.ask(&request(Role::Memory)).await.expect_err("spent");
    let text = "the budget of 1000 tokens a day has no room for memory: 900 are used, 0 reserved, and memory \
                of it may use up to 80 %";
    assert_eq!(error.to_string(), text);
    assert_eq!(desk.sums(CallGroup::Role).await.len(), 1, "what was not asked is not recorded");
}

/// A budget that is spent is no failure: nothing is set back, nothing is lost, and the next day goes on.
#[tokio::test]
async fn memories_go_on_the_next_day() {
    let mut scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.daily_tokens = Some(100);
    scenario.channel("C1").await;
    scenario.say("C1", "予算のない日の話").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    let report = scenario.round(LIVE).await;
    assert!(report.waits_for_budget.is_some() && report.troubles.is_empty(), "{report:?}");
    assert!(scenario.store.memory().list_open_setbacks().await.expect("read").is_empty());
    assert!(scenario.long_term("C1").await.is_none());
    scenario.daily_tokens = Some(1_000_000);
    scenario.pass(minutes(1));
    scenario.heard().await;
    assert!(scenario.round(LIVE).await.waits_for_budget.is_none());
    assert_eq!(scenario.long_term("C1").await.expect("written").memory_type(), MemoryType::LongTerm);
}

/// Less than the model was said to take: asked again in smaller parts, once.
#[tokio::test]
async fn a_prompt_too_long_for_the_model_is_given_in_parts() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        let turns = request.turns.iter().map(|turn| estimate_tokens(&format!("{turn:?}")));
        if turns.sum::<usize>() > 4000 {
            myao_testkit::ScriptedAnswer::from(ModelError::TooLong("4096 tokens".to_owned()))
        } else {
            "- 2026-03-02 みんなで長い話をした".into()
        }
    }));
    let scenario = Scenario::new(literal_mode_settings(), Arc::<ScriptedModel>::clone(&model)).await;
    scenario.channel("C1").await;
    for n in 0..20 {
        scenario.say("C1", &format!("{n} {}", "長い話をしています。".repeat(30))).await;
    }
    scenario.pass(hours(3));
    scenario.heard().await;
    let report = scenario.round(LIVE).await;
    assert!(report.troubles.is_empty(), "{report:?}");
    assert!(model.calls() > 4, "whole, then in parts that are joined and merged: {}", model.calls());
    assert!(scenario.long_term("C1").await.is_some());
}
