//! A run over Slack: `intake` stores deliveries, then acknowledges them; `sweep` fetches what was missed; `lookup` looks up
//! names and kinds of channels; `interactions` answers commands, buttons, shortcuts and forms, by what `person_sight` says that
//! people may see, `windows` opens what is filled in then; `suggesting` says what they may ask; `scopes` says what the app
//! lacks. All else is the same on every platform ([`super`]).

mod homes;
mod intake;
mod interactions;
mod lookup;
mod pace;
mod person_sight;
mod scopes;
mod suggesting;
mod sweep;
mod waiting;
mod windows;

use std::sync::{Arc, atomic::AtomicU64};

use async_recursion::async_recursion as boxed;
use jiff::SignedDuration;
use myao_config::{Secret, SlackTokens};
use myao_core::{
    chat::{MessageTs, Own, UserId, instant_after},
    judgment::Attention,
};
use myao_slack::{
    api::{ApiError, Client, ClientSettings, SharedPace, SlackToken},
    directory::Directory,
    post::SlackChat,
    socket::{Socket, SocketSettings},
};
use myao_store::{FirstSight, Gap};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

pub use self::scopes::features_switched_on;
use self::{
    homes::ShownHomes,
    interactions::PrivateAnswering,
    pace::StoredPace,
    person_sight::PersonSights,
    suggesting::{Suggesting, SuggestionDesk},
    waiting::WaitingChannels,
    windows::Windows,
};
use super::{CALL_TIMEOUT, LiveError, LiveParts, Lookups, RunContext, RunTasks, StopTokens, keep_running};

/// The wait between two attempts to reach Slack for the first time; the socket has its own waits.
const AGAIN: SignedDuration = SignedDuration::from_secs(10);
/// How long the end of a run waits for the database: others notice without it that we are gone.
const LEAVE_WITHIN: SignedDuration = SignedDuration::from_secs(2);
const HOURS_PER_DAY: i64 = 24;
const SECONDS_PER_HOUR: i64 = 3600;

/// The way to Slack.
pub struct SlackAccess {
    /// The HTTP client, with a connect timeout.
    pub http: reqwest::Client,
    /// The tokens.
    pub tokens: SlackTokens,
}

/// What the tasks of a run over Slack share beside what those of every run do.
struct SlackRun {
    shared: Arc<RunContext>,
    /// The Web API, with the bot's token.
    client: Client,
    directory: Arc<Directory>,
    lookups: Arc<Lookups>,
    /// Where somebody asked or spoke, of the channels of which something was missed.
    waiting: WaitingChannels,
    /// What people who ask by commands may see.
    sights: Arc<PersonSights>,
    /// What is shown to them in windows of their own.
    windows: Arc<Windows>,
    /// What is suggested to them.
    suggestions: Arc<SuggestionDesk>,
    /// How often everything had been doubted when `directory` last forgot everybody.
    doubts: AtomicU64,
}

impl SlackRun {
    /// From when on a channel is read (`slack.backfill_days`) and remembered (`memory.short_term_window_hours`) that we see
    /// for the first time now.
    fn first_sight(&self) -> FirstSight {
        let config = &self.shared.config;
        let read = i64::from(config.slack.backfill_days).saturating_mul(HOURS_PER_DAY);
        let remembered = i64::try_from(config.memory.short_term_window_hours).unwrap_or(i64::MAX);
        FirstSight { read_from: self.hours_ago(read), remember_from: self.hours_ago(remembered) }
    }

    /// The time from which on a sweep of a gap looks for edits and deletions: so far before the gap began
    /// (`slack.recheck_hours`). However long it lasts, what was young then may have been changed meanwhile.
    fn recheck_from(&self, gap: &Gap) -> MessageTs {
        let hours = i64::from(self.shared.config.slack.recheck_hours);
        self.hours_ago(hours).min(gap.from.plus_seconds(-hours * SECONDS_PER_HOUR))
    }

    fn hours_ago(&self, hours: i64) -> MessageTs {
        let now = self.shared.clock.now();
        MessageTs::from_timestamp(now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(now))
    }
}

/// Runs until a token is cancelled or a task fails. When it returns, none of its tasks is left.
///
/// # Errors
/// When Slack refuses us for good, or the database fails.
#[boxed]
pub async fn run_until_stopped(
    parts: LiveParts,
    access: SlackAccess,
    stop: StopTokens,
) -> Result<(), LiveError> {
    let mut tasks = JoinSet::new();
    let store = parts.store.clone();
    let clock = Arc::clone(&parts.clock);
    let ended = tokio::select! {
        ended = run_tasks(parts, access, stop.soon, &mut tasks) => ended,
        () = stop.at_once.cancelled() => Ok(()),
    };
    tasks.shutdown().await;
    let hearing = store.hearing();
    let left = tokio::select! {
        left = hearing.note_own_end(clock.now()) => left.map_err(|error| error.to_string()),
        () = clock.sleep_until(instant_after(clock.now(), LEAVE_WITHIN)) => Err("the database does not answer".to_owned()),
    };
    if let Err(error) = left {
        tracing::warn!(%error, "other processes will take this one for dead before they take over");
    }
    ended
}

