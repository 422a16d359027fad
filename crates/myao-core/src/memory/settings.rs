//! The settings of the memory engine (docs/configuration.md, specification §9).

use super::chapter::ChapterPolicy;

/// The part of `memory.*` of the configuration that the engine decides by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySettings {
    /// The workspace's memory is written at most once in this many seconds, and so is a channel's in overwrite mode.
    pub long_term_update_interval_seconds: u64,
    /// How many hours a channel's first live memory reaches back; also the window of overwrite mode and of threads.
    pub short_term_window_hours: u64,
    /// The target length of long-term memories, in tokens.
    pub long_term_summary_max_tokens: u32,
    /// The target length of short-term memories, in tokens.
    pub short_term_summary_max_tokens: u32,
    /// Whether a model that writes a memory is shown other memories beside its sources, to understand them.
    pub auxiliary: bool,
    /// `memory.short_term_history`.
    pub history: HistorySettings,
}

/// `memory.short_term_history`: whether short-term memories are kept as a history, and how (specification §2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistorySettings {
    /// Whether each chapter gets a version of its own; if not, the newest version is overwritten.
    pub enabled: bool,
    /// How many versions a prompt shows.
    pub max_history_count: usize,
    /// How many seconds of silence end a chapter; at least 1.
    pub conversation_idle_seconds: u64,
    /// How many messages fill a chapter; at least 1.
    pub message_threshold: u32,
    /// Whether a chapter that fits the target length is kept word for word.
    pub verbatim_small: bool,
}

impl HistorySettings {
    /// The policy that chapters are cut by.
    pub fn policy(&self) -> ChapterPolicy {
        ChapterPolicy {
            message_threshold: self.message_threshold.max(1),
            conversation_idle_seconds: self.conversation_idle_seconds.max(1),
        }
    }

    /// What a new version is made by; `None` when history is off, and new talk replaces the version there is.
    pub fn triggers(&self) -> Option<ChapterPolicy> {
        self.enabled.then(|| self.policy())
    }

    /// How many versions a context holds: one when history is off (specification §12.2).
    pub fn shown(&self) -> usize {
        if self.enabled { self.max_history_count } else { 1 }
    }
}

impl MemorySettings {
    /// Whether every version is summarised, merged and carried into the workspace's memory before the next is written,
    /// as the predecessor has it: nothing is kept word for word, and nothing waits for an interval (ADR 74).
    pub fn is_literal(&self) -> bool {
        !self.history.verbatim_small && self.long_term_update_interval_seconds == 0
    }
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            max_history_count: 5,
            conversation_idle_seconds: 7200,
            message_threshold: 50,
            verbatim_small: true,
        }
    }
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            long_term_update_interval_seconds: 3600,
            short_term_window_hours: 24,
            long_term_summary_max_tokens: 500,
            short_term_summary_max_tokens: 300,
            auxiliary: true,
            history: HistorySettings::default(),
        }
    }
}
