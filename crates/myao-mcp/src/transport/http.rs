//! POST, GET and DELETE at one path, for both eras of the protocol.
//!
//! A request passes, in this order: `hosts` (by which name it reached us, and from which page), `tokens` (who asks;
//! `throttle` bounds the guessing), `bodies` (how long it is, and whether it is a message), `sessions` (whether the
//! session is theirs), the queue for a place at work, and then the protocol's own library. `answers` turns what that says
//! in plain text into errors of the protocol, and `streams` ends what a token must no longer hear. `refusal`: how
//! anything is refused.

mod answers;
mod bodies;
mod door;
mod hosts;
mod refusal;
mod sessions;
mod streams;
mod throttle;
mod tokens;

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, extract::Request, http::Extensions, routing::any};
use myao_core::ports::Clock;
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use tokio_util::sync::CancellationToken;

use self::door::{Door, answer_request};
use super::identify::Identify;

/// How a server is reached over HTTP.
#[derive(Clone)]
pub struct HttpSettings {
    /// The path, as in `/mcp`.
    pub path: String,
    /// The address that is listened on: a request may name it as its host.
    pub listen: SocketAddr,
    /// Other names by which we may be reached, in lower case and without a port.
    pub hosts: Vec<String>,
    /// Whether programs of this machine may ask without a token. They see what `AgentToken::without_token` sees.
    pub without_token: bool,
    /// Tells from the extensions of a request which address it came from. `None` counts as another machine.
    pub peer: fn(&Extensions) -> Option<IpAddr>,
    /// The time, for limits.
    pub clock: Arc<dyn Clock>,
    /// Ends all streams and sessions.
    pub stop: CancellationToken,
    /// How much there may be of everything.
    pub limits: HttpLimits,
}

/// How much there may be of everything.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// The longest body of a request, in bytes.
    pub body_bytes: usize,
    /// How long a body may take to arrive.
    pub body_within: Duration,
    /// How many requests are worked on at a time.
    pub at_work: usize,
    /// How many more may wait for that.
    pub waiting: usize,
    /// How long one waits at most. Then it is answered with 429.
    pub longest_wait: Duration,
    /// How many streams of notifications are open at a time.
    pub streams: usize,
    /// How many of these one agent may have.
    pub streams_of_one: usize,
    /// How many sessions of the older era there are at a time. The one that was not used for longest makes room.
    pub sessions: usize,
    /// How many of these one agent may have.
    pub sessions_of_one: usize,
    /// How long a session lasts that nobody uses.
    pub session_idle: Duration,
    /// How often the token of an open stream is looked up again.
    pub look_again: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            body_within: Duration::from_secs(10),
            at_work: 2,
            waiting: 32,
            longest_wait: Duration::from_secs(2),
            streams: 32,
            streams_of_one: 8,
            sessions: 64,
            sessions_of_one: 16,
            session_idle: Duration::from_mins(30),
            look_again: Duration::from_secs(3),
        }
    }
}

/// The routes of a server. `handler` makes one for each request, and for each session of the older era; `identify` tells
/// whose token a request shows.
pub fn router<H: ServerHandler>(
    settings: HttpSettings,
    handler: impl Fn() -> H + Send + Sync + 'static,
    identify: Identify,
) -> Router {
    let mut kept = LocalSessionManager::default();
    kept.session_config.keep_alive = Some(settings.session_idle());
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
    let door = Arc::new(Door::new(settings, identify, kept));
    let answer = move |request: Request| {
        let door = Arc::clone(&door);
        let service = service.clone();
        async move { answer_request(&door, &service, request).await }
    };
    Router::new().route(&path, any(answer))
}

impl HttpSettings {
    fn session_idle(&self) -> Duration {
        self.limits.session_idle
    }
}
