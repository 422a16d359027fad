//! A model that uses tools before it answers.

use std::sync::Arc;

use futures::FutureExt as _;
use myao::ask::{About, AskError, Conversed, MOST_ROUNDS, ToolResult, Toolbox};
use myao_core::ports::{BoxFuture, Response, Role, StopReason, ToolCall, ToolSpec, Turn};
use myao_testkit::{Answer, ScriptedModel};
use serde_json::json;

use super::{Desk, request, said};

fn spec(name: &str) -> ToolSpec {
    ToolSpec { name: name.to_owned(), description: "…".to_owned(), parameters: json!({"type": "object"}) }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: json!({"q": id}) }
}

fn wants(calls: &[(&str, &str)]) -> Answer {
    let calls = calls.iter().map(|(id, name)| call(id, name)).collect();
    Answer::from(Response { calls, stop: StopReason::Tools, ..said("", 50, 5) })
}

fn look_up<'a>(call: ToolCall) -> BoxFuture<'a, ToolResult> {
    async move {
        if call.name == "broken" {
            Err("the page is gone".to_owned())
        } else {
            Ok(format!("found {}", call.id))
        }
    }
    .boxed()
}

async fn converse(desk: &Desk) -> Result<Conversed, AskError> {
    let tools = Toolbox { specs: vec![spec("recall"), spec("broken")], run: &look_up };
    desk.run(desk.asker.converse(&request(Role::Response), &About::default(), &tools)).await
}

fn tool_turns(turns: &[Turn]) -> Vec<(&str, &str)> {
    turns
        .iter()
        .filter_map(|turn| match turn {
            Turn::Tool { call, text } => Some((call.as_str(), text.as_str())),
            Turn::User(_) | Turn::Assistant { .. } => None,
        })
        .collect()
}

#[tokio::test]
async fn calls_of_one_turn_run_together_and_their_results_go_back() {
    let first = wants(&[("a", "recall"), ("b", "recall")]);
    let model = Arc::new(ScriptedModel::answers([first, "both found".into()]));
    let desk = Desk::new(&model).await;
    let done = converse(&desk).await.expect("answered");
    assert_eq!((done.response.text.as_str(), done.used.len(), done.records.len()), ("both found", 2, 2));
    let requests = model.requests();
    assert_eq!(tool_turns(&requests[1].turns), [("a", "found a"), ("b", "found b")]);
    assert!(requests.iter().all(|request| request.tools.len() == 2));
}

#[tokio::test]
async fn errors_and_unknown_tools_are_told_to_the_model() {
    let first = wants(&[("a", "broken"), ("b", "rm_rf")]);
    let model = Arc::new(ScriptedModel::answers([first, "I could not look.".into()]));
    let desk = Desk::new(&model).await;
    let done = converse(&desk).await.expect("answered");
    assert_eq!(done.response.text, "I could not look.");
    let told = model.requests();
    assert_eq!(
        tool_turns(&told[1].turns),
        [
            ("a", "error: the page is gone"),
            ("b", "error: there is no tool `rm_rf`; there are: recall, broken")
        ]
    );
}

#[tokio::test]
async fn a_model_that_never_stops_looking_is_asked_for_what_it_has() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        if request.tools.is_empty() { Answer::from("what I have") } else { wants(&[("a", "recall")]) }
    }));
    let desk = Desk::new(&model).await;
    let done = converse(&desk).await.expect("answered");
    assert_eq!(done.response.text, "what I have");
    let rounds = u32::try_from(model.calls()).expect("few") - 1;
    assert!(rounds <= MOST_ROUNDS, "{rounds}");
}

#[tokio::test]
async fn a_tool_loop_may_not_cost_without_bound() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        if request.tools.is_empty() {
            return Answer::from("enough");
        }
        let asked = u64::try_from(request.turns.len()).expect("few");
        Answer::from(Response {
            calls: vec![call("a", "recall")],
            stop: StopReason::Tools,
            ..said("", 1000 * asked * asked, 10)
        })
    }));
    let desk = Desk::new(&model).await;
    converse(&desk).await.expect("answered");
    assert_eq!(model.calls(), 3, "1,000 and 9,000 tokens of at most 8 × 1,000, and the answer");
}

#[tokio::test]
async fn tools_nobody_offered_are_passed_over() {
    let model = Arc::new(ScriptedModel::answers([wants(&[("a", "recall")])]));
    let desk = Desk::new(&model).await;
    let none = Toolbox { specs: Vec::new(), run: &look_up };
    let done = desk.run(desk.asker.converse(&request(Role::Response), &About::default(), &none)).await;
    let done = done.expect("answered");
    assert_eq!((done.response.calls.len(), done.response.stop, done.used.len()), (0, StopReason::End, 0));
}
