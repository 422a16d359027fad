//! A client of Slack's Web API (docs.slack.dev/apis/web-api): single calls, and lists page by page.
//!
//! Every call has a total timeout, keeps below Slack's rate limits, respects `Retry-After`, and fails with an error
//! that says whether it may have taken effect ([`ApiError`]). Reads that fail for reasons that pass are tried again, a
//! bounded number of times; a write never is, since only its caller can find out whether it took effect (design §5).

mod answer;
mod download;
mod error;
mod method;
mod pace;
mod pages;
mod shared_pace;

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use backon::{BackoffBuilder, ExponentialBuilder};
use jiff::Timestamp;
use myao_core::{chat::instant_after, ports::Clock};
use serde_json::Value;

use self::{
    answer::RawResponse,
    method::Rate,
    pace::{Delay, Pace},
};
use crate::manifest::{AGENT_SCOPE, VOTES_SCOPE};

pub use download::may_see_token;
pub use error::ApiError;
pub use method::Method;
pub use pages::ListPage;
pub use shared_pace::{PaceLimit, SharedPace};

/// The address of the real Slack.
pub const SLACK_API: &str = "https://slack.com/api/";
/// The usual timeout of a call, answer included: Slack itself gives up earlier.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most tries of a read, the first included, before its error is returned.
const MOST_READ_TRIES: usize = 4;
/// The first and the longest pause between tries of a read.
const READ_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// The longest time between two looks at limits that several processes share.
const SHARED_LOOK: Duration = Duration::from_secs(10);

/// The parameters of a call: names and values of a form.
pub type CallParams<'a> = [(&'a str, String)];

/// A bot's or an app's token. Its debug form is a placeholder, and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct SlackToken(String);

impl SlackToken {
    /// Wraps a token.
    pub fn new(token: impl Into<String>) -> Self {
        Self(token.into())
    }

    /// The token itself, for the `Authorization` header only.
    fn secret(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SlackToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Slack's address, the token and the timeout of calls.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The address that method names are appended to: `slack.api_base_url`, or [`SLACK_API`].
    pub base_url: String,
    /// The bot's token (`xoxb-…`), or the app's (`xapp-…`) for opening sockets.
    pub token: SlackToken,
    /// The most one call may take ([`DEFAULT_TIMEOUT`]).
    pub timeout: Duration,
    /// The rate limits that this process shares with others; `None` if it is alone.
    pub shared_pace: Option<Arc<dyn SharedPace>>,
}

impl ClientSettings {
    /// The real Slack, at the usual timeout.
    pub fn new(token: SlackToken) -> Self {
        Self { base_url: SLACK_API.to_owned(), token, timeout: DEFAULT_TIMEOUT, shared_pace: None }
    }
}

/// A client of the Web API. Clones share their rate limits.
#[derive(Clone)]
pub struct Client(Arc<ClientInner>);

struct ClientInner {
    settings: ClientSettings,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    pace: Pace,
    scopes: Mutex<Option<Vec<String>>>,
    /// The client that follows no redirects, made for its first use; `None` if it cannot be made.
    unredirected: OnceLock<Option<reqwest::Client>>,
}

impl Client {
    /// A client that uses the program's connection pool. The pool should bound the time to connect: only then is a host
    /// that never answers reported as unreachable, rather than as perhaps reached.
    pub fn new(settings: ClientSettings, http: reqwest::Client, clock: Arc<dyn Clock>) -> Self {
        let pace = Pace::default();
        let scopes = Mutex::new(None);
        let unredirected = OnceLock::new();
        Self(Arc::new(ClientInner { settings, http, clock, pace, scopes, unredirected }))
    }

    /// Makes a call and returns its answer, in which `ok` is true.
    ///
    /// Waits for its turn within the method's rate limit. A write whose turn comes later than one timeout
    /// from now is not made and fails with [`ApiError::Limited`], so that its caller decides.
    ///
    /// # Errors
    /// See [`ApiError`]. Reads return an error that may pass only after several tries.
    pub async fn call(&self, method: Method, params: &CallParams<'_>) -> Result<Value, ApiError> {
        if !method.is_read() {
            return self.call_in_turn(method, params).await;
        }
        let (first, longest) = READ_PAUSES;
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(first)
            .with_max_delay(longest)
            .with_max_times(MOST_READ_TRIES - 1)
            .with_jitter()
            .build();
        loop {
            let error = match self.call_in_turn(method, params).await {
                Ok(answer) => return Ok(answer),
                Err(error) if error.may_pass() => error,
                Err(error) => return Err(error),
            };
            let Some(pause) = pauses.next() else { return Err(error) };
            tracing::debug!(%method, %error, "Slack did not answer; reading again");
            // After a 429 the rate limit knows how long to wait.
            if !matches!(error, ApiError::Limited { .. }) {
                self.clock().sleep_until(instant_after(self.now(), pause)).await;
            }
        }
    }

