//! Secrets that tools bring, and what models make of them (ADR 50).

use std::{fs, sync::Arc};

use myao_companion::ask::{CallSubject, Toolbox};
use myao_core::ports::{BoxFuture, Response, Role, StopReason, ToolCall, ToolSpec, Usage};
use myao_testkit::ScriptedModel;
use serde_json::json;

use super::{Desk, request};
use crate::planted_secrets::{assert_has_none, talk};

/// What a tool brings is masked on its way to the model, what the model says on its way to the recording.
#[tokio::test]
async fn tools_and_recordings_are_masked() {
    let call = ToolCall { id: "a".to_owned(), name: "look".to_owned(), arguments: json!({}) };
    let usage = Usage { input: 1, cached: 0, output: 1, estimated: false };
    let calls = Response {
        text: String::new(),
        calls: vec![call],
        thoughts: Vec::new(),
        stop: StopReason::Tools,
        usage,
    };
    let all = talk().join("\n");
    let says = Response { text: all.clone(), calls: Vec::new(), stop: StopReason::End, ..calls.clone() };
    let model = Arc::new(ScriptedModel::answers([calls, says]));
    let desk = Desk::with(&model, None, true).await;
    let look = |_| -> BoxFuture<'_, _> { Box::pin(async { Ok(talk().join("\n")) }) };
    let spec = ToolSpec { name: "look".to_owned(), description: "Looks.".to_owned(), parameters: json!({}) };
    let tools = Toolbox { specs: vec![spec], run: &look, must_answer: false, show: None };
    desk.run(desk.asker.converse_with_tools(&request(Role::Response), &CallSubject::default(), &tools))
        .await
        .expect("answered");
    assert_has_none("a request", &format!("{:?}", model.requests()));
    let recorded = fs::read_to_string(desk.folder.path().join("llm.jsonl")).expect("recorded");
    assert_has_none("the recording", &recorded);
    assert!(recorded.matches("[secret: github-pat]").count() > 1, "{recorded}");
}
