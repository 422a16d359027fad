//! A workspace in which a test reads like a conversation: people speak, time passes, rounds are run.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts, RoundEvent, RoundPolicy, RoundReport, Start},
};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId, Visibility},
    memory::{
        FoldMark, HistorySettings, Memory, MemoryDraft, MemoryScope, MemorySettings, MemoryType, Origin,
        ScopeId,
    },
    ports::{Clock, Material, Model, Turn},
    text::Language,
    wording::Templates,
};
use myao_store::{StepDraft, StepOutcome, Store, Target};
use myao_testkit::{HandClock, ScriptedModel};
use tempfile::TempDir;

/// A round as a build by a person runs it.
pub(crate) const BUILD: RoundPolicy =
    RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: false };
/// A round as the live program runs it.
pub(crate) const LIVE: RoundPolicy =
    RoundPolicy { start: Start::Window, retry_now: false, workspace_now: false };

pub(crate) struct Scenario {
    pub(crate) store: Store,
    pub(crate) clock: HandClock,
    pub(crate) target: Target,
    model: Arc<dyn Model>,
    settings: MemorySettings,
    /// `budget.daily_tokens`.
    pub(crate) daily_tokens: Option<u64>,
    /// `prompt.max_tokens`.
    pub(crate) input_tokens: usize,
    /// Whether a model that fails is asked again: such work waits for the clock, which only the test moves.
    pub(crate) is_patient: bool,
    _folder: TempDir,
}

/// Literal mode: every version summarised, merged and carried into the workspace at once
/// (specification §2.2).
pub(crate) fn literal_mode_settings() -> MemorySettings {
    MemorySettings {
        long_term_update_interval_seconds: 0,
        history: HistorySettings { verbatim_small: false, ..HistorySettings::default() },
        ..MemorySettings::default()
    }
}

/// A model that answers everything with a bullet that says which call it was.
pub(crate) fn counting_model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| format!("- 2026-03-02 {} の記憶", request.purpose)))
}

/// A model that copies what it is asked about into its answer, word for word: whatever reaches it would be
/// seen in what it writes. (The kit's parrot repeats its instructions as well, which the guard refuses.)
pub(crate) fn copying_model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| match &request.material {
        Material::Talk { existing, lines } => {
            bullets(&existing.lines().chain(lines.iter().map(|line| line.text.as_str())).collect::<Vec<_>>())
        }
        Material::Memories { existing, entries } => bullets(
            &existing.lines().chain(entries.iter().flat_map(|entry| entry.text.lines())).collect::<Vec<_>>(),
        ),
        Material::Conversation(_) => String::new(),
    }))
}

/// So many sentences, no two of which are the same: a text that is long without going round in circles.
pub(crate) fn long_text(sentences: usize) -> String {
    let syllables: Vec<char> = "あいうえおかきくけこさしすせそたちつてと".chars().collect();
    let digit = |n: usize, place: u32| syllables[n / syllables.len().pow(place) % syllables.len()];
    let sentence = |n| format!("{}{}{}{}の話が続く。", digit(n, 3), digit(n, 2), digit(n, 1), digit(n, 0));
    (0..sentences).map(sentence).collect()
}

/// A model that also copies what only stands beside that: its auxiliary information.
pub(crate) fn leaking_model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| {
        let turns = request.turns.iter().map(|turn| match turn {
            Turn::User(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => text.as_str(),
        });
        bullets(&turns.flat_map(str::lines).collect::<Vec<_>>())
    }))
}

fn bullets(lines: &[&str]) -> String {
    let mut seen = BTreeSet::new();
    let lines = lines.iter().map(|line| line.trim_start_matches("- 記憶: "));
    let new = lines.filter(|line| !line.trim().is_empty() && seen.insert(*line));
    new.map(|line| format!("- 記憶: {line}")).collect::<Vec<_>>().join("\n")
}

/// Writes a memory by the door that the keeper uses: over the one there is, or as a channel's next version. No chapter
/// belongs to such a version.
pub(crate) async fn write_memory(
    store: &Store,
    memory: MemoryDraft,
    origin: Origin,
    now: Timestamp,
) -> Memory {
    let scope = memory.scope();
    let id = memory.scope_id().clone();
    let memory_type = memory.memory_type();
    let channel = ChannelId::new(id.as_str());
    let mut version = 1;
    let mut parent = None;
    let mut mark = FoldMark::default();
    if (scope, memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm) {
        version = store.memory().chapters_in_channel(&channel).await.expect("read").latest_version + 1;
    } else {
        let head = store.memory().head(&Visibility::Owner, scope, &id, memory_type).await.expect("read");
        parent = head.map(|head| head.step);
        if scope == MemoryScope::Channel {
            mark = store.memory().channel_fold(&Visibility::Owner, &channel).await.expect("read").mark;
        }
    }
    let step = StepDraft {
        memory,
        version,
        origin,
        parent,
        hard: parent.into_iter().collect(),
        soft: Vec::new(),
        range: None,
        read_revision: 0,
        mark,
        calls: Vec::new(),
    };
    let until = now + SignedDuration::from_mins(1);
    let claim = store.claim("a test", now, until).await.expect("asked").expect("free");
    let outcome = store.memory().save_steps(&claim, vec![step], now).await.expect("saved");
    assert!(matches!(outcome[..], [StepOutcome::Written(_)]), "{outcome:?}");
    store.release(&claim).await.expect("given back");
    let written =
        store.memory().find_latest(&Visibility::Owner, scope, &id, memory_type).await.expect("read");
    written.expect("it was written")
}

