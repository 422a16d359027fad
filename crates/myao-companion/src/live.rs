//! `myao run`: runs one workspace live (SPEC §4).
//!
//! Read in this order: [`run`] here starts the tasks; `intake` stores deliveries, then acknowledges them; `sweep` fetches
//! what was missed; `lookup` looks up names and kinds of channels; `replies` answers; `judging` speaks up unasked;
//! `memory_rounds` keeps memories; `indexing` indexes what was said before there was an index; `embedding` finds out what messages mean; `run_status` is what all of
//! them report to the health page ([`health`]).
//!
//! The tasks share nothing but the database, a few notifications (`Bells`) and their [`RunStatus`]. A bell only says that
//! it is worth reading the rows again: if one is lost, that costs a minute, never a message.

mod embedding;
pub mod health;
mod indexing;
mod intake;
mod judging;
mod lookup;
mod memory_rounds;
mod replies;
mod run_status;
mod sweep;

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use myao_config::{Config, SlackTokens};
use myao_core::{
    chat::{MessageTs, Own, UserId, later},
    judgment::Attention,
    ports::{Chat, Clock},
    prompt::Templates,
};
use myao_slack::{
    api::{self, ApiError, Client, ClientSettings},
    directory::Directory,
    post::SlackChat,
    socket::{Socket, SocketSettings},
};
use myao_store::{Store, StoreError};
use tokio::{sync::Notify, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::{ask::Asker, keeper::Keeper, tools::web::WebTools};

pub(crate) use judging::{HOUR, MOST_UNASKED};
pub use judging::{Judging, JudgingPass, UpcomingJudgment, coming};
pub use lookup::{Lookup, Lookups};
pub use replies::Answering;
pub use run_status::RunStatus;

/// How long one call of the Web API may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The wait between two attempts to reach Slack for the first time; the socket has its own waits.
const AGAIN: SignedDuration = SignedDuration::from_secs(10);
const HOURS_PER_DAY: i64 = 24;

/// What a run is built from.
pub struct LiveParts {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// Calls the models.
    pub asker: Asker,
    /// Keeps the memories.
    pub keeper: Keeper,
    /// The web tools that a model may use.
    pub web: WebTools,
    /// The HTTP client for Slack, with a connect timeout.
    pub http: reqwest::Client,
    /// Slack's tokens.
    pub tokens: SlackTokens,
    /// What the health page shows.
    pub status: Arc<RunStatus>,
    /// Any number: the seed of what is drawn by chance, where the workspace has none yet.
    pub new_seed: u64,
}

/// Why a run ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// Slack refuses us until a person does something.
    #[error("Slack refuses: {0}")]
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
    /// The Web API, with the bot's token.
    pub(crate) client: Client,
    pub(crate) directory: Directory,
    pub(crate) chat: Arc<dyn Chat>,
    pub(crate) attention: Attention,
    pub(crate) bells: Bells,
    pub(crate) lookups: Arc<Lookups>,
    pub(crate) status: Arc<RunStatus>,
    /// The workspace's seed of what is drawn by chance.
    pub(crate) seed: u64,
    /// Cancelled when the run is to end.
    pub(crate) stop: CancellationToken,
}

/// Notifications between tasks.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    /// Replies are wanted.
    pub(crate) replies: Notify,
    /// Gaps are open.
    pub(crate) gaps: Notify,
    /// Messages came, changed or were deleted: for judgments.
    pub(crate) talk: Notify,
    /// The same, for memories.
    pub(crate) memory: Notify,
}

impl Bells {
    /// Notifies judgments and memories that messages came, changed or were deleted.
    pub(crate) fn ring_for_talk(&self) {
        self.talk.notify_one();
        self.memory.notify_one();
    }
}

impl RunContext {
    /// From where on a channel is read when we first see it (`slack.backfill_days`).
    pub(crate) fn backfill_from(&self) -> MessageTs {
        self.hours_ago(i64::from(self.config.slack.backfill_days).saturating_mul(HOURS_PER_DAY))
    }

    /// From where on a sweep looks for edits and deletions (`slack.recheck_hours`).
    pub(crate) fn recheck_from(&self) -> MessageTs {
        self.hours_ago(i64::from(self.config.slack.recheck_hours))
    }

    fn hours_ago(&self, hours: i64) -> MessageTs {
        let now = self.clock.now();
        MessageTs::from_timestamp(now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(now))
    }

