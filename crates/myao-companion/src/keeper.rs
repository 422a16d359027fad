//! The memory reconciler: reads what is stored, derives the next step, asks the model outside any transaction, commits
//! the result in one, and repeats until nothing is left to do (specification §2).
//!
//! It keeps no state of its own between steps: killed anywhere, it continues to the same end state.
//!
//! `round` runs one pass. A message's way through it: `cut` → `chapter` → `merge` → `workspace`; `thread` beside it.
//! `literal` takes every version along this way before the next is written.

mod answer;
mod call_budget;
mod chapter;
mod cut;
mod idle;
mod lease;
mod literal;
mod merge;
mod planned_fold;
mod report;
mod rewriting;
mod round;
mod summarize;
mod thread;
mod workspace;

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, ChannelId, MessageTs},
    memory::{MemorySettings, Origin, Refusal, StepKind, SummaryError},
    ports::Clock,
    wording::Templates,
};
use myao_store::{RestartFrom, StepDraft, StepOutcome, Store, StoreError};
use tracing::Instrument as _;

use crate::{
    ask::{AskError, Asker},
    spans,
};

use call_budget::CallBudget;
pub(crate) use chapter::summary_context as chapter_context;
use idle::PastRounds;
pub use lease::Lease;
pub use report::{FailedWork, RoundEvent, RoundObserver, RoundReport};

/// Keeps the memories of one workspace up to date.
#[derive(Clone)]
pub struct Keeper {
    store: Store,
    asker: Asker,
    clock: Arc<dyn Clock>,
    templates: Arc<Templates>,
    settings: MemorySettings,
    zone: TimeZone,
    room: Arc<CallBudget>,
    known: Arc<PastRounds>,
    /// `privacy.archive_days`.
    archive_days: Option<u32>,
    /// `response.thread_memory_days`.
    thread_memory_days: u32,
}

/// What a [`Keeper`] is built from.
pub struct KeeperParts {
    /// The database.
    pub store: Store,
    /// Calls the models.
    pub asker: Asker,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// `memory.*`.
    pub settings: MemorySettings,
    /// `locale.timezone`.
    pub zone: TimeZone,
    /// `prompt.max_tokens`: the size of one call's prompt.
    pub input_tokens: usize,
    /// `response.thread_memory_days`: threads that are silent for longer get no memory, since no prompt would show it.
    pub thread_memory_days: u32,
}

/// Where the memory of a channel without chapters begins (specification §2.1 Start).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the first archived message: `myao memory build`.
    FirstArchived,
    /// At the first message at or after this time: `--since`.
    Since(MessageTs),
    /// `short_term_window_hours` ago: the live run.
    Window,
}

/// How a round is run.
#[derive(Clone, Copy, Debug)]
pub struct RoundPolicy {
    /// Where channels without chapters begin.
    pub start: Start,
    /// Whether work that failed is retried before its time, and a provisional version brought up to date, because a
    /// person asked for the round.
    pub retry_now: bool,
    /// Whether the workspace's memory is updated even within `long_term_update_interval_seconds`.
    pub workspace_now: bool,
}

impl RoundPolicy {
    /// The same for this channel. What another program stores is remembered from its first word: it was told for that,
    /// and nothing was said before.
    pub(crate) fn for_channel(self, channel: &ChannelId) -> Self {
        if channel.agent().is_some() { Self { start: Start::FirstArchived, ..self } } else { self }
    }
}

/// Why a piece of memory work was not done.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    /// The database failed: the whole round stops.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model gave no answer.
    #[error(transparent)]
    Model(AskError),
    /// The day's budget has nothing left for memories. They wait; this is no failure.
    #[error(transparent)]
    Waits(AskError),
    /// The program is stopping.
    #[error("stopped before it was done")]
    Stopped,
    /// The model's text was not accepted.
    #[error("the memory was not accepted: {0}")]
    Refused(#[from] Refusal),
    /// The request could not be made.
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// Messages changed at every attempt to write the memory.
    #[error("its talk changed {0} times while it was summarised")]
    Restless(u32),
}

impl From<AskError> for KeeperError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Store(error) => Self::Store(error),
            AskError::Model { .. } => Self::Model(error),
            AskError::Budget { .. } => Self::Waits(error),
            AskError::Stopped => Self::Stopped,
        }
    }
}

impl Keeper {
    /// Builds a keeper.
    pub fn new(parts: KeeperParts) -> Self {
        let KeeperParts { store, asker, clock, templates, settings, zone, input_tokens, thread_memory_days } =
            parts;
        Self {
            store,
            asker,
            clock,
            templates,
            settings,
            zone,
            room: Arc::new(CallBudget::new(input_tokens)),
            known: Arc::default(),
            archive_days: None,
            thread_memory_days,
        }
    }

    /// The same keeper, at the end of whose rounds words older than `archive_days` days leave the archive. `None` keeps
    /// all words.
    #[must_use]
    pub fn expiring(self, archive_days: Option<u32>) -> Self {
        Self { archive_days, ..self }
    }

    /// Commits texts of memories, under the claim on what they are of.
    async fn save_steps(
        &self,
        lease: &Lease,
        drafts: Vec<StepDraft>,
    ) -> Result<Vec<StepOutcome>, KeeperError> {
        let memory = self.store.memory();
        let saving = memory.save_steps(&lease.claim, drafts, self.clock.now());
        Ok(saving.instrument(spans::store()).await?)
    }

    /// Drops a channel's memories from `from` on, on behalf of `by`; the next round writes them anew. Clears what was
    /// flagged for a person. Returns false while another process works on the channel.
    #[boxed]
    pub async fn restart(&self, channel: &Channel, from: RestartFrom, by: &str) -> Result<bool, KeeperError> {
        let subject = round::channel_subject(&channel.id);
        let Some(lease) = Lease::take(&self.store, &self.clock, &subject).await? else { return Ok(false) };
        let reason = match from {
            RestartFrom::Start => "cut and written anew from the start".to_owned(),
            RestartFrom::Chapter(version) => format!("written anew from chapter {version} on"),
        };
        let origin = Origin { kind: StepKind::Dropped, actor: by.to_owned(), reason };
        let done =
            self.store.memory().drop_from(&lease.claim, &channel.id, from, origin, self.clock.now()).await;
        lease.release().await?;
        done?;
        self.store.memory().clear_after_success(&subject).await?;
        self.store.memory().clear_flags(&channel.id).await?;
        Ok(true)
    }
}