async fn run_tasks(
    parts: LiveParts,
    access: SlackAccess,
    stop: CancellationToken,
    tasks: &mut RunTasks,
) -> Result<(), LiveError> {
    let shared_pace: Option<Arc<dyn SharedPace>> = if parts.store.is_on_server() {
        Some(Arc::new(StoredPace { store: parts.store.clone(), clock: Arc::clone(&parts.clock) }))
    } else {
        None
    };
    let client = |token: &Secret| {
        let settings = ClientSettings {
            base_url: parts.config.slack.api_base_url.clone(),
            timeout: CALL_TIMEOUT,
            shared_pace: shared_pace.clone(),
            ..ClientSettings::new(SlackToken::new(token.expose()))
        };
        Client::new(settings, access.http.clone(), Arc::clone(&parts.clock))
    };
    let bot = client(&access.tokens.bot);
    let app = client(&access.tokens.app);
    let Some(directory) = ask_who_we_are(&parts, &bot, &stop).await? else { return Ok(()) };
    scopes::log_missing_scopes(&parts.config, bot.scopes());
    parts.store.archive().bind_to_team(&directory.own().team).await?;
    // Until we are connected, nothing that was looked up earlier is known to hold.
    parts.store.hearing().hear_since(None);
    parts.store.hearing().doubt_unseen_channels(parts.clock.now()).await?;
    let seed = parts.store.replies().seed_of_chance(parts.new_seed).await?;
    let (windows, to_open) = Windows::new();
    let slack = Arc::new(build_slack_run(parts, bot, directory, seed, stop, windows));
    let shared = &slack.shared;
    shared.store.recall().note_own(&shared.attention.own).await?;
    shared.store.archive().note_team_url(&slack.directory.own().team_url).await?;
    let socket = Socket::open(app, SocketSettings::default(), slack.directory.own().clone());
    shared.status.set_pulse(socket.pulse());
    tasks.spawn(intake::take_in_deliveries(Arc::clone(&slack), socket));
    tasks.spawn(interactions::answer_in_private(Arc::new(PrivateAnswering {
        shared: Arc::clone(shared),
        client: slack.client.clone(),
        directory: Arc::clone(&slack.directory),
        sights: Arc::clone(&slack.sights),
        windows: Arc::clone(&slack.windows),
        homes: ShownHomes::default(),
    })));
    tasks.spawn(windows::open_windows(slack.client.clone(), to_open, shared.stop.clone()));
    let suggesting = Suggesting {
        shared: Arc::clone(shared),
        client: slack.client.clone(),
        directory: Arc::clone(&slack.directory),
        sights: Arc::clone(&slack.sights),
        desk: Arc::clone(&slack.suggestions),
    };
    tasks.spawn(suggesting::suggest_prompts(suggesting, shared.stop.clone()));
    tasks.spawn(sweep::fill_gaps(Arc::clone(&slack)));
    tasks.spawn(lookup::carry_out_lookups(Arc::clone(&slack)));
    keep_running(shared, tasks).await
}

/// Asks Slack who we are until it answers. `None` when the run is stopping.
async fn ask_who_we_are(
    parts: &LiveParts,
    client: &Client,
    stop: &CancellationToken,
) -> Result<Option<Directory>, LiveError> {
    loop {
        let error = match stop.run_until_cancelled(Directory::open(client.clone())).await {
            None => return Ok(None),
            Some(Ok(directory)) => return Ok(Some(directory)),
            Some(Err(error @ (ApiError::Denied { .. } | ApiError::MissingScope { .. }))) => {
                return Err(LiveError::Refused(format!("Slack refuses: {error}")));
            }
            Some(Err(error)) => error,
        };
        tracing::warn!(%error, "Slack cannot be reached; trying again");
        parts.status.set_trouble(error.to_string());
        let again = instant_after(parts.clock.now(), AGAIN);
        if stop.run_until_cancelled(parts.clock.sleep_until(again)).await.is_none() {
            return Ok(None);
        }
    }
}

fn build_slack_run(
    parts: LiveParts,
    client: Client,
    directory: Directory,
    seed: u64,
    stop: CancellationToken,
    windows: Windows,
) -> SlackRun {
    let own = directory.own();
    let attention = Attention {
        own: Own { user: own.user.clone(), bot: own.bot.clone() },
        bots: parts.config.slack.answer_bots.iter().map(UserId::new).collect(),
        max_message_age_seconds: parts.config.response.max_message_age_seconds,
        threads_of_own: parts.config.slack.agent_view && client.is_agent(),
    };
    let chat = SlackChat::new(client.clone(), own.clone(), parts.config.locale.language);
    let lookups: Arc<Lookups> = Arc::default();
    let shared = RunContext {
        lookups: Some(Arc::clone(&lookups)),
        ..RunContext::new(parts, Arc::new(chat), attention, seed, stop)
    };
    SlackRun {
        shared: Arc::new(shared),
        client,
        directory: Arc::new(directory),
        lookups,
        waiting: WaitingChannels::default(),
        sights: Arc::default(),
        windows: Arc::new(windows),
        suggestions: Arc::default(),
        doubts: AtomicU64::default(),
    }
}
