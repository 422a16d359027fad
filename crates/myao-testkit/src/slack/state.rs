//! The state of the fake Slack behind one lock, with notifications of changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use myao_core::chat::{ChannelId, MessageTs};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{
    delivery::Deliveries, ephemeral::Ephemerals, fault::Faults, files::FileSpec, identity,
    interactions::Interactions, kept_blocks::KeptBlocks, limits::RateLimits, rules::Rules, seen::Seen,
    sessions::AgentSessions, time::Time, views::Views, world::World,
};

/// The state of the fake Slack.
pub(super) struct WorkspaceState {
    pub(super) time: Time,
    pub(super) world: World,
    pub(super) delivery: Deliveries,
    pub(super) interactions: Interactions,
    pub(super) ephemerals: Ephemerals,
    pub(super) views: Views,
    /// Whether the app has a Home tab.
    pub(super) has_home_tab: bool,
    pub(super) limits: RateLimits,
    /// The most messages on a page.
    pub(super) most_messages: usize,
    pub(super) faults: Faults,
    pub(super) rules: Rules,
    pub(super) seen: Seen,
    /// What it has of agents.
    pub(super) agents: AgentSessions,
    /// The scopes of the bot token.
    pub(super) scopes: BTreeSet<&'static str>,
    /// The shared files, by id.
    pub(super) files: BTreeMap<String, FileSpec>,
    /// The names of the workspace's custom emoji.
    pub(super) emoji: BTreeSet<String>,
    /// The tickets of socket URLs that were given out and are not used yet.
    pub(super) tickets: BTreeSet<String>,
    /// Messages that no history and no thread lists yet.
    pub(super) unlisted: BTreeSet<MessageTs>,
    /// Whether events are kept from the client.
    pub(super) muted: bool,
    /// How often a socket sends a ping.
    pub(super) ping_every: Duration,
    /// How long a socket lives.
    pub(super) socket_life: Duration,
}

/// The state, as the server, the sockets and the test share it.
pub(super) struct SharedState {
    state: Mutex<WorkspaceState>,
    changes: watch::Sender<u64>,
    /// Counts how often the test released the calls that hang.
    pub(super) releases: watch::Sender<u64>,
    /// Where what is drawn is kept.
    pub(super) kept: KeptBlocks,
    /// Whether new connections are refused.
    pub(super) shut: Arc<AtomicBool>,
    /// The host and port of the server, as in `127.0.0.1:41234`.
    pub(super) authority: String,
}

impl SharedState {
    pub(super) fn new(state: WorkspaceState, shut: Arc<AtomicBool>, authority: String) -> Self {
        let changes = watch::Sender::new(0);
        let releases = watch::Sender::new(0);
        let kept = KeptBlocks::where_environment_says();
        Self { state: Mutex::new(state), changes, releases, kept, shut, authority }
    }

    /// Changes the state, and wakes those who wait for changes.
    pub(super) fn act<T>(&self, act: impl FnOnce(&mut WorkspaceState) -> T) -> T {
        let mut state = self.lock();
        let done = act(&mut state);
        state.seen.connections = state.delivery.sockets.len();
        state.seen.connected = state.delivery.opened;
        state.seen.unacknowledged = state.delivery.unacknowledged();
        state.seen.lost = state.delivery.lost;
        drop(state);
        self.changes.send_modify(|changes| *changes += 1);
        done
    }

    /// Reads the state.
    pub(super) fn look<T>(&self, look: impl FnOnce(&WorkspaceState) -> T) -> T {
        look(&self.lock())
    }

    /// A receiver that is told of every change from now on.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Ignores poisoning: a panic elsewhere in the test must not hide what was recorded before it.
    fn lock(&self) -> MutexGuard<'_, WorkspaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkspaceState {
    /// Sends an event to the client, unless the workspace is muted.
    pub(super) fn emit(&mut self, event: &Value) {
        if self.muted {
            return;
        }
        // Every event in a channel that is shared with another workspace says so.
        let channel = event.get("channel").and_then(|channel| channel.as_str().or(channel["id"].as_str()));
        let channel = channel.and_then(|id| self.world.channels.get(&ChannelId::new(id)));
        let is_shared = channel.is_some_and(|channel| channel.external);
        let event_id = format!("Ev0FAKE{:06}", self.delivery.number());
        let payload = json!({
            "token": "fake-verification",
            "team_id": identity::TEAM,
            "context_team_id": identity::TEAM,
            "context_enterprise_id": null,
            "api_app_id": identity::APP,
            "event": event,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": self.time.now().as_second(),
            "authorizations": [{"enterprise_id": null, "team_id": identity::TEAM,
                "user_id": identity::BOT_USER, "is_bot": true, "is_enterprise_install": false}],
            "is_ext_shared_channel": is_shared,
            "event_context": format!("4-{event_id}"),
        });
        self.delivery.send(event_id, payload.to_string());
    }
}
