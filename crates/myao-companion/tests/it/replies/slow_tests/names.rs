//! Names are words: a channel's name is shown where what is said there may be shown, however people point at the
//! channel and whatever became of it since (specification §6).

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, tz::TimeZone};
use myao_companion::{
    ask::Models,
    companion::Companion,
    keeper::{Keeper, KeeperParts, RoundEvent, RoundPolicy, Start},
};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, Place, Visibility},
    memory::{HistorySettings, MemoryScope, MemorySettings, MemoryType, ScopeId},
    ports::{Clock, Material, Model, Request, Response, StopReason, Turn, Usage},
    prompt::Fragments,
    text::Language,
    wording::{PromptTask, Templates},
};
use myao_slack::text::markup_as_notation;
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use proptest::{prelude::*, test_runner::Config};

use crate::replies::{
    World,
    orders::{done, orders, shown},
};
use crate::scenario::BUILD;

/// Ids and names of the channels. No name is part of another, nor of anything else that is said.
const CHANNELS: [(&str, &str); 6] = [
    ("C1", "ichiba"),
    ("C2", "hiroba-2"),
    ("G1", "okura"),
    ("G2", "密談"),
    ("X1", "sotogawa"),
    ("D1", "futarikiri"),
];

/// What a channel can be: kind, and whether people from outside take part.
const STANDINGS: [(ChannelKind, bool); 4] = [
    (ChannelKind::Public, false),
    (ChannelKind::Private, false),
    (ChannelKind::Public, true),
    (ChannelKind::Unknown, false),
];

#[derive(Clone, Debug)]
enum Step {
    /// Somebody points at channels.
    Say { channel: usize, at: Vec<(usize, usize)> },
    /// A channel becomes something else.
    Change { channel: usize, standing: usize },
    /// Memories are written.
    Round,
    /// Somebody has a note made, and the notes shown.
    Note { channel: usize, at: (usize, usize) },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pointer = || (0..CHANNELS.len(), 0..3_usize);
    let say = (0..CHANNELS.len(), prop::collection::vec(pointer(), 1..4))
        .prop_map(|(channel, at)| Step::Say { channel, at });
    // A direct message stays one.
    let change = (0..CHANNELS.len() - 1, 0..STANDINGS.len())
        .prop_map(|(channel, standing)| Step::Change { channel, standing });
    let note = (0..CHANNELS.len(), pointer()).prop_map(|(channel, at)| Step::Note { channel, at });
    let step = prop_oneof![8 => say, 2 => change, 3 => Just(Step::Round), 2 => note];
    prop::collection::vec(step, 4..24)
}

/// A reference to a channel as Slack writes it: alone, with an empty label, with its name as the label.
fn reference((channel, form): (usize, usize)) -> String {
    let (id, name) = CHANNELS[channel];
    markup_as_notation(&[format!("<#{id}>"), format!("<#{id}|>"), format!("<#{id}|{name}>")][form])
}

/// Stands in everything that is said in a channel.
fn mark(id: &str) -> String {
    format!("印{id}印")
}

/// A model of memories that repeats everything it is given, with its labels.
fn repeating() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| {
        let lines: Vec<String> = match &request.material {
            Material::Talk { existing, lines } => existing
                .lines()
                .map(str::to_owned)
                .chain(lines.iter().map(|line| line.text.clone()))
                .collect(),
            Material::Memories { existing, entries } => {
                let entries = entries.iter().flat_map(|entry| {
                    entry.text.lines().map(|line| format!("{} {line}", entry.label)).collect::<Vec<_>>()
                });
                existing.lines().map(str::to_owned).chain(entries).collect()
            }
            Material::Conversation(_) => Vec::new(),
        };
        let mut lines: Vec<String> =
            lines.iter().map(|line| format!("- {}", line.trim_start_matches("- "))).collect();
        lines.dedup();
        lines.join("\n")
    }))
}

/// A model that carries out the orders it is shown, and repeats nothing.
fn dutiful() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| {
        let mut calls = orders(&shown(request));
        calls.retain(|call| !done(request).contains(&(&call.name, &call.arguments)));
        if calls.is_empty() {
            return ScriptedAnswer::from("はい");
        }
        let usage = Usage { input: 1, cached: 0, output: 1, estimated: false };
        Response { text: String::new(), calls, thoughts: Vec::new(), stop: StopReason::Tools, usage }.into()
    }))
}

