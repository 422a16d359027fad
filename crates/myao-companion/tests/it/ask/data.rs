//! Answers that have to be data.

use std::sync::{Arc, Mutex};

use myao_companion::ask::{AskError, CallSubject};
use myao_core::ports::{DataMode, ModelError, Request, ResponseFormat, Role, Turn, estimate_request};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde::Deserialize;
use serde_json::json;

use super::{Desk, request};

#[derive(Debug, PartialEq, Deserialize)]
struct Verdict {
    speak: bool,
    reason: String,
}

fn verdict() -> Request {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["speak", "reason"],
        "properties": {"speak": {"type": "boolean"}, "reason": {"type": "string"}}
    });
    Request {
        form: ResponseFormat::Data { name: "verdict", schema, means: DataMode::Schema },
        ..request(Role::Judgment)
    }
}

fn means(request: &Request) -> DataMode {
    match &request.form {
        ResponseFormat::Data { means, .. } => *means,
        ResponseFormat::Text => panic!("asked for text"),
    }
}

const QUIET: &str = r#"{"speak": false, "reason": "they are talking"}"#;

/// An answer that was cut in the middle of an emoji.
#[tokio::test]
async fn half_a_character_spoils_no_data() {
    let said = r#"{"speak": true, "reason": "they wait \ud83d"}"#;
    let desk = Desk::new(&Arc::new(ScriptedModel::answers([said]))).await;
    let read = asked(&desk).await.expect("data");
    assert_eq!(read, Verdict { speak: true, reason: "they wait \u{fffd}".to_owned() });
}

async fn asked(desk: &Desk) -> Result<Verdict, AskError> {
    let data = desk.run(desk.asker.ask_for_json::<Verdict>(&verdict(), &CallSubject::default())).await?;
    assert!(!data.records.is_empty());
    Ok(data.value)
}

#[tokio::test]
async fn words_and_fences_around_data_are_passed_over() {
    for text in [
        QUIET.to_owned(),
        format!("```json\n{QUIET}\n```"),
        format!("Sure! Here {{is}} it:\n{QUIET}\nAnything else?"),
        format!("<think>{{maybe}} {{ {{ 1 }} }}</think>{QUIET}"),
        format!(r#"By the schema {{"type": "object", "properties": {{}}}} that is: {QUIET}"#),
    ] {
        let desk = Desk::new(&Arc::new(ScriptedModel::answers([text.as_str()]))).await;
        let read = asked(&desk).await.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, Verdict { speak: false, reason: "they are talking".to_owned() });
    }
}

#[tokio::test]
async fn what_nobody_sees_is_in_no_data_not_even_escaped() {
    let text = "{\"speak\": false, \"reason\": \"th\\u200bey \\udb40\\udc41are talk\u{e0041}ing\"}";
    let desk = Desk::new(&Arc::new(ScriptedModel::answers([text]))).await;
    assert_eq!(asked(&desk).await.unwrap().reason, "they are talking");
}

#[tokio::test]
async fn a_server_that_does_not_know_schemas_is_asked_less_strictly_and_remembered() {
    let seen: Arc<Mutex<Vec<DataMode>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let model = Arc::new(ScriptedModel::answering(move |request| {
        noted.lock().expect("alone").push(means(request));
        match means(request) {
            DataMode::Words => ScriptedAnswer::from(QUIET),
            DataMode::Schema | DataMode::Object => {
                ModelError::Unsupported("response_format".to_owned()).into()
            }
        }
    }));
    let desk = Desk::new(&model).await;
    asked(&desk).await.expect("in words");
    asked(&desk).await.expect("in words at once");
    let seen = seen.lock().expect("alone").clone();
    assert_eq!(seen, [DataMode::Schema, DataMode::Object, DataMode::Words, DataMode::Words]);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_shown_to_the_model_once() {
    let model = Arc::new(ScriptedModel::answers([r#"{"speak": "perhaps"}"#, QUIET]));
    let desk = Desk::new(&model).await;
    asked(&desk).await.expect("repaired");
    let requests = model.requests();
    let [.., Turn::Assistant { text, .. }, Turn::User(complaint)] = requests[1].turns.as_slice() else {
        panic!("{requests:?}")
    };
    assert!(text.contains("perhaps") && complaint.contains("boolean"), "{complaint}");
}

/// However long it is: no request grows by more than a few hundred tokens.
#[tokio::test]
async fn of_a_long_answer_that_cannot_be_read_the_beginning_is_shown() {
    let words = "I would rather not say. ".repeat(10_000);
    let wrong = format!(r#"{{"speak": "{}"}}"#, "x".repeat(245_000));
    for answer in [words, wrong] {
        let model = Arc::new(ScriptedModel::answers([answer.as_str(), QUIET]).with_budget(4000));
        let desk = Desk::new(&model).await;
        asked(&desk).await.expect("repaired");
        let [first, second] = model.requests().try_into().expect("two calls");
        assert!(estimate_request(&second) <= estimate_request(&first) + 400);
        let Some(Turn::Assistant { text, .. }) = second.turns.get(1) else { panic!("{second:?}") };
        assert!(answer.starts_with(text.chars().take(100).collect::<String>().as_str()), "{text}");
    }
}

#[tokio::test]
async fn twice_unreadable_is_a_typed_error() {
    let model = Arc::new(ScriptedModel::answers(["I would rather not.", "[1, 2]"]));
    let desk = Desk::new(&model).await;
    let error = asked(&desk).await.expect_err("no data");
    assert!(matches!(error.model_error(), Some(ModelError::Invalid(_))), "{error}");
    assert_eq!(model.calls(), 2);
}
