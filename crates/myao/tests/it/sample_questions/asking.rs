//! A sample workspace with its memories, of which each question gets a copy of its own.

use std::{collections::BTreeMap, fs, sync::Arc, time::Duration};

use jiff::{Timestamp, tz::TimeZone};
use myao::clock::ShiftedClock;
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts},
    live::{
        LiveParts, RunStatus, SettingsFeed, StopTokens,
        local::{self, LocalWorkspace, MovableClock},
    },
};
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, MessageTs, Place, UserId, Visibility},
    ports::{Clock, Model},
    text::Language,
    wording::Templates,
};
use myao_model::Builtin;
use myao_store::{MemoQuery, ProcessCard, Store, Target};
use tempfile::TempDir;
use tokio::time;

use super::judged::{Question, SampleAnswer};
use crate::{binary::Home, reply_world::no_web};

/// The longest that an answer may take, in real time.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(10);

pub(super) struct SampleTown {
    home: Home,
    config: Config,
    /// When the demo begins.
    now: Timestamp,
}

impl SampleTown {
    /// The sample of a language, as the demo makes it.
    pub(super) fn of(language: &str) -> Self {
        let home = Home::new();
        home.done(&["demo", "--terminal", "--lang", language, "--keep", "kept"]);
        let (zone, now) = match language {
            "ja" => ("Asia/Tokyo", "2026-03-23T08:30:00+09:00"),
            _ => ("Europe/London", "2026-03-23T08:30:00+00:00"),
        };
        let mut config = Config::default();
        config.locale.language = if language == "ja" { Language::Ja } else { Language::En };
        config.locale.timezone = TimeZone::get(zone).expect("a zone");
        Self { home, config, now: now.parse().expect("a time") }
    }

    /// Asks a question in a copy of the workspace, and waits for the answer.
    pub(super) async fn ask(&self, question: &Question) -> SampleAnswer {
        // The web tools may not go anywhere, but their client wants this.
        drop(rustls::crypto::ring::default_provider().install_default());
        let folder = tempfile::tempdir().expect("a folder");
        let store = self.copy(&folder).await;
        let clock = Arc::new(MovableClock::new(Arc::new(ShiftedClock::starting_at(self.now))));
        let workspace =
            LocalWorkspace::open(store.clone(), Arc::clone(&clock), &self.config, 7).await.expect("opened");
        let workspace = Arc::new(workspace);
        store.archive().note_team_url("https://sample.example.com/").await.expect("noted");
        let stop = StopTokens::default();
        let parts = self.parts(&store, Arc::clone(&clock) as _);
        let running = tokio::spawn(local::run_local_workspace(parts, Arc::clone(&workspace), stop.clone()));
        let place = Place { channel: self.channel(&store, &question.channel).await, thread: None };
        let by = self.person(&workspace, &question.by).await;
        let before = talk_of_people(&workspace, &by, &place.channel).await;
        let mut text = String::new();
        for ask in question.after.iter().chain([&question.ask]) {
            text = said(&workspace, (&by, &place), &format!("@myao {ask}")).await;
        }
        let after = talk_of_people(&workspace, &by, &place.channel).await;
        let seen = Visibility::only(&place.channel);
        let query = MemoQuery { limit: 10, ..MemoQuery::default() };
        let memos = store.memos().page(&seen, &query).await.expect("read").memos;
        stop.soon.cancel();
        time::timeout(PATIENCE, running).await.expect("it ends").expect("no panic").expect("it ends well");
        store.close().await;
        SampleAnswer {
            text,
            memos: memos.into_iter().map(|memo| memo.memo.content).collect(),
            stands: before.iter().all(|(ts, text)| after.get(ts) == Some(text)),
        }
    }

    async fn copy(&self, folder: &TempDir) -> Store {
        let to = folder.path().join("memory.db");
        fs::copy(self.home.path("kept/memory.db"), &to).expect("copied");
        Store::open(&Target::Sqlite(to)).await.expect("a database")
    }

    fn parts(&self, store: &Store, clock: Arc<dyn Clock>) -> LiveParts {
        let model: Arc<dyn Model> = Arc::new(Builtin);
        let zone = self.config.locale.timezone.clone();
        let asker = Asker::new(AskerParts {
            store: store.clone(),
            clock: Arc::clone(&clock),
            models: Models::all(&model),
            zone: zone.clone(),
            daily_tokens: None,
            is_patient: true,
            recording: None,
        });
        let templates = Templates::new(self.config.locale.language, &[].into()).expect("our own templates");
        let templates = Arc::new(templates);
        let keeper = Keeper::new(KeeperParts {
            store: store.clone(),
            asker: asker.clone(),
            clock: Arc::clone(&clock),
            templates: Arc::clone(&templates),
            settings: self.config.memory.clone(),
            zone,
            input_tokens: 8000,
            thread_memory_days: 7,
        });
        LiveParts {
            config: self.config.clone(),
            store: store.clone(),
            clock,
            templates,
            asker,
            keeper,
            web: no_web(),
            status: Arc::new(RunStatus::default()),
            card: ProcessCard::default(),
            new_seed: 7,
            settings: SettingsFeed::default(),
        }
    }

    async fn channel(&self, store: &Store, name: &str) -> ChannelId {
        store.archive().channels_named(name).await.expect("read").pop().expect("the channel").id
    }

    async fn person(&self, workspace: &LocalWorkspace, name: &str) -> UserId {
        let people = workspace.people().await.expect("read");
        people.into_iter().find(|user| user.name.contains(name)).expect("the person").id
    }
}

/// Says something and waits for what is answered.
async fn said(workspace: &LocalWorkspace, (who, place): (&UserId, &Place), words: &str) -> String {
    let asked = workspace.post(who, place, words).await.expect("said");
    let mut looks = time::interval(LOOK_EVERY);
    let answer = async {
        loop {
            looks.tick().await;
            let talk = workspace.talk(who, &place.channel, MessageTs::MAX, 10).await.expect("read");
            let ours =
                talk.says.iter().find(|say| say.message.ts > asked && say.message.user == *workspace.own());
            if let Some(ours) = ours {
                return talk.names.resolve(&ours.message.text);
            }
        }
    };
    time::timeout(PATIENCE, answer).await.expect("answered")
}

/// What people said in a channel, by time.
async fn talk_of_people(
    workspace: &LocalWorkspace,
    who: &UserId,
    channel: &ChannelId,
) -> BTreeMap<MessageTs, String> {
    let talk = workspace.talk(who, channel, MessageTs::MAX, 1000).await.expect("read");
    let says = talk.says.into_iter().flat_map(|say| {
        std::iter::once(say.message).chain(say.replies.into_iter().map(|reply| reply.message))
    });
    says.filter(|message| message.user != *workspace.own())
        .map(|message| (message.ts, message.text))
        .collect()
}