struct Town {
    world: World,
    keeper: Keeper,
    response: Arc<ScriptedModel>,
    memory: Arc<ScriptedModel>,
    channels: BTreeMap<ChannelId, Channel>,
    /// Requests that were looked at: those of replies, those of memories.
    looked: (usize, usize),
    notes: usize,
}

impl Town {
    async fn new(verbatim_small: bool) -> Self {
        let response = dutiful();
        let memory = repeating();
        let models = Models {
            response: Arc::clone(&response) as Arc<dyn Model>,
            judgment: Arc::clone(&response) as Arc<dyn Model>,
            memory: Arc::clone(&memory) as Arc<dyn Model>,
        };
        let world = World::with(models).await;
        let templates = Templates::new(Language::Ja, &BTreeMap::new()).expect("our own templates");
        let keeper = Keeper::new(KeeperParts {
            store: world.store.clone(),
            asker: world.asker(),
            clock: Arc::new(world.clock.clone()) as Arc<dyn Clock>,
            templates: Arc::new(templates),
            settings: MemorySettings {
                long_term_update_interval_seconds: 0,
                history: HistorySettings { verbatim_small, ..HistorySettings::default() },
                ..MemorySettings::default()
            },
            zone: TimeZone::UTC,
            input_tokens: 8000,
            thread_memory_days: 7,
        });
        let channels = BTreeMap::new();
        let mut town = Self { world, keeper, response, memory, channels, looked: (0, 0), notes: 0 };
        for (channel, standing) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)] {
            town.stand(channel, STANDINGS[standing]).await;
        }
        town.stand(5, (ChannelKind::Dm, false)).await;
        town
    }

    async fn stand(&mut self, channel: usize, (kind, external): (ChannelKind, bool)) {
        let (id, name) = CHANNELS[channel];
        let channel = Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external };
        self.channels.insert(channel.id.clone(), channel.clone());
        self.world.hear(vec![Event::Channel(channel)]).await;
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Say { channel, at } => {
                let (id, _) = CHANNELS[*channel];
                let words = at.iter().map(|at| reference(*at)).collect::<Vec<_>>().join(" と ");
                self.world.told(self.world.message(id, &format!("{} {words} を見て", mark(id)))).await;
            }
            Step::Change { channel, standing } => self.stand(*channel, STANDINGS[*standing]).await,
            Step::Round => self.round().await,
            Step::Note { channel, at } => {
                let (id, _) = CHANNELS[*channel];
                let name = format!("m{}", self.notes);
                let words = reference(*at);
                self.notes += 1;
                let note = format!(r#"⟦add_memo {{"name":"{name}","content":"{words}の件"}}⟧"#);
                let text = format!(r#"{} {note} ⟦list_memo⟧ ⟦get_memo {{"name":"m0"}}⟧"#, mark(id));
                self.world.mention(id, &text).await;
                self.world.settle().await;
            }
        }
    }

    async fn round(&self) {
        self.world.clock.advance(SignedDuration::from_hours(3));
        let until = MessageTs::from_timestamp(self.world.now());
        let heard = self.channels.keys().map(|id| Event::HeardUntil { channel: id.clone(), until });
        self.world.hear(heard.collect()).await;
        let policy = RoundPolicy { start: Start::FirstArchived, workspace_now: true, ..BUILD };
        let report = self.keeper.round(policy, &|_: RoundEvent| {}).await.expect("the database works");
        assert!(report.troubles.is_empty(), "{report:?}");
    }

    /// The names in a text that `visibility` does not see.
    fn unseen(&self, text: &str, visibility: &Visibility) -> Vec<&str> {
        let hidden = self.channels.values().filter(|channel| !visibility.sees(channel));
        hidden.map(|channel| channel.name.as_str()).filter(|name| text.contains(name)).collect()
    }

    fn sight(&self, id: &str) -> Visibility {
        Visibility::of(&self.channels[&ChannelId::new(id)])
    }

    /// Everything asked since the last look, all stored memories, and the prompts of all places.
    async fn look(&mut self) -> Result<(), TestCaseError> {
        let replies = self.response.requests();
        let memories = self.memory.requests();
        for request in &replies[self.looked.0..] {
            // The place is where the newest word was said.
            let Some(Turn::User(text)) = request.turns.first() else { panic!("{request:?}") };
            let own = CHANNELS.iter().max_by_key(|(id, _)| text.rfind(&mark(id))).expect("some").0;
            self.judge(&format!("a reply in {own}"), request, &self.sight(own))?;
        }
        for request in &memories[self.looked.1..] {
            let text = format!("{:?}", request.material);
            let own = CHANNELS.iter().find(|(id, _)| text.contains(&mark(id))).expect("a mark").0;
            let sight = if request.purpose == "workspace" { Visibility::Open } else { self.sight(own) };
            self.judge(&format!("a request for {} of {own}", request.purpose), request, &sight)?;
        }
        self.looked = (replies.len(), memories.len());
        self.stored().await?;
        self.prompts().await
    }

    fn judge(&self, what: &str, request: &Request, sight: &Visibility) -> Result<(), TestCaseError> {
        let text =
            format!("{} {:?} {:?} {:?}", request.system, request.turns, request.material, request.tools);
        prop_assert_eq!(self.unseen(&text, sight), Vec::<&str>::new(), "{}: {}", what, text);
        Ok(())
    }

    async fn stored(&self) -> Result<(), TestCaseError> {
        let store = &self.world.store;
        let short = MemoryType::ShortTerm;
        let long = MemoryType::LongTerm;
        for id in self.channels.keys() {
            let scope = MemoryScope::Channel;
            let key = ScopeId::channel(id);
            let mut all =
                store.memory().find_history(&Visibility::Owner, scope, &key, short, 99).await.expect("read");
            all.extend(
                store.memory().find_latest(&Visibility::Owner, scope, &key, long).await.expect("read"),
            );
            for memory in all {
                let unseen = self.unseen(memory.content(), &self.sight(id.as_str()));
                prop_assert_eq!(unseen, Vec::<&str>::new(), "stored of {}: {}", id, memory.content());
            }
        }
        let workspace = store
            .memory()
            .find_latest(&Visibility::Owner, MemoryScope::Workspace, &ScopeId::workspace(), long)
            .await;
        if let Some(memory) = workspace.expect("read") {
            let unseen = self.unseen(memory.content(), &Visibility::Open);
            prop_assert_eq!(unseen, Vec::<&str>::new(), "stored: {}", memory.content());
        }
        Ok(())
    }

    async fn prompts(&self) -> Result<(), TestCaseError> {
        let world = &self.world;
        let templates = Templates::new(Language::Ja, &BTreeMap::new()).expect("our own templates");
        let store = &world.store;
        let clock = &world.clock;
        let config = &world.config;
        let companion = Companion { store, clock, templates: &templates, config, asker: None };
        for id in self.channels.keys() {
            let place = Place { channel: id.clone(), thread: None };
            let reply = PromptTask::Reply { unasked: None, tools: true, reactions: true };
            for (task, what) in [(reply, "reply"), (PromptTask::Judgment, "judgment")] {
                let composed = companion.gather(place.clone(), 20_000, None).await.expect("gathered");
                let composed = composed.compose(task, Fragments::default(), 20_000).expect("composed");
                let request = composed.prompt.into_request(100);
                self.judge(&format!("the prompt of a {what} in {id}"), &request, &self.sight(id.as_str()))?;
            }
        }
        Ok(())
    }
}

async fn live_through(steps: &[Step], verbatim_small: bool) -> Result<(), TestCaseError> {
    let mut town = Town::new(verbatim_small).await;
    for step in steps {
        town.take(step).await;
        town.look().await?;
    }
    town.round().await;
    town.look().await
}

proptest! {
    #![proptest_config(Config { cases: 16, max_shrink_iters: 100, ..Config::default() })]
    #[test]
    fn no_name_is_told_where_its_channel_is_not_seen(steps in steps(), verbatim_small in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(live_through(&steps, verbatim_small))?;
    }
}
