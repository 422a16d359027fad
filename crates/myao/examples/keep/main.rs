//! What memory keeps of what was said: the measurement behind docs/memory.md. `cargo xtask keep` builds and runs it.
//!
//! Facts are planted into real talk of about a year ([`myao_testkit::facts`]), memories are built, and then it is counted
//! which facts stand in the chapters, in the long-term memory of their channel, in a prompt of their place, and in the
//! prompt of somebody who asks for them. Beside that, how much of the talk itself the chapters hold: of the messages that a
//! search task names, how many stand in the text of their chapter.
//!
//! The talk is not part of this repository. A folder of it has one folder for each of the corpora in `corpus.rs`, with
//! `export.zip` in Slack's layout, and `recall/NAME.jsonl`, whose lines name messages: `channel_id` and `gold` (time stamps).
//!
//! Read in this order: `corpus` (the talk), `memory` (built), `measure` (the facts), `evidence`, `report`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measures")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures real time, and is told by the environment where talk is"
)]

mod corpus;
mod evidence;
mod measure;
mod memory;
mod report;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::Parser;
use myao_testkit::facts::{FactSet, draw_facts, plant_facts};

use self::{
    corpus::{CORPORA, Corpus, read_talk},
    memory::MemoryModel,
    report::Measured,
};

/// Facts of each sort and language.
const FACTS: usize = 40;

/// Measures what memory keeps of facts planted into a year of talk.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask keep")]
struct Options {
    /// The folder with the talk [default: the environment's `MYAO_DATA`]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Only this corpus
    #[arg(long)]
    corpus: Option<String>,
    /// The templates and the corpus that nobody tunes against, instead of the others
    #[arg(long)]
    held_out: bool,
    /// Draws other facts and places
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Build memories with the memory model of this configuration instead of builtin
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Build memories with this model, its key taken from the environment
    #[arg(long, value_name = "PROVIDER/MODEL", conflicts_with = "config")]
    model: Option<String>,
    /// Tokens that the model may use for each corpus; then the build stops
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Print JSON, with every fact
    #[arg(long)]
    json: bool,
    /// Write the texts that are looked at into this folder, to be read: memories and prompts of each channel, and the
    /// prompts of the questions
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("keep: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let data = options.data.clone().or_else(|| std::env::var_os("MYAO_DATA").map(PathBuf::from));
    let data = data.filter(|data| data.is_dir()).ok_or(
        "there is no talk to measure on: name the folder that holds it with --data FOLDER or MYAO_DATA \
         (CONTRIBUTING.md says what is in it)",
    )?;
    let model = MemoryModel::of(options.config.as_deref(), options.model.as_deref(), options.max_tokens)?;
    let is_wanted = |corpus: &&Corpus| match &options.corpus {
        Some(name) => corpus.name == name,
        None => corpus.is_for(options.held_out),
    };
    let mut measured = Vec::new();
    for corpus in CORPORA.iter().filter(is_wanted) {
        let one = Box::pin(measure(&data, corpus, options, &model)).await?;
        if !options.json {
            println!("{}", report::text(&one)?);
        }
        measured.push(one);
    }
    if measured.is_empty() {
        return Err("there is no corpus of that name".into());
    }
    if options.json {
        println!("{:#}", report::json(&measured));
    }
    Ok(())
}

async fn measure(
    data: &Path,
    corpus: &Corpus,
    options: &Options,
    model: &MemoryModel,
) -> Result<Measured, Box<dyn Error>> {
    let began = Instant::now();
    let talk = read_talk(data, corpus)?;
    let set = FactSet {
        language: corpus.language,
        is_held_out: options.held_out,
        lasting: FACTS,
        changing: FACTS,
        seed: options.seed,
    };
    let facts = plant_facts(&talk.of_people(), &draw_facts(set), talk.now, options.seed);
    let built = memory::build(corpus, &talk, &facts, model).await?;
    let kept = measure::measure(&built, &facts, talk.now, options.texts.as_deref()).await?;
    let evidence = evidence::measure(&built, &talk, options.seed).await?;
    built.app.store.close().await;
    Ok(Measured {
        corpus: corpus.name,
        language: corpus.language,
        is_held_out: options.held_out,
        model: model.name(),
        messages: talk.messages.len(),
        facts: kept,
        evidence,
        built: built.summary,
        seconds: began.elapsed().as_secs(),
    })
}
