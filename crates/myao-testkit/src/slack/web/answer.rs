//! Answers over HTTP, and the faults that tests inject into them.

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use serde_json::json;
use tokio::time::sleep;

use crate::slack::{
    fault::InjectedFault,
    line::CuttableConnection,
    state::{SharedState, WorkspaceState},
};

/// What is answered: JSON, or a word.
pub(super) struct ToldText {
    pub(super) status: StatusCode,
    pub(super) text: String,
}

/// Performs a call and answers it, or does with it what its fault does.
pub(super) async fn perform_with_fault(
    shared: &SharedState,
    line: &CuttableConnection,
    fault: Option<InjectedFault>,
    perform: impl FnOnce() -> ToldText,
) -> Response<Body> {
    let mut releases = shared.releases.subscribe();
    match fault {
        Some(InjectedFault::Limited(seconds)) => return rate_limited_answer(seconds),
        Some(InjectedFault::ServerError) => {
            return plain_text_answer(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error");
        }
        Some(InjectedFault::Refused(code)) => {
            let text = json!({"ok": false, "error": code}).to_string();
            return answer_as_told(shared, &ToldText { status: StatusCode::OK, text });
        }
        Some(InjectedFault::Html) => return html_answer("Maintenance"),
        Some(InjectedFault::CutBefore) => return cut_connection(line),
        // The sender lives as long as `shared`.
        Some(InjectedFault::Hang) => drop(releases.changed().await),
        Some(InjectedFault::Slow(time)) => sleep(time).await,
        Some(
            InjectedFault::ServerErrorAfter
            | InjectedFault::CutAfter
            | InjectedFault::HangAfter
            | InjectedFault::Garbage,
        )
        | None => {}
    }
    let told = perform();
    match fault {
        Some(InjectedFault::ServerErrorAfter) => {
            plain_text_answer(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
        Some(InjectedFault::CutAfter) => cut_connection(line),
        Some(InjectedFault::Garbage) => {
            plain_text_answer(StatusCode::OK, &told.text.chars().take(9).collect::<String>())
        }
        Some(InjectedFault::HangAfter) => {
            drop(releases.changed().await);
            answer_as_told(shared, &told)
        }
        _ => answer_as_told(shared, &told),
    }
}

/// Injects a fault into a download. Returns the answer to send instead of the file, if the fault has one. A fault that
/// comes after the call is done has the same effect as one before, and [`InjectedFault::Garbage`] has none.
pub(in crate::slack) async fn inject_fault(
    shared: &SharedState,
    line: &CuttableConnection,
    fault: Option<InjectedFault>,
) -> Option<Response<Body>> {
    let mut releases = shared.releases.subscribe();
    match fault? {
        InjectedFault::Limited(seconds) => Some(rate_limited_answer(seconds)),
        InjectedFault::ServerError | InjectedFault::ServerErrorAfter | InjectedFault::Refused(_) => {
            Some(plain_text_answer(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error"))
        }
        InjectedFault::Html => Some(html_answer("Maintenance")),
        InjectedFault::CutBefore | InjectedFault::CutAfter => Some(cut_connection(line)),
        InjectedFault::Hang | InjectedFault::HangAfter => {
            // The sender lives as long as `shared`.
            drop(releases.changed().await);
            None
        }
        InjectedFault::Slow(time) => {
            sleep(time).await;
            None
        }
        InjectedFault::Garbage => None,
    }
}

pub(super) fn provided_scopes(state: &WorkspaceState) -> String {
    state.scopes.iter().copied().collect::<Vec<_>>().join(",")
}

fn answer_as_told(shared: &SharedState, told: &ToldText) -> Response<Body> {
    let scopes = shared.look(provided_scopes);
    let mut response = plain_text_answer(told.status, &told.text);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    if let Ok(scopes) = HeaderValue::from_str(&scopes) {
        headers.insert("x-oauth-scopes", scopes);
    }
    response
}

pub(super) fn rate_limited_answer(retry_after: u64) -> Response<Body> {
    let mut response =
        plain_text_answer(StatusCode::TOO_MANY_REQUESTS, r#"{"ok":false,"error":"ratelimited"}"#);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    headers.insert(header::RETRY_AFTER, retry_after.into());
    response
}

/// The sign-in page.
pub(in crate::slack) fn sign_in() -> Response<Body> {
    html_answer("Sign in")
}

fn html_answer(title: &str) -> Response<Body> {
    let mut response =
        plain_text_answer(StatusCode::OK, &format!("<!doctype html><title>{title}</title><h1>{title}</h1>"));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// Cuts the connection, so that nothing of the answer gets through.
fn cut_connection(line: &CuttableConnection) -> Response<Body> {
    line.cut();
    plain_text_answer(StatusCode::OK, "")
}

pub(in crate::slack) fn plain_text_answer(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(text.to_owned()));
    *response.status_mut() = status;
    response
}
