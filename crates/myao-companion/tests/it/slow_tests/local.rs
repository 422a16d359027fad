//! A workspace of our own: people speak, we answer, time passes, words are taken back, and a kill loses and doubles nothing.

mod acts;
mod kills;
mod passing;
mod past;
mod secrecy;
mod time_task;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts},
    live::{
        LiveError, LiveParts, RunStatus, SettingsFeed, StopTokens,
        local::{self, LocalWorkspace, MovableClock},
    },
};
use myao_config::Config;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, Place, User, UserId, Visibility},
    ports::{BoxFuture, Clock, Model, ModelError, Request, Response},
    text::Language,
    wording::Templates,
};
use myao_model::Builtin;
use myao_store::{MemoryKey, ProcessCard, Store, Target};
use sqlx::{Connection as _, SqliteConnection};
use tempfile::TempDir;
use tokio::{task::JoinHandle, time};

/// The longest a test waits for something, in real time.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A clock that runs as the machine's does, from a day of the tests' own on.
struct RealClock {
    base: Timestamp,
    since: Instant,
}

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        self.base + SignedDuration::try_from(self.since.elapsed()).expect("a short test")
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        Box::pin(time::sleep(Duration::try_from(instant.duration_since(self.now())).unwrap_or_default()))
    }
}

/// Before anybody says anything, so that nothing seems to wait.
#[tokio::test]
async fn channels_are_looked_at_soon_after_it_is_opened() {
    let mut town = Town::awake().await;
    let looked_at = town.eventually("looked at", async || {
        town.store.memory().channels_due_at(town.clock.now()).await.expect("read").is_empty()
    });
    time::timeout(Duration::from_secs(30), looked_at).await.expect("long before the next regular look");
    town.stop().await;
}

/// The model that needs nothing, and what it was asked.
#[derive(Default)]
pub(crate) struct Overheard(Mutex<Vec<Request>>);

impl Overheard {
    /// Everything that was shown to it, for words that it should not be.
    pub(crate) fn shown(&self) -> String {
        format!("{:?}", self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Model for Overheard {
    fn id(&self) -> &str {
        Builtin.id()
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        Builtin.ask(request)
    }
}

/// A workspace with three people and one channel, and the program in it.
pub(crate) struct Town {
    pub(crate) workspace: Arc<LocalWorkspace>,
    pub(crate) clock: Arc<MovableClock>,
    pub(crate) store: Store,
    pub(crate) model: Arc<Overheard>,
    config: Config,
    run: Option<(JoinHandle<Result<(), LiveError>>, StopTokens)>,
    folder: TempDir,
}

pub(crate) fn aki() -> UserId {
    UserId::new("UAKI")
}

pub(crate) fn ken() -> UserId {
    UserId::new("UKEN")
}

pub(crate) fn general() -> ChannelId {
    ChannelId::new("CGENERAL")
}

pub(crate) fn in_general() -> Place {
    Place { channel: general(), thread: None }
}

impl Town {
    /// One in which the program runs.
    pub(crate) async fn awake() -> Self {
        let mut town = Self::asleep().await;
        town.start();
        town
    }

    /// One in which the program does not run yet.
    pub(crate) async fn asleep() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&Target::Sqlite(folder.path().join("memory.db"))).await.expect("a database");
        let base = "2026-03-23T08:00:00Z".parse().expect("a time");
        let clock = Arc::new(MovableClock::new(Arc::new(RealClock { base, since: Instant::now() })));
        let person = |id: &str, name: &str| {
            Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
        };
        let general =
            Channel { id: general(), name: "general".to_owned(), kind: ChannelKind::Public, external: false };
        let known = vec![
            person("UAKI", "Aki"),
            person("UKEN", "Ken"),
            person("UMIO", "ミオ"),
            Event::Channel(general),
        ];
        store.intake().apply(known, clock.now()).await.expect("applied");
        let config = Config::default();
        let workspace =
            LocalWorkspace::open(store.clone(), Arc::clone(&clock), &config, 7).await.expect("opened");
        Self {
            workspace: Arc::new(workspace),
            clock,
            store,
            model: Arc::default(),
            config,
            run: None,
            folder,
        }
    }

    /// Runs a statement in the database, past the store.
    pub(crate) async fn in_database(&self, statement: &'static str) {
        let path = self.folder.path().join("memory.db");
        let mut database = SqliteConnection::connect(path.to_str().expect("UTF-8")).await.expect("opened");
        sqlx::query(statement).execute(&mut database).await.expect("done");
        database.close().await.expect("closed");
    }

    pub(crate) fn start(&mut self) {
        // The web tools may not go anywhere, but their client wants this.
        drop(rustls::crypto::ring::default_provider().install_default());
        let stop = StopTokens::default();
        let running = local::run_local_workspace(self.parts(), Arc::clone(&self.workspace), stop.clone());
        self.run = Some((tokio::spawn(running), stop));
    }

    pub(crate) async fn stop(&mut self) {
        let Some((task, stop)) = self.run.take() else { return };
        stop.soon.cancel();
        let ended = time::timeout(PATIENCE, task).await.expect("it ends when it is asked to");
        ended.expect("it does not panic").expect("it ends well");
    }

    /// Ends it wherever it is.
    pub(crate) async fn kill(&mut self) {
        let Some((task, _)) = self.run.take() else { return };
        task.abort();
        drop(task.await);
    }

    fn parts(&self) -> LiveParts {
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as _;
        let model: Arc<dyn Model> = Arc::clone(&self.model) as _;
        let asker = Asker::with_embeddings(
            AskerParts {
                store: self.store.clone(),
                clock: Arc::clone(&clock),
                models: Models::all(&model),
                zone: TimeZone::UTC,
                daily_tokens: None,
                is_patient: true,
                recording: None,
            },
            None,
        );
        let templates = Arc::new(Templates::new(Language::En, &[].into()).expect("our own templates"));
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
            status: Arc::new(RunStatus::default()),
            card: ProcessCard::default(),
            new_seed: 7,
            settings: SettingsFeed::default(),
        }
    }

