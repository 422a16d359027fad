//! `myao run`: runs one workspace live (specification §4).
//!
//! Read in this order: [`slack`] is a run over Slack, and [`local`] one over a workspace of our own; this file holds
//! what both share. `replies` answers; `judging` speaks up unasked; `memory_rounds` keeps memories; `indexing` indexes
//! what was said before there was an index; `embedding` gives messages their vectors; `run_status` is what all of them
//! report to the health page ([`health`]), which also serves the numbers of [`metrics`].
//!
//! The tasks share nothing but the database, a few notifications (`bells`) and their [`RunStatus`]. A bell only says that
//! it is worth reading the rows again: if one is lost, that costs a minute, never a message. Several processes on one
//! server share the database alone, and hints.

mod arrival_spans;
mod bells;
mod clock_steps;
mod database_file;
mod database_server;
mod embedding;
pub mod health;
mod in_view;
mod indexing;
mod judging;
pub mod local;
mod lookups;
mod memory_rounds;
pub mod metrics;
mod replies;
mod replies_at_work;
mod run_status;
mod settings;
pub mod slack;

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use myao_config::Config;
use myao_core::{
    chat::instant_after,
    judgment::Attention,
    ports::{Chat, Clock},
    wording::Templates,
};
use myao_store::{ProcessCard, Store, StoreError};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{
    ask::Asker,
    keeper::{Keeper, Start},
    tools::web::WebTools,
};

pub use arrival_spans::ArrivalSpans;
use bells::{Bell, Bells};
pub use in_view::ChannelsInView;
pub(crate) use judging::{HOUR, enough_said};
pub use judging::{Judging, JudgingPass, UpcomingJudgment, all_upcoming_judgments};
pub use lookups::{Lookup, Lookups};
pub use replies::{Answering, TypingOrder};
pub use replies_at_work::{RepliesAtWork, ReplyAtWork};
pub use run_status::RunStatus;
pub use settings::{RunSettings, SettingsFeed, SettingsSender};

/// How long one call to a platform may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// How often rows are looked at without a notification if several processes share the work: another one may have
/// written them and died before it notified us.
const SHARED_LOOK: Duration = Duration::from_secs(5);

/// How often rows are looked at without a notification: every `interval`, on a server at least every [`SHARED_LOOK`].
fn looks_every(store: &Store, interval: Duration) -> Duration {
    if store.is_on_server() { interval.min(SHARED_LOOK) } else { interval }
}

/// The tasks of a run.
type RunTasks = JoinSet<Result<(), LiveError>>;

/// What a run is built from.
pub struct LiveParts {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// Calls the models.
    pub asker: Asker,
    /// Keeps the memories.
    pub keeper: Keeper,
    /// The web tools that a model may use.
    pub web: WebTools,
    /// What the health page shows.
    pub status: Arc<RunStatus>,
    /// What this process tells the others of itself.
    pub card: ProcessCard,
    /// Any number: the seed of what is drawn by chance, if the workspace has none yet.
    pub new_seed: u64,
    /// What is taken over of a configuration that is read again meanwhile.
    pub settings: SettingsFeed,
}

/// Why a run ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The platform refuses us until a person does something: which platform, and why.
    #[error("{0}")]
    Refused(String),
    /// A task ended that should not have: a bug. The next start continues.
    #[error("a part of the run ended by itself: {0}")]
    Died(String),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the tasks of a run share.
pub(crate) struct RunContext {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) templates: Arc<Templates>,
    pub(crate) asker: Asker,
    pub(crate) keeper: Keeper,
    pub(crate) web: WebTools,
    pub(crate) chat: Arc<dyn Chat>,
    pub(crate) attention: Attention,
    pub(crate) bells: Arc<Bells>,
    /// Where channels of unknown kind are looked up; `None` if all kinds are known.
    pub(crate) lookups: Option<Arc<Lookups>>,
    pub(crate) in_view: Arc<ChannelsInView>,
    pub(crate) status: Arc<RunStatus>,
    /// What is taken over of a configuration that is read again.
    pub(crate) settings: SettingsFeed,
    /// What wants a reply, for traces.
    pub(crate) arrivals: ArrivalSpans,
    /// What this process tells the others of itself.
    pub(crate) card: ProcessCard,
    /// Where the memory of a channel begins if it has none yet.
    pub(crate) start: Start,
    /// The workspace's seed of what is drawn by chance.
    pub(crate) seed: u64,
    /// Cancelled when the run is to end.
    pub(crate) stop: CancellationToken,
}

impl RunContext {
    /// A run in which nothing has to be looked up.
    fn new(
        parts: LiveParts,
        chat: Arc<dyn Chat>,
        attention: Attention,
        seed: u64,
        stop: CancellationToken,
    ) -> Self {
        Self {
            config: parts.config,
            store: parts.store,
            clock: parts.clock,
            templates: parts.templates,
            asker: parts.asker,
            keeper: parts.keeper,
            web: parts.web,
            chat,
            attention,
            bells: Arc::default(),
            lookups: None,
            in_view: Arc::default(),
            status: parts.status,
            settings: parts.settings,
            arrivals: ArrivalSpans::default(),
            card: parts.card,
            start: Start::Window,
            seed,
            stop,
        }
    }

    /// Waits for `span`. False when the run is stopping.
    pub(crate) async fn pause(&self, span: SignedDuration) -> bool {
        let until = instant_after(self.clock.now(), span);
        self.stop.run_until_cancelled(self.clock.sleep_until(until)).await.is_some()
    }
}

/// The tokens that end a run.
#[derive(Clone, Debug, Default)]
pub struct StopTokens {
    /// Ends the run once what is being posted is posted.
    pub soon: CancellationToken,
    /// Ends the run now. Nothing is lost by that, only done again at the next start.
    pub at_once: CancellationToken,
}

/// Starts what every platform shares, beside the `tasks` that run already, and waits until all have ended.
async fn keep_running(shared: &Arc<RunContext>, tasks: &mut RunTasks) -> Result<(), LiveError> {
    tasks.spawn(replies::answer_place_by_place(Arc::clone(shared)));
    tasks.spawn(judging::judge_pauses(Arc::clone(shared)));
    tasks.spawn(memory_rounds::run_when_due(Arc::clone(shared)));
    tasks.spawn(memory_rounds::follow_removals(Arc::clone(shared)));
    tasks.spawn(indexing::keep_index_whole(Arc::clone(shared)));
    tasks.spawn(clock_steps::watch_for_steps(Arc::clone(shared)));
    tasks.spawn(embedding::keep_messages_embedded(Arc::clone(shared)));
    if shared.store.is_on_server() {
        tasks.spawn(bells::tell_other_processes(Arc::clone(shared)));
        tasks.spawn(bells::listen_to_other_processes(Arc::clone(shared)));
        tasks.spawn(database_server::follow_writing_server(Arc::clone(shared)));
    } else {
        tasks.spawn(database_file::watch_for_removal(Arc::clone(shared)));
    }
    tasks.spawn({
        let shared = Arc::clone(shared);
        async move {
            shared.stop.cancelled().await;
            shared.asker.stop();
            Ok(())
        }
    });
    let mut outcome = Ok(());
    while let Some(ended) = tasks.join_next().await {
        // A task that ends early ends the others: half a run helps nobody.
        shared.stop.cancel();
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => outcome = outcome.and(Err(error)),
            Err(died) => outcome = outcome.and(Err(LiveError::Died(died.to_string()))),
        }
    }
    outcome
}
