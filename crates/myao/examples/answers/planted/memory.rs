//! A database with the talk of a corpus, the facts in it, and memories built from both.

use std::{error::Error, path::Path, sync::Arc};

use jiff::tz::TimeZone;
use myao::{app::App, clock::ShiftedClock, failure::Failure};
use myao_companion::keeper::{RoundPolicy, RoundReport, Start};
use myao_config::{Config, Database, ModelId};
use myao_core::{
    chat::{Channel, Event, Message},
    ports::Role,
};
use myao_testkit::facts::PlantedFact;
use tempfile::TempDir;

use super::corpus::{Corpus, Talk};
use crate::{
    Measurement,
    answering::{limited, named},
};

/// The most events in one transaction.
const EVENTS_AT_ONCE: usize = 4000;

/// Which model builds memories and which one answers, and how much they may use.
#[derive(Debug)]
pub(crate) struct MemoryModel {
    config: Config,
}

impl MemoryModel {
    /// The memory model of a configuration file, or `model`, or else builtin; and the model that answers, if one is to
    /// be measured. A model that costs something needs a limit.
    pub(crate) fn of(
        file: Option<&Path>,
        model: Option<&str>,
        measurement: &Measurement,
    ) -> Result<Self, Box<dyn Error>> {
        let read = match (file, model) {
            (Some(file), _) => Config::load(Some(file))?.config,
            (None, Some(model)) => named(Role::Memory, model)?,
            (None, None) => Config::default(),
        };
        let mut config = Config::default();
        config.agents.memory = read.agents.memory.clone();
        config.proxies.clone_from(&read.proxies);
        measurement.answer_with(&mut config, read)?;
        limited(&mut config, measurement.max_tokens)?;
        Ok(Self { config })
    }

    /// The model's name.
    pub(crate) fn name(&self) -> String {
        self.config.agents.memory.model_id.to_string()
    }
}

/// How far a build got, and what it took.
#[derive(Debug, Default)]
pub(crate) struct BuildSummary {
    /// Chapters cut.
    pub(crate) chapters: u64,
    /// Of these, with a text.
    pub(crate) written: u64,
    /// Of these, kept word for word.
    pub(crate) verbatim: u64,
    /// Calls to models.
    pub(crate) model_calls: u64,
    /// Tokens that models read.
    pub(crate) tokens_in: u64,
    /// Tokens that models wrote.
    pub(crate) tokens_out: u64,
    /// What was not done, and why.
    pub(crate) troubles: Vec<String>,
}

impl BuildSummary {
    fn add(&mut self, round: RoundReport) {
        self.model_calls += round.model_calls;
        self.tokens_in += round.tokens_in;
        self.tokens_out += round.tokens_out;
        let troubles = round.troubles.into_iter();
        self.troubles.extend(troubles.map(|trouble| format!("{}: {}", trouble.subject, trouble.reason)));
        self.troubles.extend(round.waits_for_budget);
    }
}

/// What is measured.
pub(crate) struct BuiltMemory {
    /// The database and the program around it, in the time of the talk.
    pub app: App,
    /// How far its memories got.
    pub summary: BuildSummary,
    /// Removed with this value.
    _folder: TempDir,
}

/// Builds memories of a corpus and the facts in it.
pub(crate) async fn build(
    corpus: &Corpus,
    talk: &Talk,
    facts: &[PlantedFact],
    model: &MemoryModel,
) -> Result<BuiltMemory, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut config = model.config.clone();
    config.database = Database::Sqlite(folder.path().join("memory.db"));
    config.locale.language = corpus.language;
    config.locale.timezone = TimeZone::UTC;
    let clock = Arc::new(ShiftedClock::starting_at(talk.now.to_timestamp()));
    let app = App::open_at(config, clock).await.map_err(|failure| told(&failure))?;
    while !app.store.recall().index_progress().await?.is_complete {
        app.store.recall().index_some().await?;
    }
    let keeper = app.keeper().map_err(|failure| told(&failure))?;
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: false };
    let mut summary = BuildSummary::default();
    apply(&app, everybody(talk)).await?;
    for said in by_channel(talk, facts) {
        apply(&app, said).await?;
        // Rows of channels that are built at the same time come in another order each time, and so do equally good finds
        // of a search. A model that takes seconds is not asked by one channel at a time.
        if app.config.agents.memory.model_id == ModelId::Builtin {
            summary.add(keeper.round(policy, &|_| {}).await?);
        }
    }
    summary.add(keeper.round(RoundPolicy { workspace_now: true, ..policy }, &|_| {}).await?);
    let totals = app.store.memory().totals().await?;
    (summary.chapters, summary.written, summary.verbatim) =
        (totals.chapters, totals.versions, totals.verbatim);
    Ok(BuiltMemory { app, summary, _folder: folder })
}

async fn apply(app: &App, events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    for some in events.chunks(EVENTS_AT_ONCE) {
        app.store.intake().apply(some.to_vec(), app.clock.now()).await?;
    }
    Ok(())
}

fn everybody(talk: &Talk) -> Vec<Event> {
    let channels = talk.channels.iter().cloned().map(Event::Channel);
    channels.chain(talk.users.iter().cloned().map(Event::User)).collect()
}

/// What was said in each channel, facts included, up to the time of the measurement.
fn by_channel(talk: &Talk, facts: &[PlantedFact]) -> Vec<Vec<Event>> {
    let planted = facts.iter().flat_map(|planted| [Some(&planted.first), planted.change.as_ref()]);
    let messages = || talk.messages.iter().chain(planted.clone().flatten());
    let said_in = |channel: &Channel| {
        let mut said: Vec<Message> =
            messages().filter(|message| message.channel == channel.id).cloned().collect();
        said.sort_by_key(|message| message.ts);
        let heard = Event::HeardUntil { channel: channel.id.clone(), until: talk.now };
        said.into_iter().map(Event::Message).chain([heard]).collect()
    };
    talk.channels.iter().map(said_in).collect()
}

/// An error of a command as an error of this program.
pub(crate) fn told(failure: &Failure) -> Box<dyn Error> {
    failure.to_string().into()
}