    pub(crate) async fn say(&self, who: &UserId, place: &Place, text: &str) -> MessageTs {
        self.workspace.post(who, place, text).await.expect("said")
    }

    /// What stands in a channel, threads included: who said it and what, oldest first.
    pub(crate) async fn lines(&self, who: &UserId, channel: &ChannelId) -> Vec<(String, String)> {
        let talk = self.workspace.talk(who, channel, MessageTs::MAX, 100).await.expect("read");
        let all = talk.says.iter().flat_map(|say| std::iter::once(say).chain(&say.replies));
        all.map(|say| (talk.names.user(&say.message.user).to_owned(), talk.names.resolve(&say.message.text)))
            .collect()
    }

    /// What we said in a channel.
    pub(crate) async fn answers(&self, who: &UserId, channel: &ChannelId) -> Vec<String> {
        let lines = self.lines(who, channel).await.into_iter();
        lines.filter(|(name, _)| name == local::OWN_NAME).map(|(_, text)| text).collect()
    }

    /// Returns once we have said so much in a channel.
    pub(crate) async fn answered(&self, who: &UserId, channel: &ChannelId, times: usize) -> Vec<String> {
        self.eventually("answered", async || self.answers(who, channel).await.len() >= times).await;
        self.answers(who, channel).await
    }

    /// The long-term memory of a channel.
    pub(crate) async fn long_term(&self, channel: &ChannelId) -> String {
        let MemoryKey { scope, scope_id, memory_type, .. } = MemoryKey::long_term(channel);
        let memory = self.store.memory().find_latest(&Visibility::Owner, scope, &scope_id, memory_type).await;
        memory.expect("read").map(|memory| memory.content().to_owned()).unwrap_or_default()
    }

    /// Returns once it holds.
    pub(crate) async fn eventually(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let mut looks = time::interval(LOOK_EVERY);
        let waiting = async {
            while !holds().await {
                let ended = self.run.as_ref().is_some_and(|(task, _)| task.is_finished());
                assert!(!ended, "the program ended by itself before: {what}");
                looks.tick().await;
            }
        };
        time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
    }
}
