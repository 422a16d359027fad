use std::{panic::AssertUnwindSafe, sync::Arc};

use myao_core::{
    ports::{Model, ModelError, Request, Response, Role, StopReason, Turn, Usage},
    text::Language,
};
use myao_testkit::ScriptedModel;

fn request(text: &str) -> Request {
    Request {
        system: "You write summaries.".to_owned(),
        turns: vec![Turn::User(text.to_owned())],
        target_tokens: 300,
        ..Request::new(Role::Memory, "chapter", Language::En)
    }
}

async fn text(model: &ScriptedModel, asked: &str) -> String {
    model.ask(&request(asked)).await.unwrap().text
}

/// What the model panics with on this request, at the call and again at its end.
async fn complaints(model: ScriptedModel, request: Request) -> (String, String) {
    let model = Arc::new(model);
    let asking = Arc::clone(&model);
    let at_call = tokio::spawn(async move { asking.ask(&request).await }).await.unwrap_err().into_panic();
    let at_end = std::panic::catch_unwind(AssertUnwindSafe(|| drop(model))).unwrap_err();
    (*at_call.downcast().unwrap(), *at_end.downcast().unwrap())
}

#[tokio::test]
async fn answers_in_order_and_remembers() {
    let model = ScriptedModel::answers(["one", "two"]).with_id("openai/fake");
    assert_eq!(model.id(), "openai/fake");
    assert_eq!((text(&model, "a").await, text(&model, "b").await), ("one".to_owned(), "two".to_owned()));
    assert_eq!(model.requests(), [request("a"), request("b")]);
}

#[tokio::test]
async fn a_closure_sees_the_request() {
    let model = ScriptedModel::answering(|request| format!("{} turns", request.turns.len()));
    assert_eq!(text(&model, "a").await, "1 turns");
}

#[tokio::test]
async fn a_response_is_given_as_it_is() {
    let usage = Usage { input: 7, cached: 3, output: 1, estimated: false };
    let cut = Response {
        text: "cu".to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::Length,
        usage,
    };
    let model = ScriptedModel::answers([cut.clone()]);
    assert_eq!(model.ask(&request("a")).await, Ok(cut));
}

#[tokio::test]
async fn a_text_comes_with_estimated_usage() {
    let response = ScriptedModel::answers(["a fine summary"]).ask(&request("hello there")).await.unwrap();
    assert_eq!(response.stop, StopReason::End);
    assert!(response.usage.estimated && response.usage.input > response.usage.output);
    assert!(response.usage.output > 0);
}

#[tokio::test]
async fn fails_the_chosen_call_only() {
    let model = ScriptedModel::answers(["one", "two"]).failing(2, ModelError::Timeout(30));
    assert_eq!(text(&model, "a").await, "one");
    assert_eq!(model.ask(&request("b")).await, Err(ModelError::Timeout(30)));
    assert_eq!(text(&model, "b").await, "two");
    let model = ScriptedModel::answers([ModelError::limited(Some(3))]);
    assert_eq!(model.ask(&request("a")).await, Err(ModelError::limited(Some(3))));
}

#[tokio::test]
async fn a_parrot_repeats_what_it_was_shown_up_to_its_bound() {
    let mut asked = request("京都で会いましょう");
    asked.turns.push(Turn::Tool { call: "1".to_owned(), text: "from a tool".to_owned() });
    let said = ScriptedModel::parrot(1000).ask(&asked).await.unwrap().text;
    assert_eq!(said, "京都で会いましょう\nfrom a tool\nYou write summaries.");
    assert_eq!(ScriptedModel::parrot(2).ask(&asked).await.unwrap().text, "京都");
}

#[tokio::test]
async fn the_gate_stops_a_call_between_asked_and_answered() {
    let model = Arc::new(ScriptedModel::answering(|_| "answered"));
    model.hold();
    let ask = || {
        let model = Arc::clone(&model);
        tokio::spawn(async move { text(&model, "a").await })
    };
    let first = ask();
    model.asked(1).await;
    let second = ask();
    model.asked(2).await;
    assert_eq!(model.calls(), 2);
    assert!(!first.is_finished() && !second.is_finished());

    model.hold();
    tokio::task::yield_now().await;
    assert!(!first.is_finished(), "closing a closed gate lets nobody through");

    model.release_one();
    assert_eq!(first.await.unwrap(), "answered");
    assert!(!second.is_finished());
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled(), "a call can be dropped while it is held");

    let third = ask();
    model.asked(3).await;
    model.release();
    assert_eq!(third.await.unwrap(), "answered");
    assert_eq!(text(&model, "a").await, "answered");
}

#[tokio::test]
async fn a_call_beyond_the_script_fails_the_test() {
    let model = ScriptedModel::answers(["one"]);
    text(&model, "a").await;
    let (at_call, at_end) = complaints(model, request("b")).await;
    assert_eq!(at_call, "scripted/model: call 2 (chapter) is not in the script");
    assert!(at_end.ends_with("met what it should not have: call 2 (chapter) is not in the script"));
}

#[tokio::test]
async fn a_request_no_model_should_be_sent_fails_the_test() {
    type Spoil = fn(&mut Request);
    let cases: [(&str, Spoil); 6] = [
        ("the system prompt is empty", |r| r.system = " \n".to_owned()),
        ("there is nothing to answer", |r| r.turns.clear()),
        ("there is nothing to answer", |r| r.turns.push(Turn::User(String::new()))),
        ("an answer of 0 tokens", |r| r.target_tokens = 0),
        ("NUL", |r| r.turns = vec![Turn::User("a\0b".to_owned())]),
        ("the budget is 100", |r| r.system = "long ".repeat(1000)),
    ];
    for (expected, spoil) in cases {
        let mut spoilt = request("a");
        spoil(&mut spoilt);
        let model = ScriptedModel::answering(|_| "never given").with_budget(100);
        let (at_call, at_end) = complaints(model, spoilt).await;
        assert!(at_call.contains(expected) && at_end.contains(expected), "{expected}: {at_call} / {at_end}");
    }
}
