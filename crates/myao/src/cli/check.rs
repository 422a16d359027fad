//! `myao check`: whether everything a run needs is there, and what to do about what is not.

mod exposure;
mod models;
mod sight;
mod slack;
mod web;

use clap::Args;
use serde::Serialize;

use super::{Done, Failure, output};
use crate::app::App;

/// What is said where nothing bounds the bill.
pub(super) const NO_BUDGET: &str = "there is no daily budget: models may use any number of tokens a day";

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Do not try a prompt of full length (`prompt.max_tokens`): it costs as many tokens for each model
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was looked at, and how it is.
#[derive(Debug, Serialize)]
struct Finding {
    /// Part of the configuration it is about: `database`, `agents.memory`, …
    subject: String,
    /// Whether a run can do with it.
    fine: bool,
    /// How it is.
    text: String,
    /// What to do about it; empty when there is nothing to do.
    advice: String,
}

impl Finding {
    fn fine(subject: impl Into<String>, text: impl Into<String>) -> Self {
        Self { subject: subject.into(), fine: true, text: text.into(), advice: String::new() }
    }

    /// Fine for a run, and worth a thought.
    fn noted(subject: impl Into<String>, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { subject: subject.into(), fine: true, text: text.into(), advice: advice.into() }
    }

    fn wrong(subject: impl Into<String>, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { subject: subject.into(), fine: false, text: text.into(), advice: advice.into() }
    }
}

/// Looks at everything and tells at once what it sees; partly done, and exit code 1, when something is wrong.
pub(super) async fn run(app: &mut App, args: &CheckArgs) -> Result<Done, Failure> {
    app.is_patient = false;
    let mut report = CheckReport { as_json: args.json, findings: Vec::new() };
    report.add(database(app).await?);
    slack::check(app, &mut report).await?;
    if app.config.privacy.never_remember.names_anything() {
        let advice = "leave it empty until a version heeds it; `myao run` and `myao import` do not start";
        report.add(Finding::wrong("privacy.never_remember", "names somebody, and is not heeded yet", advice));
    }
    if app.has_no_bound() {
        let advice = "set budget.daily_tokens: memories wait first when it is used up, replies last";
        report.add(Finding::noted("budget", NO_BUDGET, advice));
    }
    models::check(app, args.quick, &mut report).await;
    web::check(app, &mut report).await;
    exposure::check(&app.config, &mut report);
    report.finish()
}

async fn database(app: &App) -> Result<Finding, Failure> {
    let coverage = app.store.coverage().await?;
    let messages: u64 = coverage.iter().map(|channel| channel.messages).sum();
    let text = format!("open, {} channels and {messages} messages in it", coverage.len());
    Ok(Finding::fine("memory.database", text))
}

/// Findings, told as they come.
struct CheckReport {
    as_json: bool,
    findings: Vec<Finding>,
}

impl CheckReport {
    fn add(&mut self, finding: Finding) {
        if !self.as_json {
            let mark = match (finding.fine, finding.advice.is_empty()) {
                (true, true) => "ok   ",
                (true, false) => "note ",
                (false, _) => "WRONG",
            };
            output::say(&format!("{mark} {}: {}", finding.subject, output::visible(&finding.text)));
            if !finding.advice.is_empty() {
                output::say(&format!("      {}", finding.advice));
            }
        }
        self.findings.push(finding);
    }

    fn finish(self) -> Result<Done, Failure> {
        if self.as_json {
            output::say_json(&self.findings)?;
        }
        let wrong = self.findings.iter().filter(|finding| !finding.fine).count();
        if wrong == 0 {
            return Ok(Done::All);
        }
        let things = if wrong == 1 { "1 thing is" } else { &format!("{wrong} things are") };
        output::complain(&format!("{things} wrong"));
        Ok(Done::Partly)
    }
}
