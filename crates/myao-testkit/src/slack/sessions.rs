//! What stands beside a thread while an answer is being written: an agent's session, or the older status.

use std::collections::BTreeMap;

use myao_core::chat::{ChannelId, MessageTs};

/// The status of a session in which an answer is being written.
pub(super) const PROCESSING: &str = "processing";

/// What this workspace has of agents, and what stands in its threads.
pub(super) struct AgentSessions {
    /// Whether it has the methods of sessions.
    pub(super) has_methods: bool,
    /// Whether the app subscribes to `agent_session_stopped`.
    pub(super) hears_stops: bool,
    /// The status of each session that was made.
    pub(super) sessions: BTreeMap<(ChannelId, MessageTs), String>,
    /// The older statuses that stand.
    pub(super) statuses: BTreeMap<(ChannelId, MessageTs), String>,
    /// What is suggested in direct messages, each with its title and its message.
    pub(super) suggested: BTreeMap<ChannelId, Vec<(String, String)>>,
    /// Whether it has the methods of messages that grow.
    pub(super) has_streams: bool,
    /// The messages that grow, or grew.
    pub(super) streams: BTreeMap<(ChannelId, MessageTs), StreamState>,
}

/// How far a message that grows has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamState {
    /// It grows.
    InProgress,
    /// The app ended it.
    Completed,
    /// Slack ended it.
    Errored,
    /// A person ended it.
    StoppedByPerson,
}

impl StreamState {
    /// Slack's name for it in a message.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed | Self::StoppedByPerson => "completed",
            Self::Errored => "errored",
        }
    }
}

impl Default for AgentSessions {
    fn default() -> Self {
        Self {
            has_methods: true,
            hears_stops: true,
            sessions: BTreeMap::new(),
            statuses: BTreeMap::new(),
            suggested: BTreeMap::new(),
            has_streams: true,
            streams: BTreeMap::new(),
        }
    }
}
