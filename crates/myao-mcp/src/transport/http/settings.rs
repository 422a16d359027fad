//! How a server is reached over HTTP, and how much there may be of everything.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::http::Extensions;
use myao_core::ports::Clock;
use tokio_util::sync::CancellationToken;

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