impl Scenario {
    pub(crate) async fn new(settings: MemorySettings, model: Arc<dyn Model>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let target = Target::Sqlite(folder.path().join("memory.db"));
        Self { _folder: folder, ..Self::at(target, settings, model).await }
    }

    /// The same in a database of the caller's choice.
    pub(crate) async fn at(target: Target, settings: MemorySettings, model: Arc<dyn Model>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&target).await.expect("a database");
        let start: Timestamp = "2026-03-02T00:00:00Z".parse().expect("a time");
        Self {
            store,
            clock: HandClock::at(start),
            target,
            model,
            settings,
            daily_tokens: None,
            input_tokens: 8000,
            is_patient: false,
            _folder: folder,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn pass(&self, span: SignedDuration) {
        self.clock.advance(span);
    }

    pub(crate) fn change(&mut self, change: impl FnOnce(&mut MemorySettings)) {
        change(&mut self.settings);
    }

    /// A public channel the bot is in.
    pub(crate) async fn channel(&self, id: &str) {
        self.channel_of(id, ChannelKind::Public, false).await;
    }

    pub(crate) async fn channel_of(&self, id: &str, kind: ChannelKind, external: bool) {
        let channel = Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external };
        self.apply(vec![Event::Channel(channel)]).await;
    }

    pub(crate) async fn apply(&self, events: Vec<Event>) {
        self.store.intake().apply(events, self.now()).await.expect("applied");
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

    /// Somebody says something now; a second passes.
    pub(crate) async fn say(&self, channel: &str, text: &str) -> MessageTs {
        let message = self.message(channel, text);
        let ts = message.ts;
        self.apply(vec![Event::Message(message)]).await;
        self.pass(SignedDuration::from_secs(1));
        ts
    }

    pub(crate) async fn reply(&self, channel: &str, root: MessageTs, text: &str) -> MessageTs {
        let message = Message { thread_ts: Some(root), ..self.message(channel, text) };
        let ts = message.ts;
        self.apply(vec![Event::Message(message)]).await;
        self.pass(SignedDuration::from_secs(1));
        ts
    }

    /// Everything said up to now has arrived, and had its time to settle.
    pub(crate) async fn heard(&self) {
        self.pass(SignedDuration::from_secs(31));
        let until = MessageTs::from_timestamp(self.now());
        let rows = self.store.archive().channels(&Visibility::Owner).await.expect("read");
        let heard = rows.into_iter().map(|row| Event::HeardUntil { channel: row.channel.id, until });
        self.apply(heard.collect()).await;
    }

    pub(crate) fn keeper(&self) -> Keeper {
        self.keeper_of(self.store.clone())
    }

    pub(crate) fn keeper_of(&self, store: Store) -> Keeper {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let models = Models::all(&self.model);
        let asker = Asker::new(AskerParts {
            store: store.clone(),
            clock: Arc::clone(&clock),
            models,
            zone: TimeZone::UTC,
            daily_tokens: self.daily_tokens,
            is_patient: self.is_patient,
            recording: None,
        });
        let templates = Templates::new(Language::Ja, &BTreeMap::new()).expect("our own templates");
        Keeper::new(KeeperParts {
            store,
            asker,
            clock,
            templates: Arc::new(templates),
            settings: self.settings.clone(),
            zone: TimeZone::UTC,
            input_tokens: self.input_tokens,
            thread_memory_days: 7,
        })
    }

    /// A round over everything that was said until now.
    pub(crate) async fn round(&self, policy: RoundPolicy) -> RoundReport {
        self.heard().await;
        self.keeper().round(policy, &|_: RoundEvent| {}).await.expect("the database works")
    }

    pub(crate) async fn versions(&self, channel: &str) -> Vec<Memory> {
        let id = ScopeId::new(channel);
        let mut all = self
            .store
            .memory()
            .find_history(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::ShortTerm, usize::MAX)
            .await
            .expect("read");
        all.reverse();
        all
    }

    pub(crate) async fn long_term(&self, channel: &str) -> Option<Memory> {
        let id = ScopeId::new(channel);
        self.store
            .memory()
            .find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm)
            .await
            .expect("read")
    }

    pub(crate) async fn workspace(&self) -> Option<Memory> {
        let id = ScopeId::workspace();
        self.store
            .memory()
            .find_latest(&Visibility::Owner, MemoryScope::Workspace, &id, MemoryType::LongTerm)
            .await
            .expect("read")
    }
}

pub(crate) const fn minutes(n: i64) -> SignedDuration {
    SignedDuration::from_mins(n)
}

pub(crate) const fn hours(n: i64) -> SignedDuration {
    SignedDuration::from_hours(n)
}
