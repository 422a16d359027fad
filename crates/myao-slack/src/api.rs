//! Slack's Web API (docs.slack.dev/apis/web-api): one call, and lists page by page.
//!
//! What every call has: a total timeout, a pace below Slack's rate limits, respect for `Retry-After`, and an
//! error that says whether the thing was perhaps done ([`ApiError`]). Reads that fail for reasons that pass
//! are tried again, a bounded number of times; a write never is, since only its caller can find out whether
//! it took effect (DESIGN D).

mod answer;
mod download;
mod error;
mod method;
mod pace;
mod pages;
mod token;

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use backon::{BackoffBuilder, ExponentialBuilder};
use jiff::Timestamp;
use myao_core::{chat::later, ports::Clock};
use serde_json::Value;

use self::{
    answer::RawResponse,
    pace::{Delay, Pace},
};

pub use download::may_see_token;
pub use error::ApiError;
pub use method::Method;
pub use pages::ListPage;
pub use token::SlackToken;

/// Where the real Slack is.
pub const SLACK_API: &str = "https://slack.com/api/";
/// A call takes no longer than this, answer included: Slack itself gives up earlier.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a read is tried in all before its error is the caller's.
const MOST_READ_TRIES: usize = 4;
/// The first and the longest pause between tries of a read.
const READ_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// What a call says besides its method: names and values of a form.
pub type CallParams<'a> = [(&'a str, String)];

/// Where Slack is and who calls.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The address that method names are appended to: `slack.api_base_url`, or [`SLACK_API`].
    pub base_url: String,
    /// The bot's token (`xoxb-…`), or the app's (`xapp-…`) for opening sockets.
    pub token: SlackToken,
    /// The most one call may take ([`DEFAULT_TIMEOUT`]).
    pub timeout: Duration,
}

impl ClientSettings {
    /// The real Slack, at the usual timeout.
    pub fn new(token: SlackToken) -> Self {
        Self { base_url: SLACK_API.to_owned(), token, timeout: DEFAULT_TIMEOUT }
    }
}

/// A caller of the Web API. Clones share one pace.
#[derive(Clone)]
pub struct Client(Arc<ClientInner>);

struct ClientInner {
    settings: ClientSettings,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    pace: Pace,
    scopes: Mutex<Option<Vec<String>>>,
    /// For files, made at the first; none where it cannot be made.
    files: OnceLock<Option<reqwest::Client>>,
}

impl Client {
    /// A caller over a connection pool of the program's. The pool should bound the time to connect: only
    /// then a host that never answers is known as unreachable, and not as perhaps reached.
    pub fn new(settings: ClientSettings, http: reqwest::Client, clock: Arc<dyn Clock>) -> Self {
        let (pace, scopes, files) = (Pace::default(), Mutex::new(None), OnceLock::new());
        Self(Arc::new(ClientInner { settings, http, clock, pace, scopes, files }))
    }

    /// One call: its answer, `ok` being true.
    ///
    /// Waits for its turn within the method's rate limit. A write whose turn comes later than one timeout
    /// from now is not made but [`ApiError::Limited`], so that its caller decides.
    ///
    /// # Errors
    /// See [`ApiError`]. Reads return one of the passing kinds only after several tries.
    pub async fn call(&self, method: Method, params: &CallParams<'_>) -> Result<Value, ApiError> {
        if !method.is_read() {
            return self.once(method, params).await;
        }
        let (first, longest) = READ_PAUSES;
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(first)
            .with_max_delay(longest)
            .with_max_times(MOST_READ_TRIES - 1)
            .with_jitter()
            .build();
        loop {
            let error = match self.once(method, params).await {
                Ok(answer) => return Ok(answer),
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error),
            };
            let Some(pause) = pauses.next() else { return Err(error) };
            tracing::debug!(%method, %error, "Slack did not answer; reading again");
            // After a 429 the method's pace knows how long to wait.
            if !matches!(error, ApiError::Limited { .. }) {
                self.clock().sleep_until(later(self.now(), pause)).await;
            }
        }
    }

    /// The scopes Slack says the token has, once any call was answered; none before, and with tokens that
    /// have no scopes.
    pub fn scopes(&self) -> Option<Vec<String>> {
        self.0.scopes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most one call may take.
    pub fn timeout(&self) -> Duration {
        self.0.settings.timeout
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// One call in its turn, tried once.
    async fn once(&self, method: Method, params: &CallParams<'_>) -> Result<Value, ApiError> {
        self.take_turn(method, params).await?;
        let deadline = self.0.clock.sleep_until(later(self.now(), self.0.settings.timeout));
        let answer = tokio::select! {
            answer = self.send(method, params) => answer?,
            () = deadline => {
                let reason = format!("no answer within {} s", self.0.settings.timeout.as_secs());
                return Err(ApiError::Uncertain { method, reason });
            }
        };
        if let Some(scopes) = answer.scopes.clone() {
            *self.0.scopes.lock().unwrap_or_else(PoisonError::into_inner) = Some(scopes);
        }
        let read = answer.read(method);
        if let Err(ApiError::Limited { seconds, .. }) = &read {
            self.0.pace.pause(method, channel_of(params), later(self.now(), Duration::from_secs(*seconds)));
        }
        read
    }

    async fn take_turn(&self, method: Method, params: &CallParams<'_>) -> Result<(), ApiError> {
        let channel = channel_of(params);
        // A read can wait; a write's caller wants to know.
        let patience =
            if method.is_read() { Timestamp::MAX } else { later(self.now(), self.0.settings.timeout) };
        loop {
            match self.0.pace.turn(method, channel, self.now(), patience) {
                Delay::None => return Ok(()),
                Delay::Until(instant) => self.0.clock.sleep_until(instant).await,
                Delay::TooLong(instant) => {
                    let wait = instant.duration_since(self.now()).as_secs().saturating_add(1);
                    return Err(ApiError::Limited { method, seconds: u64::try_from(wait).unwrap_or(0) });
                }
            }
        }
    }

    async fn send(&self, method: Method, params: &CallParams<'_>) -> Result<RawResponse, ApiError> {
        let ClientInner { settings, http, .. } = &*self.0;
        let base = settings.base_url.trim_end_matches('/');
        let request = http.post(format!("{base}/{method}")).bearer_auth(settings.token.secret()).form(params);
        let response = request.send().await.map_err(|error| ApiError::of_sending(method, &error))?;
        RawResponse::receive(method, response).await
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

/// The channel that a call is about.
fn channel_of<'a>(params: &'a CallParams<'_>) -> Option<&'a str> {
    params.iter().find_map(|(name, value)| (*name == "channel").then_some(value.as_str()))
}
