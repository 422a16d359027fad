//! A workspace in which we are spoken to, in one database, on a platform that is told how to fail.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts, RoundEvent},
    live::{Answering, ArrivalSpans, RepliesAtWork, TypingOrder},
    tools::{MakeKit, web::WebTools},
};
use myao_config::Config;
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Own, Place, User, UserId,
        Visibility,
    },
    judgment::Attention,
    ports::{Chat, Clock, Model, Request, Turn},
    text::Language,
    wording::Templates,
};
use myao_store::{Decided, JUDGING, Range, ReplyInputs, Store, Target, VerdictDraft, VerdictOutcome};
use myao_testkit::{HandClock, ScriptedModel};
use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::{sync::watch, time};
use tokio_util::sync::CancellationToken;

use crate::{
    platform::Platform,
    scenario::{BUILD, literal_mode_settings},
};

/// A machine that is busy with other tests takes its time.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often it is looked whether a process on a server waits for the clock, and in how many looks on end it has to.
const LOOK_EVERY: Duration = Duration::from_millis(10);
const QUIET_LOOKS: u32 = 30;

/// A workspace with one bot in it.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) clock: HandClock,
    pub(crate) chat: Arc<Platform>,
    pub(crate) models: Models,
    pub(crate) config: Config,
    pub(crate) daily_tokens: Option<u64>,
    pub(crate) web: WebTools,
    pub(crate) more_tools: Vec<MakeKit>,
    pub(crate) language: Language,
    /// Where calls are recorded, if they are.
    pub(crate) recording: Option<PathBuf>,
    /// Rings when somebody stopped an answer.
    pub(crate) stops: watch::Sender<()>,
    /// How it is shown that an answer is being written: at once, unless a test says otherwise.
    pub(crate) typing: TypingOrder,
    /// The replies that are worked on.
    pub(crate) at_work: RepliesAtWork,
    pub(crate) folder: TempDir,
}

/// No page is fetched and nothing is searched for.
pub(crate) fn no_web() -> WebTools {
    let mut tools = Config::default().tools;
    tools.web_fetch.enabled = false;
    WebTools::new(&tools, Language::Ja, Arc::new(HandClock::at(Timestamp::UNIX_EPOCH)))
        .expect("an HTTP client")
}

pub(crate) fn attention() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: [UserId::new("UPARROT")].into(),
        max_message_age_seconds: 3600,
        threads_of_own: false,
    }
}

pub(crate) fn top(channel: &str) -> Place {
    Place { channel: ChannelId::new(channel), thread: None }
}

/// A model that says this, whatever it is asked.
pub(crate) fn saying(words: &'static str) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(move |_| words))
}

/// A model that says which lines it was told wait for an answer.
pub(crate) fn noting() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| waiting(request).join(" / ")))
}

/// The words of the lines that a prompt says wait for an answer.
pub(crate) fn waiting(request: &Request) -> Vec<String> {
    let [Turn::User(prompt)] = request.turns.as_slice() else { panic!("one turn: {request:?}") };
    let marked = prompt.lines().filter(|line| line.trim_start_matches("→ ").starts_with("● ["));
    marked.map(|line| line.split_once("さん: ").map_or(line, |(_, text)| text).to_owned()).collect()
}

impl World {
    pub(crate) async fn new(model: &Arc<ScriptedModel>) -> Self {
        let model: Arc<dyn Model> = Arc::clone(model) as _;
        Self::with(Models::all(&model)).await
    }

