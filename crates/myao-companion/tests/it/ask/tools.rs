//! A model that uses tools before it answers.

use std::sync::Arc;

use futures::FutureExt as _;
use myao_companion::ask::{AskError, CallSubject, MOST_ROUNDS, ToolAnswer, ToolResult, Toolbox};
use myao_core::{
    ports::{BoxFuture, Request, Response, Role, StopReason, Thought, ToolCall, ToolSpec, Turn},
    wording::ask_without_tools,
};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde_json::json;

use super::{Desk, request, said};

fn spec(name: &str) -> ToolSpec {
    ToolSpec { name: name.to_owned(), description: "…".to_owned(), parameters: json!({"type": "object"}) }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: json!({"q": id}) }
}

fn wants(calls: &[(&str, &str)]) -> ScriptedAnswer {
    let calls = calls.iter().map(|(id, name)| call(id, name)).collect();
    ScriptedAnswer::from(Response { calls, stop: StopReason::Tools, ..said("", 50, 5) })
}

/// Whether the last word is that tools are over.
fn is_told_to_answer(request: &Request) -> bool {
    request.turns.last() == Some(&Turn::User(ask_without_tools(request.language)))
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

async fn converse(desk: &Desk) -> Result<ToolAnswer, AskError> {
    let tools = Toolbox {
        specs: vec![spec("recall"), spec("broken")],
        run: &look_up,
        must_answer: false,
        show: None,
    };
    desk.run(desk.asker.converse_with_tools(&request(Role::Response), &CallSubject::default(), &tools)).await
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
        if is_told_to_answer(request) {
            ScriptedAnswer::from("what I have")
        } else {
            wants(&[("a", "recall")])
        }
    }));
    let desk = Desk::new(&model).await;
    let done = converse(&desk).await.expect("answered");
    assert_eq!(done.response.text, "what I have");
    let requests = model.requests();
    assert_eq!(requests.len(), usize::try_from(MOST_ROUNDS).expect("few") + 1);
    let told: Vec<bool> = requests.iter().map(is_told_to_answer).collect();
    assert_eq!(told.iter().filter(|told| **told).count(), 1, "only the last time");
    // Many refuse a dialogue in which tools were used where none are defined.
    assert!(requests.iter().all(|request| request.tools.len() == 2));
}

#[tokio::test]
async fn a_model_that_goes_on_calling_all_the_same_is_taken_at_its_words() {
    for words in ["perhaps", ""] {
        let calling = move |_: &Request| {
            let thoughts = vec![Thought::new(json!({"words": "once more"}))];
            let calls = vec![call("a", "recall")];
            let stop = StopReason::Tools;
            ScriptedAnswer::from(Response { calls, thoughts, stop, ..said(words, 50, 5) })
        };
        let model = Arc::new(ScriptedModel::answering(calling));
        let desk = Desk::new(&model).await;
        let done = converse(&desk).await.expect("answered");
        let rounds = usize::try_from(MOST_ROUNDS).expect("few");
        assert_eq!((model.calls(), done.used.len()), (rounds + 1, rounds), "the last calls are passed over");
        let Response { text, calls, thoughts, stop, .. } = done.response;
        assert_eq!((text.as_str(), calls, thoughts, stop), (words, Vec::new(), Vec::new(), StopReason::End));
    }
}

#[tokio::test]
async fn what_a_model_thought_goes_back_with_its_calls_and_no_further() {
    let thought = Thought::new(json!({"words": "they want to know"}));
    let thinking =
        |answer: Response| ScriptedAnswer::from(Response { thoughts: vec![thought.clone()], ..answer });
    let first = Response { calls: vec![call("a", "recall")], stop: StopReason::Tools, ..said("", 50, 5) };
    let model = Arc::new(ScriptedModel::answers([thinking(first), thinking(said("found", 50, 5))]));
    let desk = Desk::new(&model).await;
    let done = converse(&desk).await.expect("answered");
    assert_eq!((done.response.text.as_str(), done.response.thoughts), ("found", Vec::new()));
    let turns = &model.requests()[1].turns;
    let went_back = turns.iter().find_map(|turn| match turn {
        Turn::Assistant { thoughts, .. } => Some(thoughts.as_slice()),
        Turn::User(_) | Turn::Tool { .. } => None,
    });
    assert_eq!(went_back, Some(&[thought][..]));
}

#[tokio::test]
async fn a_tool_loop_may_not_cost_without_bound() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        if is_told_to_answer(request) {
            return ScriptedAnswer::from("enough");
        }
        let asked = u64::try_from(request.turns.len()).expect("few");
        ScriptedAnswer::from(Response {
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
    let none = Toolbox { specs: Vec::new(), run: &look_up, must_answer: false, show: None };
    let done = desk
        .run(desk.asker.converse_with_tools(&request(Role::Response), &CallSubject::default(), &none))
        .await;
    let done = done.expect("answered");
    assert_eq!((done.response.calls.len(), done.response.stop, done.used.len()), (0, StopReason::End, 0));
}

/// A model that never ends its answer, at a server that sets no limit: whoever asked is told in time.
#[tokio::test]
async fn an_answer_has_one_limit_for_everything_that_belongs_to_it() {
    let model = Arc::new(ScriptedModel::answering(|_| "too late"));
    model.hold();
    let desk = Desk::new(&model).await;
    let failed = converse(&desk).await.expect_err("nobody waits any longer");
    assert!(failed.to_string().contains("no answer within 150 s"), "{failed}");
    assert!((150.0..151.0).contains(&desk.seconds()), "{}", desk.seconds());
}
