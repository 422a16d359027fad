//! The Web API over HTTP: reads a call, injects its fault, and answers it.

mod answer;
mod args;
mod chat;
mod conversations;
mod courtesies;
mod ephemeral;
mod history;
mod methods;
mod page;
mod reactions;
mod refusal;
mod response_url;
mod streams;
mod users;
mod views;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Path, Request, State as Shares},
    http::{Response, StatusCode},
    routing::{any, get, post},
};
use serde_json::{Value, json};

pub(super) use answer::{inject_fault, plain_text_answer, sign_in};

use super::{
    fault::InjectedFault,
    files, identity,
    line::CuttableConnection,
    rules::Rule,
    seen::SeenCall,
    socket,
    state::{SharedState, WorkspaceState},
};
use answer::{ToldText, perform_with_fault, rate_limited_answer};
use args::Args;
use methods::{MethodSpec, TokenKind};
use refusal::{MethodRefusal, require_scope};

/// The paths of the server.
pub(super) fn routes_of_server(shared: Arc<SharedState>) -> Router {
    Router::new()
        .route("/api/{method}", any(answer_call))
        .route("/link/", get(socket::open_with_ticket))
        .route("/commands/{team}/{number}/{secret}", post(response_url::answer_by_url))
        .route("/app/{team}/{number}/{secret}", post(response_url::answer_by_url))
        .route("/actions/{team}/{number}/{secret}", post(response_url::answer_by_url))
        .route("/{folder}/{key}/{name}", get(files::fetch_content))
        .with_state(shared)
}

async fn answer_call(
    Shares(shared): Shares<Arc<SharedState>>,
    ConnectInfo(line): ConnectInfo<CuttableConnection>,
    Path(method): Path<String>,
    request: Request,
) -> Response<Body> {
    let Ok(args) = Args::read(request).await else { return plain_text_answer(StatusCode::BAD_REQUEST, "") };
    shared.kept.keep(&method, |key| args.json(key));
    let fault = match shared.act(|state| begin_call(state, &method, &args)) {
        Ok(fault) => fault,
        Err(retry_after) => return rate_limited_answer(retry_after),
    };
    let perform = || {
        let told = shared.act(|state| perform_call(state, &shared.authority, &method, &args));
        ToldText { status: StatusCode::OK, text: told.to_string() }
    };
    perform_with_fault(&shared, &line, fault, perform).await
}

/// Records a call and takes its fault. `Err` holds the seconds to wait, if the call came too soon.
fn begin_call(state: &mut WorkspaceState, method: &str, args: &Args) -> Result<Option<InjectedFault>, u64> {
    let at = state.time.now();
    state.seen.calls.push(SeenCall { method: method.to_owned(), args: args.shown(), at });
    let channel = args.text("channel").unwrap_or_default();
    let rate = MethodSpec::of(method).map_or(methods::UNKNOWN_RATE, |method| method.rate);
    if let Err(limited) = state.limits.count(method, channel, rate, at) {
        if limited.too_early {
            let what = format!("{method} was called {} s before it may be", limited.retry_after);
            state.rules.complain(Rule::RetryAfter, what);
        }
        return Err(limited.retry_after);
    }
    let fault = state.faults.take(method);
    if let Some(InjectedFault::Limited(seconds)) = fault {
        state.limits.shut(method, channel, rate, at, seconds);
    }
    Ok(fault)
}

/// Performs a call and returns its answer.
fn perform_call(state: &mut WorkspaceState, authority: &str, name: &str, args: &Args) -> Value {
    let done = match MethodSpec::of(name) {
        None => Err(MethodRefusal::new("unknown_method")
            .breaking(Rule::KnownMethod, format!("there is no method {name}"))
            .with("req_method", name)),
        Some(method) => check_call(state, method, args).and_then(|()| (method.run)(state, args)),
    };
    match done {
        Ok(mut told) => {
            if let Value::Object(fields) = &mut told {
                fields.shift_insert(0, "ok".to_owned(), true.into());
                if name == "apps.connections.open" {
                    fields.insert("url".to_owned(), open_ticket(state, authority).into());
                }
            }
            told
        }
        Err(refusal) => {
            if let Some((rule, what)) = refusal.broken {
                state.rules.complain(rule, what);
            }
            let mut told = json!({"ok": false, "error": refusal.code});
            if let Value::Object(fields) = &mut told {
                fields.extend(refusal.more.into_iter().map(|(key, value)| (key.to_owned(), value)));
            }
            told
        }
    }
}

fn open_ticket(state: &mut WorkspaceState, authority: &str) -> String {
    let ticket = format!("fake-{}", state.delivery.number());
    let url = format!("ws://{authority}/link/?ticket={ticket}&app_id={}", identity::APP);
    state.tickets.insert(ticket);
    url
}

/// Checks the token, the scope and the form of a call.
fn check_call(state: &WorkspaceState, method: &MethodSpec, args: &Args) -> Result<(), MethodRefusal> {
    let token = args.token().ok_or_else(|| MethodRefusal::new("not_authed"))?;
    let is_app = token == identity::APP_TOKEN;
    if !is_app && token != identity::BOT_TOKEN {
        return Err(MethodRefusal::new("invalid_auth"));
    }
    if method.token.is_some_and(|wanted| (wanted == TokenKind::App) != is_app) {
        let what = format!("{} was called with the wrong kind of token", method.name);
        return Err(MethodRefusal::new("not_allowed_token_type").breaking(Rule::TokenKind, what));
    }
    if let Some(scope) = method.scope {
        require_scope(state, scope)?;
    }
    if let Some(wrong) = args.complaint(method.takes_json) {
        let refusal = MethodRefusal::new(wrong.code)
            .breaking(Rule::BodyForm, format!("{}: {}", method.name, wrong.what));
        return Err(refusal);
    }
    Ok(())
}
