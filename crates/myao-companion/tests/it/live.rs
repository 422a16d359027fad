//! `myao run` in process, in a fake workspace: started, stopped, killed and started again.

mod absence;
mod agent_threads;
mod barred;
mod clock_back;
mod command_words;
mod commands;
mod embeddings;
mod file_gone;
mod forget_button;
mod home;
mod home_correct;
mod in_view;
mod left;
mod manners;
mod put_right;
mod recheck;
mod shortcuts;
mod stop_button;
mod stops;
mod streams;
mod suggestions;
mod votes;
mod slow_tests {
    mod catching_up;
    mod changed_threads;
    mod command_eyes;
    mod ear;
    mod home_eyes;
    mod lookup;
    mod outsiders;
    mod put_right_eyes;
    mod stream_kills;
    mod sweep;
    mod unsettled;
}

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts},
    live::{
        LiveError, LiveParts, RunStatus, SettingsFeed, StopTokens,
        slack::{self, SlackAccess},
    },
};
use myao_config::{Config, Secret, SlackTokens};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    ports::{BoxFuture, Clock, Model},
    text::Language,
    wording::Templates,
};
use myao_store::{ChannelRow, ProcessCard, Store, Target};
use myao_testkit::{
    ScriptedModel,
    slack::{FakeSlack, SlackSetup},
};
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;
use tokio::{task::JoinHandle, time};

/// The longest a test waits for something, in real time.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often what nobody tells of (a row) is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A clock that runs faster than the real one: for waits that Slack's rates ask for.
#[derive(Clone)]
pub(crate) struct FastClock {
    base: Timestamp,
    since: Instant,
    times: u32,
    /// How many seconds were skipped, for all clones.
    skipped: Arc<AtomicI64>,
    /// By how many seconds it was set back, for all clones.
    set_back: Arc<AtomicI64>,
}

impl FastClock {
    fn new(times: u32) -> Self {
        let base = "2026-01-05T00:00:00Z".parse().expect("a time");
        Self { base, since: Instant::now(), times, skipped: Arc::default(), set_back: Arc::default() }
    }

    /// Somebody sets the clock back; no time passes by that.
    pub(crate) fn set_back(&self, span: SignedDuration) {
        self.set_back.fetch_add(span.as_secs(), Ordering::SeqCst);
    }

    /// The same clock on another machine: it is not set when this one is.
    fn elsewhere(&self) -> Self {
        Self { set_back: Arc::default(), ..self.clone() }
    }

    /// Lets this much time pass at once. Nobody may sleep meanwhile.
    pub(crate) fn skip(&self, span: SignedDuration) {
        self.skipped.fetch_add(span.as_secs(), Ordering::SeqCst);
    }
}

impl Clock for FastClock {
    fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from(self.since.elapsed() * self.times).expect("a short test");
        let seconds = self.skipped.load(Ordering::SeqCst) - self.set_back.load(Ordering::SeqCst);
        self.base + passed + SignedDuration::from_secs(seconds)
    }

    fn steady(&self) -> Timestamp {
        self.now() + SignedDuration::from_secs(self.set_back.load(Ordering::SeqCst))
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = Duration::try_from(instant.duration_since(self.now())).unwrap_or_default();
        Box::pin(time::sleep(wait / self.times))
    }
}

/// A workspace with the program in it.
pub(crate) struct Live {
    pub(crate) slack: FakeSlack,
    pub(crate) clock: FastClock,
    pub(crate) store: Store,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) config: Config,
    pub(crate) status: Arc<RunStatus>,
    run: Option<Run>,
    path: PathBuf,
    _folder: TempDir,
}

struct Run {
    task: JoinHandle<Result<(), LiveError>>,
    stop: StopTokens,
}

impl Live {
    /// A workspace in which the program does not run yet.
    pub(crate) async fn new(tweak: impl FnOnce(&mut Config)) -> Self {
        Self::with(1, |setup| setup, tweak).await
    }

    /// One in which time passes so many times as fast, on a Slack of the test's choice.
    pub(crate) async fn with(
        times: u32,
        setup: impl FnOnce(SlackSetup) -> SlackSetup,
        tweak: impl FnOnce(&mut Config),
    ) -> Self {
        let clock = FastClock::new(times);
        let slack = setup(FakeSlack::setup().with_clock(clock.elsewhere())).start().await;
        let mut config = Config::default();
        config.slack.api_base_url = slack.api_base_url();
        tweak(&mut config);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let store = Store::open(&Target::Sqlite(path.clone())).await.expect("a database");
        let model = Arc::new(ScriptedModel::answering(|_| "はい。".to_owned()));
        let status = Arc::new(RunStatus::default());
        Self { slack, clock, store, model, config, status, run: None, path, _folder: folder }
    }

    /// Starts the program; returns once it is connected, with the gap since it last ran open.
    pub(crate) async fn start(&mut self) {
        // Another test may have been first.
        drop(rustls::crypto::ring::default_provider().install_default());
        self.status = Arc::new(RunStatus::default());
        let stop = StopTokens::default();
        let task = tokio::spawn(slack::run_until_stopped(self.parts(), self.access(), stop.clone()));
        self.run = Some(Run { task, stop });
        self.eventually("connected", async || self.status.is_connected()).await;
    }

