//! How much of what a question needs reaches the prompt that answers it, and through which fragment: the measurement
//! behind docs/memory.md. `cargo xtask answers` builds and runs it.
//!
//! Each question is put to a reply prompt as if somebody had just asked it in its channel. Counted is which of the
//! messages that answer it stand in the prompt, by fragment, and what would be lost without each fragment.
//!
//! A line of a file of questions is a JSON object: `channel` (a name), `query`, `before` (a message's time stamp: nothing
//! that was said from then on is looked up), `gold` (time stamps of the messages that answer it), and perhaps `answer`.
//!
//! Read in this order: `questions`, `sections` (of a prompt), `held` (by them), `report`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measures")]

mod held;
mod questions;
mod report;
mod sections;

use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Parser;
use myao::app::App;
use myao_companion::tools::{estimate_specs, specs_of_reply};
use myao_config::Config;
use serde_json::json;

use self::report::Measured;

/// Measures how much of what a question needs stands in the prompt that answers it.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask answers")]
struct Options {
    /// A configuration that names a database with memories
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Questions whose evidence is known, as lines of JSON
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    /// Asks each Nth question only
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// The sizes of prompts
    #[arg(long, value_name = "TOKENS", value_delimiter = ',', default_values_t = [2000, 3500, 8000])]
    budgets: Vec<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the prompts into this folder, to be read
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,
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
    let config = Config::load(Some(&options.config))?.config;
    let app = App::open(config).await.map_err(|failure| failure.to_string())?;
    while !app.store.index_progress().await?.is_complete {
        app.store.index_some().await?;
    }
    let web = app.web().map_err(|failure| failure.to_string())?;
    let tools = estimate_specs(&specs_of_reply(app.config.locale.language, &web, true));
    let asked = questions::read(&app, &options.questions, options.every.max(1)).await?;
    let mut all = Vec::new();
    for max_tokens in &options.budgets {
        let mut measured = Measured::at(*max_tokens);
        for (nth, question) in asked.iter().enumerate() {
            let prompt = question.prompt(&app, *max_tokens, tools).await?;
            if let Some(folder) = &options.texts {
                std::fs::create_dir_all(folder)?;
                let text = format!("{}\n\n{}", prompt.system, prompt.user);
                std::fs::write(folder.join(format!("{max_tokens}-{nth}.txt")), text)?;
            }
            let query = &question.item.query;
            let mut held = held::measure(&prompt, &question.channel.name, query, &question.evidence);
            held.all_tokens += tools;
            let nothing: Vec<bool> =
                question.evidence.iter().map(|evidence| evidence.shares_nothing(query)).collect();
            measured.add(&held, &nothing);
        }
        if options.json {
            all.push(measured.json());
        } else {
            println!("{}", measured.text()?);
        }
    }
    if options.json {
        println!("{:#}", json!({ "tools": tools, "sizes": all }));
    } else {
        println!("tools: {tools} tokens");
    }
    app.store.close().await;
    Ok(())
}
