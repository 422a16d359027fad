//! Facts that are planted into real talk of about a year ([`myao_testkit::facts`]).
//!
//! Memories are built, and then it is counted which facts stand in the chapters, in the long-term memory of their
//! channel, in a prompt of their place, and in the prompt of somebody who asks for them. Beside that, how much of the talk
//! itself the chapters hold: of the messages that a search task names, how many stand in the text of their chapter.
//!
//! The talk is not part of this repository. A folder of it has one folder for each of the corpora in `corpus`, with
//! `export.zip` in Slack's layout, and `recall/NAME.jsonl`, whose lines name messages: `channel_id` and `gold` (time stamps).
//!
//! Read in this order: `corpus` (the talk), `memory` (built), `kept` (the facts), `due`, `evidence`, `report`.

pub(crate) mod corpus;
mod due;
mod evidence;
mod kept;
pub(crate) mod memory;
mod report;

use std::{error::Error, path::PathBuf, time::Instant};

use clap::Args;
use myao_companion::companion::Companion;
use myao_core::chat::{Channel, MessageTs};
use myao_testkit::{
    HandClock,
    facts::{FactSet, PlantedFact, draw_facts, draw_unsaid_questions, plant_facts},
};
use serde_json::{Value, json};

use self::{
    corpus::{CORPORA, Corpus, Talk, read_talk},
    kept::FactKept,
    memory::MemoryModel,
    report::FactsReport,
};
use crate::{
    Measurement,
    held::Evidence,
    questions::{Question, Wanted},
    reached::{Asking, reached},
    report::Reached,
};

/// Facts of each sort and language.
const FACTS: usize = 40;
/// How long after the build begins everything is asked, in seconds. The time stands still then, so that the same talk gives
/// the same figures.
const ASKED_AFTER: i64 = 3600;

/// Facts to plant, and how memories are built.
#[derive(Debug, Args)]
pub(crate) struct Planting {
    /// The folder with the talk [default: the environment's `MYAO_DATA`]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Only this corpus
    #[arg(long)]
    corpus: Option<String>,
    /// The templates and the corpus that nobody tunes against, instead of the others
    #[arg(long)]
    held_out: bool,
    /// Ask the test of what should come back and what should not, instead of for every fact
    #[arg(long)]
    due: bool,
    /// Draws other facts and places
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Build memories with the memory model of this configuration instead of builtin
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Build memories with this model, its key taken from the environment
    #[arg(long, value_name = "PROVIDER/MODEL", conflicts_with = "config")]
    memory_model: Option<String>,
}

impl Planting {
    /// Plants, builds, asks and prints.
    pub(crate) async fn run(&self, measurement: &Measurement) -> Result<(), Box<dyn Error>> {
        let data = self.data.clone().or_else(|| std::env::var_os("MYAO_DATA").map(PathBuf::from));
        let data = data.filter(|data| data.is_dir()).ok_or(
            "there is no talk to measure on: name the folder that holds it with --data FOLDER or MYAO_DATA \
             (CONTRIBUTING.md says what is in it)",
        )?;
        let model = MemoryModel::of(self.config.as_deref(), self.memory_model.as_deref(), measurement)?;
        let is_wanted = |corpus: &&Corpus| match &self.corpus {
            Some(name) => corpus.name == name,
            None => corpus.is_for(self.held_out),
        };
        let wanted: Vec<&Corpus> = CORPORA.iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            return Err("there is no corpus of that name".into());
        }
        let mut all: Vec<Value> = Vec::new();
        for corpus in wanted {
            let began = Instant::now();
            let talk = read_talk(&data, corpus)?;
            let (kept, reached) = Box::pin(self.measure(corpus, &talk, &model, measurement)).await?;
            let seconds = began.elapsed().as_secs();
            if measurement.json {
                all.push(report::json(&kept, &reached, seconds));
            } else {
                println!("{}", report::text(&kept, seconds)?);
                for one in &reached {
                    println!("{}", one.text()?);
                }
            }
        }
        if measurement.json {
            println!("{:#}", json!({ "version": env!("CARGO_PKG_VERSION"), "corpora": all }));
        }
        Ok(())
    }

    async fn measure(
        &self,
        corpus: &'static Corpus,
        talk: &Talk,
        model: &MemoryModel,
        measurement: &Measurement,
    ) -> Result<(FactsReport, Vec<Reached>), Box<dyn Error>> {
        let set = FactSet {
            language: corpus.language,
            is_held_out: self.held_out,
            lasting: FACTS,
            changing: FACTS,
            seed: self.seed,
        };
        let facts = plant_facts(&talk.of_people(), &draw_facts(set), talk.now, self.seed);
        let in_talk = if self.due { due::facts_in_talk(set, talk) } else { Vec::new() };
        let everything: Vec<PlantedFact> = facts.iter().chain(&in_talk).cloned().collect();
        let built = memory::build(corpus, talk, &everything, model).await?;
        let clock = HandClock::at(talk.now.plus_seconds(ASKED_AFTER).to_timestamp());
        let companion = Companion { clock: &clock, ..built.app.companion() };
        let texts = measurement.texts.as_deref();
        let kept = kept::measure(&built, companion, &facts, talk.now, texts).await?;
        let evidence = evidence::measure(&built, talk, self.seed).await?;
        let asking = Asking::of(&built.app, companion, measurement)?;
        let mut questions = questions(&kept, talk)?;
        if self.due {
            questions = due::questions(set, talk, questions, &in_talk);
        } else {
            questions.extend(unsaid_questions(draw_unsaid_questions(set), &questions));
        }
        let reached = reached(&asking, &questions).await?;
        built.app.store.close().await;
        let kept = FactsReport {
            corpus: corpus.name,
            language: corpus.language,
            is_held_out: self.held_out,
            model: model.name(),
            messages: talk.messages.len(),
            facts: kept,
            evidence,
            built: built.summary,
        };
        Ok((kept, reached))
    }
}

/// The questions for the facts that memories got as far as. What they need is the message that says what holds now.
fn questions(facts: &[FactKept], talk: &Talk) -> Result<Vec<Question>, Box<dyn Error>> {
    let asked_at = MessageTs::from_timestamp(talk.now.plus_seconds(ASKED_AFTER).to_timestamp());
    let question = |FactKept { planted, .. }: &FactKept| {
        let is_its = |channel: &&Channel| channel.id == planted.first.channel;
        let channel = talk.channels.iter().find(is_its).cloned().ok_or("a fact is in no channel")?;
        let fact = &planted.fact;
        let value = fact.change.as_ref().map_or(&fact.value, |change| &change.value);
        Ok(Question {
            text: fact.question.clone(),
            channel,
            asked_at,
            wanted: Wanted::Said {
                evidence: vec![Evidence::new(planted.newest().clone())],
                answers: value.spellings.clone(),
            },
            sort: "asked".to_owned(),
            replaced: planted.change.iter().map(|_| Evidence::new(planted.first.clone())).collect(),
        })
    };
    facts.iter().filter(|kept| kept.is_reached).map(question).collect()
}

/// A third more questions: for what nobody said. Each is asked where something of the kind was said.
fn unsaid_questions(unsaid: Vec<String>, said: &[Question]) -> Vec<Question> {
    let asked = unsaid.into_iter().zip(said.iter().cycle());
    let question = |(text, said): (String, &Question)| Question {
        text,
        channel: said.channel.clone(),
        asked_at: said.asked_at,
        wanted: Wanted::Unsaid,
        sort: "another matter".to_owned(),
        replaced: Vec::new(),
    };
    asked.map(question).collect()
}