    /// The token's scopes according to the last answer; `None` before the first answer, and for tokens without scopes.
    pub fn scopes(&self) -> Option<Vec<String>> {
        self.0.scopes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether Slack takes the app for an agent (`features.agent_view`), which alone has this scope. Without it nothing is
    /// asked for that only agents have.
    pub fn is_agent(&self) -> bool {
        self.has_scope(AGENT_SCOPE.name)
    }

    /// Whether the app's manifest is one with which it hears what people think of its answers, by reactions and by buttons.
    pub(crate) fn hears_votes(&self) -> bool {
        self.has_scope(VOTES_SCOPE.name)
    }

    fn has_scope(&self, wanted: &str) -> bool {
        self.scopes().is_some_and(|scopes| scopes.iter().any(|name| name == wanted))
    }

    /// The time between calls of a method, if they are many: by Slack's limits, or by what its answers told.
    pub fn spacing(&self, method: Method) -> Duration {
        self.0.pace.rate(method).map_or(Duration::ZERO, Rate::spacing)
    }

    /// The most one call may take.
    pub fn timeout(&self) -> Duration {
        self.0.settings.timeout
    }

    /// The address that method names are appended to.
    pub(crate) fn base_url(&self) -> &str {
        &self.0.settings.base_url
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// The time that limits go by: they would not let anything through for as long as the clock was set back.
    fn steady(&self) -> Timestamp {
        self.0.clock.steady()
    }

    /// Makes a call in its turn, once.
    async fn call_in_turn(&self, method: Method, params: &CallParams<'_>) -> Result<Value, ApiError> {
        self.take_turn(method, params).await?;
        let deadline = self.0.clock.sleep_until(instant_after(self.now(), self.0.settings.timeout));
        let answer = tokio::select! {
            // The deadline is checked first: a process that was suspended and continues must not send what is too late.
            biased;
            () = deadline => {
                let reason = format!("no answer within {} s", self.0.settings.timeout.as_secs());
                return Err(ApiError::Uncertain { method, reason });
            }
            answer = self.send_call(method, params) => answer?,
        };
        if let Some(scopes) = answer.scopes.clone() {
            *self.0.scopes.lock().unwrap_or_else(PoisonError::into_inner) = Some(scopes);
        }
        let read = answer.read(method);
        if let Err(ApiError::Limited { seconds, .. }) = &read {
            let channel = channel_of(params);
            let span = Duration::from_secs(*seconds);
            self.0.pace.note_limited(method, span);
            self.0.pace.pause(method, channel, instant_after(self.steady(), span));
            if let Some(shared) = &self.0.settings.shared_pace {
                let limit = PaceLimit::paused(method, self.0.pace.rate(method), channel);
                shared.pause(limit, instant_after(self.now(), span)).await;
            }
        } else {
            self.0.pace.note_answer(method);
        }
        read
    }

    /// Whether so many calls of a method could be made now one after the other without waiting, as far as this process
    /// knows.
    pub(crate) fn has_room(&self, method: Method, calls: u32) -> bool {
        self.0.pace.has_room(method, calls, self.steady())
    }

    async fn take_turn(&self, method: Method, params: &CallParams<'_>) -> Result<(), ApiError> {
        let channel = channel_of(params);
        // A read can wait; a write's caller has to know.
        let patience = if method.is_read() {
            Timestamp::MAX
        } else {
            instant_after(self.steady(), self.0.settings.timeout)
        };
        loop {
            match self.0.pace.turn(method, channel, self.steady(), patience) {
                Delay::None => break,
                Delay::Until(instant) => self.0.clock.sleep_until_steady(instant).await,
                Delay::TooLong(instant) => return Err(self.too_long(method, instant)),
            }
        }
        let Some(shared) = &self.0.settings.shared_pace else { return Ok(()) };
        let limits = PaceLimit::of(method, self.0.pace.rate(method), channel);
        while let Some(wait) = shared.turn(limits.clone()).await {
            let instant = instant_after(self.steady(), wait);
            if instant > patience {
                return Err(self.too_long(method, instant));
            }
            // Asked again soon: the clocks that the wait was reckoned by may be set meanwhile.
            let soon = instant.min(instant_after(self.steady(), SHARED_LOOK));
            self.0.clock.sleep_until_steady(soon).await;
        }
        Ok(())
    }

    fn too_long(&self, method: Method, until: Timestamp) -> ApiError {
        let wait = until.duration_since(self.steady()).as_secs().saturating_add(1);
        ApiError::Limited { method, seconds: u64::try_from(wait).unwrap_or(0) }
    }

    async fn send_call(&self, method: Method, params: &CallParams<'_>) -> Result<RawResponse, ApiError> {
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
