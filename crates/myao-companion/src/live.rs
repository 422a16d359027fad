//! `myao run`: one workspace, live (SPEC §4).
//!
//! Read in this order: [`run`] here puts the tasks together; `intake` stores what is delivered, then acknowledges
//! it; `sweep` fetches what was missed; `lookup` learns names and kinds; `replies` answers; `judging` speaks up
//! unasked; `memory_rounds` keeps memories; `run_status` is what all of them tell the health page ([`health`]).
//!
//! The tasks share nothing but the database, a few bells (`Bells`) and their [`RunStatus`]. A bell only says
//! that it is worth looking at the rows again: one that is lost costs a minute, never a message.

pub mod health;
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
/// Between two attempts to reach Slack for the first time; the socket has waits of its own.
const AGAIN: SignedDuration = SignedDuration::from_secs(10);
const HOURS_PER_DAY: i64 = 24;

/// What a run is made of.
pub struct LiveParts {
    /// How everything runs.
    pub config: Config,
    /// Where everything is.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Our words.
    pub templates: Arc<Templates>,
    /// The way to the models.
    pub asker: Asker,
    /// The keeper of memories.
    pub keeper: Keeper,
    /// The web, as far as a model may use it.
    pub web: WebTools,
    /// The HTTP client for Slack, with a connect timeout.
    pub http: reqwest::Client,
    /// The tokens.
    pub tokens: SlackTokens,
    /// What the health page shows.
    pub standing: Arc<RunStatus>,
    /// Any number: the seed of what is drawn by chance, where the workspace has none yet.
    pub new_seed: u64,
}

/// Why a run ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// Slack does not let us in, and will not until a person does something.
    #[error("Slack refuses: {0}")]
    Refused(String),
    /// A part of the run ended that should not have: a fault of ours. The next start goes on.
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
    pub(crate) standing: Arc<RunStatus>,
    /// The workspace's seed of what is drawn by chance.
    pub(crate) seed: u64,
    /// Set when the run is to end.
    pub(crate) stop: CancellationToken,
}

/// What is worth looking at again.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    /// Replies are wanted.
    pub(crate) replies: Notify,
    /// Gaps are open.
    pub(crate) gaps: Notify,
    /// Talk came, changed or went: for judgments.
    pub(crate) talk: Notify,
    /// The same, for memories.
    pub(crate) memory: Notify,
}

impl Bells {
    /// Tells that talk came, changed or went.
    pub(crate) fn ring_for_talk(&self) {
        self.talk.notify_one();
        self.memory.notify_one();
    }
}

impl RunContext {
    /// How far back a channel is read when we first see it (`slack.backfill_days`).
    pub(crate) fn backfill_from(&self) -> MessageTs {
        self.hours_ago(i64::from(self.config.slack.backfill_days).saturating_mul(HOURS_PER_DAY))
    }

    /// From where on edits and deletions that nobody heard of are looked for (`slack.recheck_hours`).
    pub(crate) fn recheck_from(&self) -> MessageTs {
        self.hours_ago(i64::from(self.config.slack.recheck_hours))
    }

    fn hours_ago(&self, hours: i64) -> MessageTs {
        let now = self.clock.now();
        MessageTs::from_timestamp(now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(now))
    }

    /// Waits; false when the run is to end.
    pub(crate) async fn pause(&self, span: SignedDuration) -> bool {
        let until = later(self.clock.now(), span);
        self.stop.run_until_cancelled(self.clock.sleep_until(until)).await.is_some()
    }
}

/// How a run is told to end.
#[derive(Clone, Debug, Default)]
pub struct StopTokens {
    /// Finish what is being posted, then end.
    pub soon: CancellationToken,
    /// End now. Nothing is lost by that, only done again at the next start.
    pub at_once: CancellationToken,
}

/// Runs until it is told to stop, or until nothing more can be done. When it returns, none of its tasks is left.
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
    // Until it is connected, nothing that was learnt earlier is known to hold.
    parts.store.hear_since(None);
    let seed = parts.store.judgment_seed(parts.new_seed).await?;
    let shared = Arc::new(share(parts, bot, directory, seed, stop.clone()));
    shared.store.note_own(&shared.attention.own).await?;
    let socket = Socket::open(app, SocketSettings::default());
    shared.standing.listens_by(socket.pulse());
    tasks.spawn(intake::listen(Arc::clone(&shared), socket));
    tasks.spawn(sweep::fill_gaps(Arc::clone(&shared)));
    tasks.spawn(lookup::learn(Arc::clone(&shared)));
    tasks.spawn(replies::answer(Arc::clone(&shared)));
    tasks.spawn(judging::judge(Arc::clone(&shared)));
    tasks.spawn(memory_rounds::keep(Arc::clone(&shared)));
    tasks.spawn(memory_rounds::follow_removals(Arc::clone(&shared)));
    tasks.spawn(give_up_calls(Arc::clone(&shared)));
    let mut outcome = Ok(());
    while let Some(ended) = tasks.join_next().await {
        // One that ends before it was asked to takes the others with it: half a run helps nobody.
        shared.stop.cancel();
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => outcome = outcome.and(Err(error)),
            Err(died) => outcome = outcome.and(Err(LiveError::Died(died.to_string()))),
        }
    }
    outcome
}

/// At the end of a run, models that are asked are not waited for.
async fn give_up_calls(shared: Arc<RunContext>) -> Result<(), LiveError> {
    shared.stop.cancelled().await;
    shared.asker.stop();
    Ok(())
}

/// Asks Slack who we are, for as long as that takes. None when the run is to end first.
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
        tracing::warn!(%error, "Slack is not reached; trying again");
        parts.standing.trouble(error.to_string());
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
        standing: parts.standing,
        seed,
        stop,
    }
}