    /// Asks the program to end, and waits until it has.
    pub(crate) async fn stop(&mut self) {
        let Some(Run { task, stop }) = self.run.take() else { return };
        stop.soon.cancel();
        let ended = time::timeout(PATIENCE, task).await.expect("it ends when it is asked to");
        ended.expect("it does not panic").expect("it ends well");
        self.disconnected().await;
    }

    /// Tells the program to end at once, and waits until it has.
    pub(crate) async fn stop_at_once(&mut self) {
        let Some(Run { task, stop }) = self.run.take() else { return };
        stop.at_once.cancel();
        let ended = time::timeout(PATIENCE, task).await.expect("it ends when it is told to");
        ended.expect("it does not panic").expect("it ends well");
    }

    /// Ends it wherever it is.
    pub(crate) async fn kill(&mut self) {
        let Some(Run { task, .. }) = self.run.take() else { return };
        task.abort();
        drop(task.await);
        self.disconnected().await;
    }

    async fn disconnected(&self) {
        self.slack.wait_until(|seen| seen.connections == 0).await;
    }

    fn parts(&self) -> LiveParts {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let model: Arc<dyn Model> = Arc::clone(&self.model) as _;
        let parts = AskerParts {
            store: self.store.clone(),
            clock: Arc::clone(&clock),
            models: Models::all(&model),
            zone: TimeZone::UTC,
            daily_tokens: None,
            is_patient: true,
            recording: None,
        };
        let asker = Asker::with_embeddings(parts, self.config.embeddings.as_ref().map(embeddings::model));
        let templates = Templates::new(Language::Ja, &BTreeMap::new()).expect("our own templates");
        let templates = Arc::new(templates);
        let keeper = Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker: asker.clone(),
            clock: Arc::clone(&clock),
            templates: Arc::clone(&templates),
            settings: self.config.memory.clone(),
            zone: TimeZone::UTC,
            input_tokens: 8000,
            thread_memory_days: 7,
        });
        LiveParts {
            config: self.config.clone(),
            store: self.store.clone(),
            clock,
            templates,
            asker,
            keeper,
            web: crate::reply_world::no_web(),
            status: Arc::clone(&self.status),
            card: ProcessCard::default(),
            new_seed: 7,
            settings: SettingsFeed::default(),
        }
    }

    fn access(&self) -> SlackAccess {
        let tokens = SlackTokens {
            bot: Secret::new(self.slack.bot_token()),
            app: Secret::new(self.slack.app_token()),
        };
        SlackAccess { http: reqwest::Client::new(), tokens }
    }

    pub(crate) fn clock_now(&self) -> Timestamp {
        self.clock.now()
    }

    /// So long before now.
    pub(crate) fn ago(&self, span: SignedDuration) -> MessageTs {
        MessageTs::from_timestamp(self.clock.now() - span)
    }

    pub(crate) async fn row(&self, channel: &ChannelId) -> Option<ChannelRow> {
        let rows = self.store.archive().channels(&Visibility::Owner).await.expect("read");
        rows.into_iter().find(|row| row.channel.id == *channel)
    }

    pub(crate) async fn message(&self, channel: &ChannelId, ts: MessageTs) -> Option<Message> {
        self.store.archive().message(&Visibility::Owner, channel, ts).await.expect("read")
    }

    /// A number that no other way of the program's tells.
    pub(crate) async fn count(&self, sql: &'static str, channel: &ChannelId) -> i64 {
        let options = SqliteConnectOptions::new().filename(&self.path).read_only(true);
        let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
        let (n,) = sqlx::query_as(sql).bind(channel.as_str()).fetch_one(&pool).await.expect("read");
        n
    }

    /// Returns once the channels are heard and nothing of them is missing.
    pub(crate) async fn caught_up(&self, channels: &[&ChannelId]) {
        self.eventually("caught up", async || {
            let rows = self.store.archive().channels(&Visibility::Owner).await.expect("read");
            channels.iter().all(|channel| {
                let row = rows.iter().find(|row| row.channel.id == **channel);
                row.is_some_and(|row| row.member && row.gap_from.is_none())
            })
        })
        .await;
    }

    /// Returns once no reply is wanted, under way or left over.
    pub(crate) async fn all_answered(&self) {
        self.eventually("all is answered", async || {
            let at_hand = self.store.replies().to_act_on(Timestamp::MAX).await.expect("read");
            at_hand.due.is_empty() && at_hand.next.is_none()
        })
        .await;
    }

    /// Returns once it holds: of the database, which tells nobody when it changes.
    ///
    /// # Panics
    /// When it never does, or the program ends meanwhile.
    pub(crate) async fn eventually(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let mut looks = time::interval(LOOK_EVERY);
        let waiting = async {
            while !holds().await {
                let ended = self.run.as_ref().is_some_and(|run| run.task.is_finished());
                assert!(!ended, "the program ended by itself before: {what}");
                looks.tick().await;
            }
        };
        time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
    }
}

pub(crate) const fn days(n: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * n)
}