    pub(crate) async fn with(models: Models) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let target = Target::Sqlite(folder.path().join("myao.db"));
        Self::within(folder, &target, models).await
    }

    /// A workspace in another database.
    pub(crate) async fn at(target: Target, models: Models) -> Self {
        Self::within(tempfile::tempdir().expect("a folder"), &target, models).await
    }

    async fn within(folder: TempDir, target: &Target, models: Models) -> Self {
        let store = Store::open(target).await.expect("a database");
        let start: Timestamp = "2026-03-02T00:00:00Z".parse().expect("a time");
        let clock = HandClock::at(start);
        let chat = Arc::new(Platform::new(&clock));
        let mut config = Config::default();
        config.persona.name = "みゃお".to_owned();
        config.response.max_message_age_seconds = attention().max_message_age_seconds;
        let web = no_web();
        let more_tools = Vec::new();
        let language = Language::Ja;
        let world = Self {
            store,
            clock,
            chat,
            models,
            config,
            daily_tokens: None,
            web,
            more_tools,
            language,
            recording: None,
            stops: watch::Sender::default(),
            typing: TypingOrder::at_once(),
            at_work: RepliesAtWork::default(),
            folder,
        };
        let channel = |id: &str, kind| {
            Event::Channel(Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external: false })
        };
        let user = |id: &str, name: &str, is_bot| {
            Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot })
        };
        world.store.recall().note_own(&attention().own).await.expect("noted");
        world
            .hear(vec![
                channel("C1", ChannelKind::Public),
                channel("C2", ChannelKind::Public),
                channel("D1", ChannelKind::Dm),
                user("U1", "佐藤さん", false),
                user("U2", "鈴木さん", false),
                user("UMYAO", "みゃお", true),
                user("UPARROT", "鸚鵡さん", true),
            ])
            .await;
        world
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) async fn hear(&self, events: Vec<Event>) {
        self.store.intake().apply_live(events, &attention(), self.now()).await.expect("applied");
    }

    pub(crate) fn message(&self, channel: &str, text: &str) -> Message {
        Message {
            channel: ChannelId::new(channel),
            ts: MessageTs::from_timestamp(self.now()),
            thread_ts: None,
            user: UserId::new("U1"),
            kind: MessageKind::Talk,
            text: text.to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        }
    }

    /// The platform was asked now what these channels are, and answered what is stored.
    pub(crate) async fn know(&self, channels: &[&str]) {
        let channels: Vec<ChannelId> = channels.iter().copied().map(ChannelId::new).collect();
        self.store.hearing().note_known(&channels, self.now()).await.expect("noted");
    }

    /// Something is said now; a second passes.
    pub(crate) async fn told(&self, message: Message) -> MessageTs {
        let ts = message.ts;
        self.hear(vec![Event::Message(message)]).await;
        self.clock.advance(SignedDuration::from_secs(1));
        ts
    }

    /// Somebody mentions us at a channel's top level.
    pub(crate) async fn mention(&self, channel: &str, text: &str) -> MessageTs {
        self.told(self.message(channel, &format!("<@UMYAO> {text}"))).await
    }

    /// It is decided to speak up in a place about a message, at once.
    pub(crate) async fn speak_up(&self, place: &Place, about: MessageTs) {
        let now = self.now();
        let until = now + SignedDuration::from_secs(30);
        let claim = self.store.claim(JUDGING, now, until).await.expect("asked").expect("free");
        let outcome = VerdictOutcome::Speak {
            reason: "nobody answered".to_owned(),
            confidence: 0.8,
            earliest: now,
            interval: SignedDuration::ZERO,
        };
        let draft = VerdictDraft {
            place: place.clone(),
            latest_ts: about,
            wait: SignedDuration::ZERO,
            outcome,
            model: "scripted/model".to_owned(),
            calls: Vec::new(),
            shown_from: None,
            read_revision: None,
            inputs: ReplyInputs::default(),
        };
        let decided = self.store.replies().write_verdict(&claim, draft, now).await.expect("decided");
        assert!(matches!(decided, Decided::Speaks(..)), "{decided:?}");
        self.store.release(&claim).await.expect("released");
    }

    /// A process that answers.
    pub(crate) fn answering(&self) -> Arc<Answering> {
        self.answering_with(self.asker())
    }

    /// Some hours pass, and memories of these channels are written, as far as there is talk for them.
    pub(crate) async fn remember(&self, channels: &[&str]) {
        self.clock.advance(SignedDuration::from_hours(3));
        for channel in channels {
            let until = MessageTs::from_timestamp(self.now());
            self.hear(vec![Event::HeardUntil { channel: ChannelId::new(*channel), until }]).await;
        }
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let templates = Templates::new(self.language, &BTreeMap::new()).expect("ours");
        let keeper = Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker: self.asker(),
            clock,
            templates: Arc::new(templates),
            settings: literal_mode_settings(),
            zone: TimeZone::UTC,
            input_tokens: 20_000,
            thread_memory_days: 7,
        });
        keeper.round(BUILD, &|_: RoundEvent| {}).await.expect("the database works");
    }

    pub(crate) fn asker(&self) -> Asker {
        let asker = Asker::new(AskerParts {
            store: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            models: self.models.clone(),
            zone: TimeZone::UTC,
            daily_tokens: self.daily_tokens,
            is_patient: true,
            recording: self.recording.clone(),
        });
        asker.set_place_rules(self.config.places.clone());
        asker
    }

    pub(crate) fn answering_with(&self, asker: Asker) -> Arc<Answering> {
        let templates = Templates::new(self.language, &BTreeMap::new()).expect("our own templates");
        Arc::new(Answering {
            config: self.config.clone(),
            store: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            templates: Arc::new(templates),
            asker,
            chat: Arc::clone(&self.chat) as Arc<dyn Chat>,
            attention: Attention {
                max_message_age_seconds: self.config.response.max_message_age_seconds,
                threads_of_own: false,
                ..attention()
            },
            lookups: None,
            in_view: Arc::default(),
            web: self.web.clone(),
            more_tools: self.more_tools.clone(),
            typing: self.typing.clone(),
            at_work: self.at_work.clone(),
            arrivals: ArrivalSpans::default(),
            stops: self.stops.subscribe(),
            stop: CancellationToken::new(),
        })
    }

    /// Answers all that is due; short waits within that pass at once.
    pub(crate) async fn settle(&self) {
        self.drive(tokio::spawn(self.answering().settle())).await;
    }

    /// Moves the clock for a process until it has nothing left to do; only short waits pass. A server's answers take real
    /// time, in which the clock stands: else what waits for them would seem to have waited for long.
    pub(crate) async fn drive(&self, mut work: tokio::task::JoinHandle<()>) {
        let short = SignedDuration::from_secs(5);
        let is_on_server = self.store.is_on_server();
        let all = async {
            let mut looks = time::interval(LOOK_EVERY);
            let mut unchanged = (None, 0);
            loop {
                let turn = async {
                    if is_on_server {
                        looks.tick().await;
                    } else {
                        tokio::task::yield_now().await;
                    }
                };
                tokio::select! {
                    biased;
                    done = &mut work => return done.expect("it runs"),
                    () = turn => {}
                }
                let wake = self.clock.next_wake().filter(|wake| wake.duration_since(self.now()) <= short);
                unchanged = if unchanged.0 == wake { (wake, unchanged.1 + 1) } else { (wake, 0) };
                if let Some(wake) = wake.filter(|_| !is_on_server || unchanged.1 >= QUIET_LOOKS) {
                    self.clock.set(wake);
                    unchanged = (None, 0);
                }
            }
        };
        soon(all).await;
    }

    /// Passes the time up to the next reply that was put off, and answers.
    pub(crate) async fn settle_later(&self) {
        let next =
            self.store.replies().to_act_on(self.now()).await.expect("read").next.expect("one is put off");
        self.clock.set(next);
        self.settle().await;
    }

    /// What stands in a channel from us, as the archive has it, oldest first.
    pub(crate) async fn own(&self, channel: &str) -> Vec<Message> {
        let channel = ChannelId::new(channel);
        let range = Range { channel, from: MessageTs::MIN, to: MessageTs::MAX };
        let (_, all) = self.store.archive().talk_in_range(&Visibility::Owner, &range).await.expect("read");
        all.into_iter().filter(|message| message.user == UserId::new("UMYAO")).collect()
    }

    /// Every reply's state and reason, in the order of their making.
    pub(crate) async fn states(&self) -> Vec<(String, String)> {
        let options = SqliteConnectOptions::new().filename(self.path()).read_only(true);
        let mut connection = options.connect().await.expect("opened");
        sqlx::query_as("SELECT state, reason FROM replies ORDER BY id")
            .fetch_all(&mut connection)
            .await
            .expect("read")
    }

    /// How each call of a model ended, and what of it was read, once none is under way.
    pub(crate) async fn settled_calls(&self) -> Vec<(String, i64)> {
        let options = SqliteConnectOptions::new().filename(self.path()).read_only(true);
        let mut connection = options.connect().await.expect("opened");
        loop {
            let calls: Vec<(String, i64)> =
                sqlx::query_as("SELECT outcome, tokens_in FROM model_calls ORDER BY id")
                    .fetch_all(&mut connection)
                    .await
                    .expect("read");
            if calls.iter().all(|(outcome, _)| outcome != "started") {
                return calls;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Changes rows past the store, as no command of ours does.
    pub(crate) async fn damage(&self, statement: &str) {
        let options = SqliteConnectOptions::new().filename(self.path());
        let mut connection = options.connect().await.expect("opened");
        sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&mut connection)
            .await
            .expect("changed");
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("myao.db")
    }
}

/// Within a test's patience.
pub(crate) async fn soon<T>(work: impl Future<Output = T>) -> T {
    time::timeout(PATIENCE, work).await.expect("soon enough")
}