    /// Waits for `span`. False when the run is stopping.
    pub(crate) async fn pause(&self, span: SignedDuration) -> bool {
        let until = later(self.clock.now(), span);
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

/// Runs until a token is cancelled or a task fails. When it returns, none of its tasks is left.
///
/// # Errors
/// When Slack refuses us for good, or the database fails.
pub async fn run(parts: LiveParts, stop: StopTokens) -> Result<(), LiveError> {
    let mut tasks = JoinSet::new();
    let ended = tokio::select! {
        ended = run_tasks(parts, stop.soon, &mut tasks) => ended,
        () = stop.at_once.cancelled() => Ok(()),
    };
    tasks.shutdown().await;
    ended
}

async fn run_tasks(
    parts: LiveParts,
    stop: CancellationToken,
    tasks: &mut JoinSet<Result<(), LiveError>>,
) -> Result<(), LiveError> {
    let client = |token: &myao_config::Secret| {
        let settings = ClientSettings {
            base_url: parts.config.slack.api_base_url.clone(),
            timeout: CALL_TIMEOUT,
            ..ClientSettings::new(api::SlackToken::new(token.expose()))
        };
        Client::new(settings, parts.http.clone(), Arc::clone(&parts.clock))
    };
    let (bot, app) = (client(&parts.tokens.bot), client(&parts.tokens.app));
    let Some(directory) = introduce(&parts, &bot, &stop).await? else { return Ok(()) };
    parts.store.bind_team(&directory.own().team).await?;
    // Until we are connected, nothing that was looked up earlier is known to hold.
    parts.store.hear_since(None);
    let seed = parts.store.judgment_seed(parts.new_seed).await?;
    let shared = Arc::new(share(parts, bot, directory, seed, stop.clone()));
    shared.store.note_own(&shared.attention.own).await?;
    shared.store.note_team_url(&shared.directory.own().team_url).await?;
    let socket = Socket::open(app, SocketSettings::default());
    shared.status.set_pulse(socket.pulse());
    tasks.spawn(intake::listen(Arc::clone(&shared), socket));
    tasks.spawn(sweep::fill_gaps(Arc::clone(&shared)));
    tasks.spawn(lookup::learn(Arc::clone(&shared)));
    tasks.spawn(replies::answer(Arc::clone(&shared)));
    tasks.spawn(judging::judge(Arc::clone(&shared)));
    tasks.spawn(memory_rounds::keep(Arc::clone(&shared)));
    tasks.spawn(memory_rounds::follow_removals(Arc::clone(&shared)));
    tasks.spawn(indexing::keep(Arc::clone(&shared)));
    tasks.spawn(embedding::keep(Arc::clone(&shared)));
    tasks.spawn({
        let shared = Arc::clone(&shared);
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

/// Asks Slack who we are until it answers. `None` when the run is stopping.
async fn introduce(
    parts: &LiveParts,
    client: &Client,
    stop: &CancellationToken,
) -> Result<Option<Directory>, LiveError> {
    loop {
        let error = match stop.run_until_cancelled(Directory::open(client.clone())).await {
            None => return Ok(None),
            Some(Ok(directory)) => return Ok(Some(directory)),
            Some(Err(error @ (ApiError::Denied { .. } | ApiError::MissingScope { .. }))) => {
                return Err(LiveError::Refused(error.to_string()));
            }
            Some(Err(error)) => error,
        };
        tracing::warn!(%error, "Slack cannot be reached; trying again");
        parts.status.set_trouble(error.to_string());
        let again = later(parts.clock.now(), AGAIN);
        if stop.run_until_cancelled(parts.clock.sleep_until(again)).await.is_none() {
            return Ok(None);
        }
    }
}

fn share(
    parts: LiveParts,
    client: Client,
    directory: Directory,
    seed: u64,
    stop: CancellationToken,
) -> RunContext {
    let own = directory.own();
    let attention = Attention {
        own: Own { user: own.user.clone(), bot: own.bot.clone() },
        bots: parts.config.slack.answer_bots.iter().map(UserId::new).collect(),
        max_message_age_seconds: parts.config.response.max_message_age_seconds,
    };
    let chat = SlackChat::new(client.clone(), own.clone(), parts.config.locale.language);
    RunContext {
        config: parts.config,
        store: parts.store,
        clock: parts.clock,
        templates: parts.templates,
        asker: parts.asker,
        keeper: parts.keeper,
        web: parts.web,
        client,
        directory,
        chat: Arc::new(chat),
        attention,
        bells: Bells::default(),
        lookups: Arc::default(),
        status: parts.status,
        seed,
        stop,
    }
}
