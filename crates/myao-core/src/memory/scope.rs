//! Which memories there are, and how they are addressed (specification §1, §12.4).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chat::{ChannelId, MessageTs, TsError};

/// What a memory is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// The whole workspace.
    Workspace,
    /// One channel.
    Channel,
    /// One thread of a channel.
    Thread,
}

/// How far back a memory reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryType {
    /// Everything there ever was, folded into one text.
    LongTerm,
    /// One stretch of talk.
    ShortTerm,
}

/// A scope and a type that do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {memory_type} memory of a {scope}")]
pub struct InvalidCombination {
    /// The scope asked for.
    pub scope: MemoryScope,
    /// The type asked for.
    pub memory_type: MemoryType,
}

/// Whether there are memories of this scope and type. `(workspace, short_term)` is retired (specification §1).
pub const fn is_valid_memory_combination(scope: MemoryScope, memory_type: MemoryType) -> bool {
    matches!(
        (scope, memory_type),
        (MemoryScope::Workspace | MemoryScope::Channel, MemoryType::LongTerm)
            | (MemoryScope::Channel | MemoryScope::Thread, MemoryType::ShortTerm)
    )
}

stored_names!(MemoryScope, "scope of a memory", {
    Workspace => "workspace",
    Channel => "channel",
    Thread => "thread",
});

stored_names!(MemoryType, "type of memory", {
    LongTerm => "long_term",
    ShortTerm => "short_term",
});

impl fmt::Display for MemoryScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for MemoryType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which workspace, channel or thread a memory is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScopeId(String);

/// A thread's scope id that is not `{channel_id}:{thread_ts}`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeIdError {
    /// No colon, or nothing before it.
    #[error("`{0}` is not a thread's scope id (expected CHANNEL:TS, as in C1234567890:1234567890.123456)")]
    Malformed(String),
    /// What follows the colon is no time stamp.
    #[error("the thread in scope id `{0}`: {1}")]
    Ts(String, TsError),
}

impl ScopeId {
    /// The scope id of the one workspace that a database holds: `default`.
    pub fn workspace() -> Self {
        Self("default".to_owned())
    }

    /// The scope id of a channel.
    pub fn channel(id: &ChannelId) -> Self {
        Self(id.as_str().to_owned())
    }

    /// A scope id as it was read from storage.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The id as it is written to storage.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ScopeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The scope id of a thread: `{channel_id}:{thread_ts}`.
pub fn make_thread_scope_id(channel: &ChannelId, thread_ts: MessageTs) -> ScopeId {
    ScopeId(format!("{channel}:{thread_ts}"))
}

/// The channel and thread in a thread's scope id, split at the first colon.
///
/// # Errors
/// When there is no colon, nothing before it, or no time stamp behind it.
pub fn parse_thread_scope_id(scope_id: &str) -> Result<(ChannelId, MessageTs), ScopeIdError> {
    match scope_id.split_once(':') {
        Some((channel, ts)) if !channel.is_empty() => {
            let ts = ts.parse().map_err(|e| ScopeIdError::Ts(scope_id.to_owned(), e))?;
            Ok((ChannelId::new(channel), ts))
        }
        Some(_) | None => Err(ScopeIdError::Malformed(scope_id.to_owned())),
    }
}
