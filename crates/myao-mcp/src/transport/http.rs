//! POST, GET and DELETE at one path, for both eras of the protocol.
//!
//! A request passes, in this order: `hosts` (by which name it reached us, and from which page), `tokens` (who asks;
//! `throttle` bounds the guessing), `bodies` (how long it is, and whether it is a message), `sessions` (whether the
//! session is theirs), the queue for a place at work, and then the protocol's own library. `answers` turns what that says
//! in plain text into errors of the protocol, and `streams` ends what a token must no longer hear. `refusal`: how
//! anything is refused. [`HttpSettings`]: what can be set.

mod answers;
mod bodies;
mod door;
mod hosts;
mod refusal;
mod sessions;
mod settings;
mod streams;
mod throttle;
mod tokens;

use std::sync::Arc;

use axum::{Router, extract::Request, http::StatusCode, routing::any};
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};

use self::door::{HttpDoor, answer_request};
pub use self::settings::{HttpLimits, HttpSettings};
use super::identify::Identify;

/// Where clients that were refused look for a server that gives out tokens. There is none, and a page that asks for a
/// password would be no answer.
const OAUTH: &str = "/.well-known/{*which}";

/// The routes of a server. `handler` makes one for each request, and for each session of the older era; `identify` tells
/// whose token a request shows.
pub fn router<H: ServerHandler>(
    settings: HttpSettings,
    handler: impl Fn() -> H + Send + Sync + 'static,
    identify: Identify,
) -> Router {
    let mut kept = LocalSessionManager::default();
    kept.session_config.keep_alive = Some(settings.limits.session_idle);
    kept.session_config.sse_retry = None;
    let kept = Arc::new(kept);
    // Hosts and origins are checked before, by rules of ours.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_sse_retry(None)
        .with_json_response(true)
        .with_max_request_body_bytes(settings.limits.body_bytes)
        .with_cancellation_token(settings.stop.clone());
    let service = StreamableHttpService::new(move || Ok(handler()), Arc::clone(&kept), config);
    let path = settings.path.clone();
    let door = Arc::new(HttpDoor::new(settings, identify, kept));
    let answer = move |request: Request| {
        let door = Arc::clone(&door);
        let service = service.clone();
        async move { answer_request(&door, &service, request).await }
    };
    Router::new().route(&path, any(answer)).route(OAUTH, any(|| async { StatusCode::NOT_FOUND }))
}
