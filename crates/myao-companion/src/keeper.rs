//! The memory reconciler: looks at what is stored, derives the next step, asks the model outside any
//! transaction, commits the result in one, and repeats until nothing is left (SPEC §2).
//!
//! Nothing it does depends on what it remembers: killed anywhere, it goes on to the same end state.
//!
//! A message's way through here: `cut` → `chapter` → `merge` → `workspace`; `thread` beside it.

mod answer;
mod call_budget;
mod chapter;
mod cut;
mod idle;
pub(crate) mod lease;
mod merge;
mod progress;
mod restart;
mod round;
mod summarize;
mod thread;
mod workspace;

use std::sync::Arc;

use jiff::tz::TimeZone;
use myao_core::{
    chat::MessageTs,
    memory::{MemorySettings, Refusal, SummaryError},
    ports::Clock,
    prompt::Templates,
};
use myao_store::{Store, StoreError};

use crate::ask::{AskError, Asker};

use call_budget::CallBudget;
use idle::PastRounds;
pub use lease::Lease;
pub use progress::{RoundEvent, RoundObserver};
pub use round::{FailedWork, RoundReport};

/// Keeps the memories of one workspace up to date.
#[derive(Clone)]
pub struct Keeper {
    pub(crate) store: Store,
    pub(crate) asker: Asker,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) templates: Arc<Templates>,
    pub(crate) settings: MemorySettings,
    pub(crate) zone: TimeZone,
    pub(crate) room: Arc<CallBudget>,
    pub(crate) known: Arc<PastRounds>,
}

/// What a keeper is made of.
pub struct KeeperParts {
    /// Where everything is.
    pub store: Store,
    /// The way to the models.
    pub asker: Asker,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What models are asked.
    pub templates: Arc<Templates>,
    /// `memory.*`.
    pub settings: MemorySettings,
    /// `locale.timezone`.
    pub zone: TimeZone,
    /// `prompt.max_tokens`: bounds what one call is given.
    pub input_tokens: usize,
}

/// Where the memory of a channel without chapters begins (SPEC §2.1 Start).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the first archived message: `myao memory build`.
    FirstArchived,
    /// With the first message at or after this: `--since`.
    Since(MessageTs),
    /// With the last `short_term_window_hours`: live.
    Window,
}

/// How a round is run.
#[derive(Clone, Copy, Debug)]
pub struct RoundPolicy {
    /// Where channels without chapters begin.
    pub start: Start,
    /// Also what failed a short while ago and is waiting for its next try: a person asked for it.
    pub retry_now: bool,
    /// Update the workspace's memory even within `long_term_update_interval_seconds`.
    pub workspace_now: bool,
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
    /// The day's budget has nothing left for memories: they wait, nothing has failed.
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
    /// The talk changed faster than it could be summarised.
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
    /// A keeper of the workspace in `parts.store`.
    pub fn new(parts: KeeperParts) -> Self {
        let KeeperParts { store, asker, clock, templates, settings, zone, input_tokens } = parts;
        Self {
            store,
            asker,
            clock,
            templates,
            settings,
            zone,
            room: Arc::new(CallBudget::new(input_tokens)),
            known: Arc::default(),
        }
    }
}
