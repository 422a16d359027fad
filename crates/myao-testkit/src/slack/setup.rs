//! Builds and starts a fake Slack.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use jiff::Timestamp;
use myao_core::ports::Clock;

use super::{
    FakeSlack,
    delivery::{ACKNOWLEDGE_WITHIN, Deliveries},
    ephemeral::Ephemerals,
    fault::Faults,
    identity,
    interactions::Interactions,
    limits::RateLimits,
    line::{CuttableConnection, Door},
    rules::Rules,
    seen::Seen,
    sessions::AgentSessions,
    state::{SharedState, WorkspaceState},
    time::Time,
    views::Views,
    web,
    world::World,
};

/// How often a socket sends a ping, unless the test sets another time.
const PING_EVERY: Duration = Duration::from_secs(10);
/// How long a socket lives, unless the test sets another time: a little over five hours, as Slack's hello says.
const SOCKET_LIFE: Duration = Duration::from_mins(301);
/// How often late events are checked for redelivery.
const TICK: Duration = Duration::from_millis(100);

/// The settings of a fake Slack.
pub struct SlackSetup {
    base: Option<Timestamp>,
    clock: Option<Arc<dyn Clock>>,
    limits: RateLimits,
    most_messages: usize,
    without: Vec<&'static str>,
    redelivers: bool,
    has_home_tab: bool,
    ping_every: Duration,
    socket_life: Duration,
    agents: AgentSessions,
}

impl Default for SlackSetup {
    fn default() -> Self {
        Self {
            base: None,
            clock: None,
            limits: RateLimits::default(),
            most_messages: usize::MAX,
            without: Vec::new(),
            redelivers: false,
            has_home_tab: true,
            ping_every: PING_EVERY,
            socket_life: SOCKET_LIFE,
            agents: AgentSessions::default(),
        }
    }
}

impl SlackSetup {
    /// Starts the workspace's time at `instant`, from where it runs like real time. Without this it starts in early
    /// 2026.
    #[must_use]
    pub fn starting_at(mut self, instant: Timestamp) -> Self {
        self.base = Some(instant);
        self
    }

    /// Uses this clock for time stamps, rate limits and Retry-After. Acknowledgements and pings always use real time.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Applies Slack's own rate limits.
    #[must_use]
    pub fn with_rate_limits(mut self) -> Self {
        self.limits.on = true;
        self
    }

    /// Limits `method` to this many calls a minute (with bursts of at least five), whatever the other limits are.
    #[must_use]
    pub fn with_limit(mut self, method: &str, per_minute: u32) -> Self {
        self.limits.set(method, per_minute);
        self
    }

    /// Sends events again that are not acknowledged within 3 s of real time. Without this, they are sent again only
    /// when the test says so or a socket ends.
    #[must_use]
    pub fn with_redelivery(mut self) -> Self {
        self.redelivers = true;
        self
    }

    /// Gives at most so many messages on a page of a history or a thread, however many are asked for: apps that are not in
    /// the marketplace get 15.
    #[must_use]
    pub fn with_short_pages(mut self, most: usize) -> Self {
        self.most_messages = most;
        self
    }

    /// Removes a scope from the bot token.
    #[must_use]
    pub fn without_scope(mut self, scope: &'static str) -> Self {
        self.without.push(scope);
        self
    }

    /// Switches the Home tab of the app off.
    #[must_use]
    pub fn without_home_tab(mut self) -> Self {
        self.has_home_tab = false;
        self
    }

    /// Leaves out the methods of agents' sessions, as in workspaces that do not have them.
    #[must_use]
    pub fn without_agent_sessions(mut self) -> Self {
        self.agents.has_methods = false;
        self
    }

    /// Leaves out the methods of messages that grow, as in workspaces that do not have them.
    #[must_use]
    pub fn without_streams(mut self) -> Self {
        self.agents.has_streams = false;
        self
    }

    /// Takes the app's subscription to `agent_session_stopped` away: Slack shows no stop button, and says so.
    #[must_use]
    pub fn without_stop_event(mut self) -> Self {
        self.agents.hears_stops = false;
        self
    }

    /// Sets how often sockets send a ping.
    #[must_use]
    pub fn ping_every(mut self, time: Duration) -> Self {
        self.ping_every = time;
        self
    }

    /// Sets how long sockets live. A warning comes 10 s before the end, then a request to refresh, then the end.
    #[must_use]
    pub fn socket_life(mut self, time: Duration) -> Self {
        self.socket_life = time;
        self
    }

    /// Starts the fake Slack.
    ///
    /// # Panics
    /// When it cannot listen on loopback.
    pub async fn start(self) -> FakeSlack {
        let shut = Arc::new(AtomicBool::new(false));
        let door = Door::open(Arc::clone(&shut)).await.unwrap_or_else(|e| panic!("no port on loopback: {e}"));
        let address = door.address().unwrap_or_else(|e| panic!("a port without an address: {e}"));
        let redelivers = self.redelivers;
        let state = self.state(address.to_string());
        let shared = Arc::new(SharedState::new(state, shut, address.to_string()));
        let app = web::routes_of_server(Arc::clone(&shared))
            .into_make_service_with_connect_info::<CuttableConnection>();
        let mut tasks = vec![tokio::spawn(async move {
            if let Err(e) = axum::serve(door, app).await {
                panic!("the fake Slack's server ended: {e}")
            }
        })];
        if redelivers {
            tasks.push(tokio::spawn(redeliver_until_end(Arc::clone(&shared))));
        }
        FakeSlack { shared, tasks, finished: false }
    }

    fn state(self, authority: String) -> WorkspaceState {
        let scopes = identity::BOT_SCOPES.into_iter().filter(|scope| !self.without.contains(scope));
        WorkspaceState {
            time: Time::new(self.base, self.clock),
            world: World::new(),
            delivery: Deliveries::default(),
            interactions: Interactions::of_server(authority),
            ephemerals: Ephemerals::default(),
            views: Views::default(),
            has_home_tab: self.has_home_tab,
            limits: self.limits,
            most_messages: self.most_messages,
            faults: Faults::default(),
            rules: Rules::default(),
            seen: Seen::default(),
            agents: self.agents,
            scopes: scopes.collect(),
            files: std::collections::BTreeMap::new(),
            emoji: std::collections::BTreeSet::new(),
            tickets: std::collections::BTreeSet::new(),
            unlisted: std::collections::BTreeSet::new(),
            muted: false,
            ping_every: self.ping_every,
            socket_life: self.socket_life,
        }
    }
}

async fn redeliver_until_end(shared: Arc<SharedState>) {
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        shared.act(|state| state.delivery.redeliver_unacknowledged(ACKNOWLEDGE_WITHIN));
    }
}
