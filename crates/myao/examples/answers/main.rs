//! What memory keeps of what was said, and how much of it reaches the prompt that answers a question: the measurement
//! behind docs/measurements.md. `cargo xtask answers` builds and runs it.
//!
//! `plant` plants facts into a year of talk, builds memories, looks where the facts still stand, and asks for each. `ask`
//! puts questions of a file to a database. `attribute` builds memories as well, and looks whose words their lines are.
//!
//! Each question is put to a reply prompt as if somebody had just asked it in its channel. Counted is which of the
//! messages that answer it stand in the prompt, by fragment, and what would be lost without each fragment; with `--model`
//! a model answers, and its answers are compared with the right ones.
//!
//! A line of a file of questions is a JSON object: `channel` (a name), `query`, `before` (a message's time stamp: nothing
//! that was said from then on is looked up), `gold` (time stamps of the messages that answer it), and perhaps `answer`.
//!
//! Read in this order: `questions`, `planted` (facts), `attributed` (whose words), `reached` (by the prompts), `sections`
//! (of a prompt), `held` (by them), `hits`, `answering`, `report`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measures")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures real time, and is told by the environment where talk is"
)]

mod answering;
mod attributed;
mod held;
mod hits;
mod planted;
mod questions;
mod reached;
mod report;
mod sections;

use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};
use myao_config::Config;
use myao_core::ports::Role;

use self::{answering::named, attributed::Attributing, planted::Planting, questions::QuestionFile};

/// The name that stands for the model of the configuration.
const CONFIGURED: &str = "configured";

/// Measures what memory keeps, and how much of what questions need reaches the prompts that answer them.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask answers")]
struct Options {
    #[command(subcommand)]
    source: Source,
    #[command(flatten)]
    measurement: Measurement,
}

/// Where questions come from.
#[derive(Debug, Subcommand)]
enum Source {
    /// Plants facts into a year of talk, tells which of them are kept, and asks for each
    Plant(Planting),
    /// Puts the questions of a file to a database
    Ask(QuestionFile),
    /// Draws lines of memories and tells which put something into the wrong mouth
    Attribute(Attributing),
}

/// How questions are put to prompts.
#[derive(Debug, Args)]
struct Measurement {
    /// The sizes of prompts
    #[arg(long, global = true, value_name = "TOKENS", value_delimiter = ',', default_values_t = [2000, 3500, 8000])]
    budgets: Vec<usize>,
    /// Let this model answer, its key taken from the environment; `builtin`; or `configured`, which is `agents.response`
    /// of the configuration. F1 of its answers is told
    #[arg(long, global = true, value_name = "PROVIDER/MODEL")]
    model: Option<String>,
    /// Tokens that models may use in all (for each corpus, if facts are planted); then they stop
    #[arg(long, global = true)]
    max_tokens: Option<u64>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// Write prompts, answers and memories into this folder, to be read
    #[arg(long, global = true, value_name = "FOLDER")]
    texts: Option<PathBuf>,
}

impl Measurement {
    /// Sets the model that answers: the one that is named, or the one of `read`.
    fn answer_with(&self, config: &mut Config, read: Config) -> Result<(), Box<dyn Error>> {
        let Some(model) = self.model.as_deref() else { return Ok(()) };
        let named = if model == CONFIGURED { read } else { named(Role::Response, model)? };
        config.agents.response = named.agents.response;
        config.proxies = named.proxies;
        Ok(())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("answers: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    match &options.source {
        Source::Plant(planting) => Box::pin(planting.run(&options.measurement)).await,
        Source::Ask(questions) => Box::pin(questions.run(&options.measurement)).await,
        Source::Attribute(attributing) => Box::pin(attributing.run(&options.measurement)).await,
    }
}
