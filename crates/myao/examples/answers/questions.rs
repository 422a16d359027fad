//! Questions whose evidence is known, of a file or planted.

use std::{error::Error, fs, path::PathBuf};

use clap::Args;
use myao::app::App;
use myao_companion::companion::{Companion, CompanionError, PlaceSnapshot};
use myao_config::Config;
use myao_core::chat::{Channel, Message, MessageKind, MessageTs, Place, UserId, Visibility};
use serde::Deserialize;
use serde_json::json;

use crate::{
    Measurement,
    answering::limited,
    held::Evidence,
    reached::{Asking, reached},
    report::Reached,
};

/// A question, where it is asked, and what it needs.
pub(crate) struct Question {
    /// What is asked.
    pub text: String,
    /// The channel in which it is asked.
    pub channel: Channel,
    /// When. Nothing that was said from then on is looked up.
    pub asked_at: MessageTs,
    /// What is known of its answer.
    pub wanted: Wanted,
    /// What sort of question it is, if figures are told by sort.
    pub sort: String,
    /// Messages of which somebody said later that they hold no more.
    pub replaced: Vec<Evidence>,
}

/// What is known of the answer to a question.
pub(crate) enum Wanted {
    /// Somebody said it.
    Said {
        /// The messages that answer it.
        evidence: Vec<Evidence>,
        /// The ways in which the right answer may be written; none if it is not known.
        answers: Vec<String>,
    },
    /// Nobody said it: whatever is answered is wrong, but that nobody did.
    Unsaid,
    /// It asks for nothing that was said before, or for what the conversation shows.
    Nothing,
}

impl Question {
    /// Whether an answer to it can be compared with what is known.
    pub(crate) fn has_known_answer(&self) -> bool {
        match &self.wanted {
            Wanted::Said { answers, .. } => !answers.is_empty(),
            Wanted::Unsaid => true,
            Wanted::Nothing => false,
        }
    }

    /// What prompts of a reply are made from, as if it had just been asked.
    pub(crate) async fn place<'a>(
        &self,
        companion: Companion<'a>,
        max_tokens: usize,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let message = Message {
            channel: self.channel.id.clone(),
            ts: self.asked_at,
            thread_ts: None,
            user: UserId::new("somebody"),
            kind: MessageKind::Talk,
            text: self.text.clone(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        let place = Place { channel: self.channel.id.clone(), thread: None };
        companion.gather_as_if_said(place, max_tokens, message).await
    }
}

/// Questions of a file, put to a database.
#[derive(Debug, Args)]
pub(crate) struct QuestionFile {
    /// A configuration that names a database with memories
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Questions whose evidence is known, as lines of JSON
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    /// Asks each Nth question only
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
}

/// A line of the file.
#[derive(Debug, Deserialize)]
struct KnownItem {
    channel: String,
    query: String,
    before: MessageTs,
    gold: Vec<MessageTs>,
    answer: Option<String>,
    #[serde(default)]
    replaced: Vec<MessageTs>,
    #[serde(default)]
    said_in: Vec<String>,
    #[serde(default)]
    sort: String,
}

impl QuestionFile {
    /// Asks and prints.
    pub(crate) async fn run(&self, measurement: &Measurement) -> Result<(), Box<dyn Error>> {
        let mut config = Config::load(Some(&self.config))?.config;
        if measurement.model.is_some() {
            let read = config.clone();
            measurement.answer_with(&mut config, read)?;
            if measurement.max_tokens.is_some() {
                limited(&mut config, measurement.max_tokens)?;
            }
        }
        let app = App::open(config).await.map_err(|failure| failure.to_string())?;
        if measurement.model.is_some() && app.has_no_bound() {
            return Err(
                "a model that costs something needs a limit: --max-tokens, or budget.daily_tokens".into()
            );
        }
        while !app.store.recall().index_progress().await?.is_complete {
            app.store.recall().index_some().await?;
        }
        let asking = Asking::of(&app, app.companion(), measurement)?;
        let all = reached(&asking, &self.read(&app).await?).await?;
        if measurement.json {
            println!("{:#}", json!(all.iter().map(Reached::json).collect::<Vec<_>>()));
        } else {
            for one in &all {
                println!("{}", one.text()?);
            }
        }
        app.store.close().await;
        Ok(())
    }

    async fn read(&self, app: &App) -> Result<Vec<Question>, Box<dyn Error>> {
        let mut questions = Vec::new();
        for line in fs::read_to_string(&self.questions)?.lines().step_by(self.every.max(1)) {
            let item: KnownItem = serde_json::from_str(line)?;
            let channel = app.channel(&item.channel).await.map_err(|failure| failure.to_string())?;
            let mut channels = vec![channel.clone()];
            for name in &item.said_in {
                channels.push(app.channel(name).await.map_err(|failure| failure.to_string())?);
            }
            let evidence = evidence_of(app, &channels, &item.gold).await?;
            let replaced = evidence_of(app, &channels, &item.replaced).await?;
            let wanted = if item.gold.is_empty() {
                Wanted::Unsaid
            } else {
                Wanted::Said { evidence, answers: item.answer.into_iter().collect() }
            };
            let KnownItem { query: text, before: asked_at, sort, .. } = item;
            questions.push(Question { text, channel, asked_at, wanted, sort, replaced });
        }
        Ok(questions)
    }
}

/// The messages of these channels with these time stamps.
async fn evidence_of(
    app: &App,
    channels: &[Channel],
    stamps: &[MessageTs],
) -> Result<Vec<Evidence>, Box<dyn Error>> {
    let mut evidence = Vec::new();
    for (ts, channel) in stamps.iter().flat_map(|ts| channels.iter().map(move |channel| (ts, channel))) {
        let message = app.store.archive().message(&Visibility::Owner, &channel.id, *ts).await?;
        evidence.extend(message.map(Evidence::new));
    }
    Ok(evidence)
}
