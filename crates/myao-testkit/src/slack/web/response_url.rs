//! Response URLs: five answers within thirty minutes.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::{ConnectInfo, Request, State as Shares},
    http::{Response, StatusCode},
};
use myao_core::chat::instant_after;
use serde_json::{Value, json};

use super::answer::{ToldText, perform_with_fault, plain_text_answer};
use crate::slack::{
    interactions::{AnsweredBy, RESPONSE_URL},
    line::CuttableConnection,
    rules::Rule,
    seen::SeenCall,
    state::{SharedState, WorkspaceState},
};

/// How often a response URL may be used.
const MOST_USES: usize = 5;
/// How long it may be used.
const LIFE: Duration = Duration::from_mins(30);
/// The most bytes of a body. No valid answer has more.
const MOST_BODY_BYTES: usize = 1024 * 1024;

/// `POST` to a response URL.
pub(super) async fn answer_by_url(
    Shares(shared): Shares<Arc<SharedState>>,
    ConnectInfo(line): ConnectInfo<CuttableConnection>,
    request: Request,
) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let Ok(body) = to_bytes(request.into_body(), MOST_BODY_BYTES).await else {
        return plain_text_answer(StatusCode::PAYLOAD_TOO_LARGE, "");
    };
    let body: Option<Value> = serde_json::from_slice(&body).ok().filter(Value::is_object);
    shared.kept.keep(RESPONSE_URL, |key| body.as_ref()?.get(key).cloned());
    let fault = shared.act(|state| {
        let args = body.clone().unwrap_or_default();
        state.seen.calls.push(SeenCall { method: RESPONSE_URL.to_owned(), args, at: state.time.now() });
        state.faults.take(RESPONSE_URL)
    });
    let perform = || shared.act(|state| take_answer(state, &path, body.as_ref()));
    perform_with_fault(&shared, &line, fault, perform).await
}

fn take_answer(state: &mut WorkspaceState, path: &str, body: Option<&Value>) -> ToldText {
    let refused = |status: StatusCode, code: &str| ToldText {
        status,
        text: json!({"ok": false, "error": code}).to_string(),
    };
    let now = state.time.now();
    let found = state.interactions.all.iter_mut().enumerate();
    let mut found = found.filter(|(_, record)| record.url_path.as_deref() == Some(path));
    let Some((index, record)) = found.next() else { return refused(StatusCode::NOT_FOUND, "no_such_url") };
    if now >= instant_after(record.began, LIFE) {
        return refused(StatusCode::NOT_FOUND, "expired_url");
    }
    if record.url_uses >= MOST_USES {
        return refused(StatusCode::NOT_FOUND, "used_url");
    }
    let Some(body) = body else {
        state.rules.complain(Rule::BodyForm, "what came to a response URL is no JSON object");
        return refused(StatusCode::BAD_REQUEST, "invalid_payload");
    };
    let is_command = record.is("slash_commands");
    record.url_uses += 1;
    match state.answer_interaction(index, body, AnsweredBy::ResponseUrl) {
        Err(code) => refused(StatusCode::BAD_REQUEST, code),
        // Slack answers a command's URL with a word, and that of a button with JSON.
        Ok(()) if is_command => ToldText { status: StatusCode::OK, text: "ok".to_owned() },
        Ok(()) => ToldText { status: StatusCode::OK, text: json!({"ok": true}).to_string() },
    }
}
