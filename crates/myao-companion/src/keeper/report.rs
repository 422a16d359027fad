//! What a round tells: while it runs, and at its end.

use jiff::Timestamp;
use serde::Serialize;

/// One thing that a round did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundEvent {
    /// All channels are cut.
    Planned {
        /// Chapters without a text.
        chapters: u64,
    },
    /// Chapters of a channel were written.
    Wrote {
        /// The channel's name.
        channel: String,
        /// How many.
        chapters: u64,
    },
    /// Chapters of a channel were folded into its long-term memory.
    Merged {
        /// The channel's name.
        channel: String,
        /// How many.
        chapters: u64,
    },
    /// A memory could not be brought up to date.
    Failed {
        /// Whose memory, with the channel's name: `#channel` or `workspace`.
        subject: String,
        /// Under what its failures are counted: `channel:C123` or `workspace`.
        counted_as: String,
        /// Why.
        reason: String,
    },
    /// The workspace's memory is being written.
    Workspace,
}

/// Is told of a round's events as they happen, from several tasks.
pub type RoundObserver<'a> = &'a (dyn Fn(RoundEvent) + Send + Sync);

/// The result of a round. Serialized, it is what `myao memory build --json` prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoundReport {
    /// Channels that were due.
    pub channels: u64,
    /// Chapters cut.
    pub chapters: u64,
    /// Chapters kept word for word.
    pub verbatim: u64,
    /// Chapters that a model summarised.
    pub summaries: u64,
    /// Chapters whose messages are all gone.
    pub emptied: u64,
    /// Merges into the long-term memories of channels.
    pub merges: u64,
    /// Thread memories written.
    pub threads: u64,
    /// Updates of the workspace's memory.
    #[serde(rename = "workspace_updates")]
    pub workspace: u64,
    /// Texts that repeated words of other places, and were asked for again from their own sources only.
    pub borrowed: u64,
    /// Model calls of the round, those of `builtin` included.
    pub model_calls: u64,
    /// The tokens that these read.
    pub tokens_in: u64,
    /// The tokens that these wrote.
    pub tokens_out: u64,
    /// When the workspace's memory may be updated again, if it changed too recently.
    pub workspace_waits_until: Option<Timestamp>,
    /// Why work waits for tomorrow, if the day's budget has nothing left for memories.
    pub waits_for_budget: Option<String>,
    /// Channels that another process is working on.
    pub busy: Vec<String>,
    /// Work that failed.
    pub troubles: Vec<FailedWork>,
}

impl RoundReport {
    /// The report of this round and the `next` one together.
    #[must_use]
    pub fn and(mut self, next: Self) -> Self {
        self.troubles.extend(next.troubles);
        Self {
            channels: self.channels.max(next.channels),
            chapters: self.chapters + next.chapters,
            verbatim: self.verbatim + next.verbatim,
            summaries: self.summaries + next.summaries,
            emptied: self.emptied + next.emptied,
            merges: self.merges + next.merges,
            threads: self.threads + next.threads,
            workspace: self.workspace + next.workspace,
            borrowed: self.borrowed + next.borrowed,
            model_calls: self.model_calls + next.model_calls,
            tokens_in: self.tokens_in + next.tokens_in,
            tokens_out: self.tokens_out + next.tokens_out,
            workspace_waits_until: next.workspace_waits_until,
            waits_for_budget: self.waits_for_budget.or(next.waits_for_budget),
            busy: next.busy,
            troubles: self.troubles,
        }
    }
}

/// A piece of work that failed; it is retried later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedWork {
    /// Whose memory: `#channel` or `workspace`.
    pub subject: String,
    /// Why.
    pub reason: String,
}
