//! The memories a prompt shows (specification §12.2).

use jiff::civil::Date;

use crate::chat::{ChannelId, MessageTs};

/// One version of a channel's short-term memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortTerm {
    /// Its number.
    pub version: u32,
    /// Its text.
    pub content: String,
    /// The first and the last message it was made from, when known.
    pub period: Option<(MessageTs, MessageTs)>,
}

/// What is remembered of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelMemory {
    /// Which channel.
    pub channel_id: ChannelId,
    /// Its name, without `#`.
    pub channel_name: String,
    /// Its long-term memory: its talk up to now, folded into one text.
    pub long_term_memory: Option<String>,
    /// The newest version; where there is a history, the same text as its last one.
    pub short_term_memory: Option<String>,
    /// The newest versions, oldest first.
    pub short_term_memory_history: Vec<ShortTerm>,
    /// How many versions a prompt shows at most.
    pub history_limit: usize,
    /// For the place's own channel: the versions after those of the history, oldest first. All their messages stand in
    /// the conversation as it was read. If a prompt has no room for all messages of one of them, it is one of the newest
    /// versions there.
    pub versions_in_conversation: Vec<ShortTerm>,
    /// For the place's own channel: lines of older versions that no later line has replaced, in no particular order.
    pub lines_in_force: Vec<LineInForce>,
}

/// A line of a version that is not among those shown, and still holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInForce {
    /// The day on which it was said, if that is known.
    pub day: Option<Date>,
    /// Its words ([`crate::memory::Line`]).
    pub words: String,
    /// How much it is worth ([`crate::memory::Line`]).
    pub worth: i64,
}

impl ChannelMemory {
    /// A channel of which nothing is remembered yet.
    pub fn new(channel_id: ChannelId, channel_name: impl Into<String>) -> Self {
        Self {
            channel_id,
            channel_name: channel_name.into(),
            long_term_memory: None,
            short_term_memory: None,
            short_term_memory_history: Vec::new(),
            history_limit: 0,
            versions_in_conversation: Vec::new(),
            lines_in_force: Vec::new(),
        }
    }

    /// With its long-term memory.
    #[must_use]
    pub fn with_long_term(mut self, content: Option<String>) -> Self {
        self.long_term_memory = content.filter(|text| !text.is_empty());
        self
    }

    /// With the newest `limit` of `versions`, which may come in any order; emptied ones do not count.
    #[must_use]
    pub fn with_history(mut self, mut versions: Vec<ShortTerm>, limit: usize) -> Self {
        versions.retain(|v| !v.content.is_empty());
        versions.sort_by_key(|v| v.version);
        let surplus = versions.len().saturating_sub(limit);
        versions.drain(..surplus);
        self.short_term_memory = versions.last().map(|v| v.content.clone());
        self.short_term_memory_history = versions;
        self.history_limit = limit;
        self
    }

    /// With the versions after those of the history, whose messages all stand in the conversation.
    #[must_use]
    pub fn with_versions_in_conversation(mut self, mut versions: Vec<ShortTerm>) -> Self {
        versions.retain(|v| !v.content.is_empty());
        versions.sort_by_key(|v| v.version);
        self.versions_in_conversation = versions;
        self
    }

    /// All versions that a prompt may show, oldest first.
    pub fn versions(&self) -> impl Iterator<Item = &ShortTerm> {
        self.short_term_memory_history.iter().chain(&self.versions_in_conversation)
    }
}

/// What is remembered of a thread of the place's channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadMemory {
    /// The thread's root.
    pub thread_ts: MessageTs,
    /// The text.
    pub content: String,
}
