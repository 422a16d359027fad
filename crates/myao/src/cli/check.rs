//! `myao check`: tries everything that a run needs, and says what to do about what is wrong.

mod agents;
mod embeddings;
mod finding;
mod memory;
mod models;
mod prompt_size;
mod sight;
pub(super) mod slack;
mod traces;
mod web;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Args;
use myao_config::HealthCheck;
use myao_core::ports::Role;

use finding::{CheckReport, Finding};

use super::{Done, Failure, memo::undecided, opted_out, output, policy};
use crate::{app::App, exposure};

/// The warning where models that cost something are used without a budget.
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

impl CheckArgs {
    /// Without a prompt of full length.
    pub(super) fn quick() -> Self {
        Self { quick: true, json: false }
    }
}

/// Whether a model answers, and what was found.
pub(super) struct ModelWord {
    /// What was found, in a line, and what to do about it.
    pub(super) lines: Vec<String>,
    /// Whether it answers.
    pub(super) is_fine: bool,
}

/// Asks the model that answers for a word.
pub(super) async fn try_answering_model(app: &mut App) -> Result<ModelWord, Failure> {
    app.is_patient = false;
    let finding = models::try_one_word(app, Role::Response).await?;
    let lines = [format!("{}: {}", finding.subject, finding.text), finding.advice];
    let lines = lines.into_iter().filter(|line| !line.is_empty()).collect();
    Ok(ModelWord { lines, is_fine: finding.fine })
}

/// Checks everything and prints each result at once. [`Done::Partly`], exit code 1, when something is wrong.
pub(super) async fn run(app: &mut App, args: &CheckArgs, configuration: String) -> Result<Done, Failure> {
    app.is_patient = false;
    let mut report = CheckReport { as_json: args.json, findings: Vec::new() };
    report.add(Finding::fine("configuration", configuration));
    report.add(examine_database(app).await?);
    slack::try_slack_access(app, &mut report).await?;
    for (text, advice) in
        app.store.hearing().opt_outs_with_counts().await?.iter().filter_map(opted_out::note_on_entry)
    {
        report.add(Finding::noted("privacy.never_remember", text, advice));
    }
    for (text, advice) in policy::notes_on_keys(app).await? {
        report.add(Finding::noted("places", text, advice));
    }
    if let Some((text, advice)) = undecided::note_for_person(app).await? {
        report.add(Finding::noted("memos", text, advice));
    }
    if app.has_no_bound() {
        let advice = "set budget.daily_tokens: memories wait first when it is used up, replies last";
        report.add(Finding::noted("budget", NO_BUDGET, advice));
    }
    prompt_size::add_up_full_prompt(app, &mut report);
    models::try_each_role(app, args.quick, &mut report).await;
    embeddings::try_embedding_model(app, &mut report).await;
    web::try_both_tools(app, &mut report).await;
    report.add(check_health_page(app.config.health_check));
    if let Some(finding) = traces::examine_trace_variables(app) {
        report.add(finding);
    }
    if let Some(agents) = agents::where_agents_ask(app).await? {
        report.add(Finding::noted("mcp", agents.served, agents.advice));
    }
    // These are only notes, since the owner may want it so.
    for found in exposure::exposed_connections(&app.config)
        .into_iter()
        .chain(exposure::files_open_to_others(&app.config))
    {
        report.add(Finding::noted(found.subject, found.what, found.mend));
    }
    report.finish()
}

/// Asks the model of a demo for a word before anything else is done, and prints the result.
///
/// # Errors
/// [`Failure::Usage`] if it gives none: then nobody would answer.
pub(super) async fn refuse_silent_model(app: &App) -> Result<(), Failure> {
    let asker = app.asker()?;
    let mut report = CheckReport { as_json: false, findings: Vec::new() };
    models::try_words_of_replies(app, &asker, &mut report).await;
    if report.findings.iter().all(|finding| finding.fine) {
        return Ok(());
    }
    Err(Failure::usage(
        "the model does not answer, so the demo is not started; without --model, builtin answers: it needs no key",
    ))
}

/// Says who can reach the health page.
fn check_health_page(settings: HealthCheck) -> Finding {
    const SUBJECT: &str = "health_check";
    let host = settings.host.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = SocketAddr::from((host, settings.port));
    let pages = format!("http://{address}/live and /ready");
    if host.to_canonical().is_loopback() {
        return Finding::fine(SUBJECT, format!("{pages}, reachable from this machine only"));
    }
    let advice = "set health_check.host: 127.0.0.1 where probes come from this machine; else let a firewall, or the \
                  container's network, say who gets there";
    Finding::noted(SUBJECT, format!("{pages}, reachable from other machines"), advice)
}

async fn examine_database(app: &App) -> Result<Finding, Failure> {
    let coverage = app.store.memory().coverage_by_channel().await?;
    let messages: u64 = coverage.iter().map(|channel| channel.messages).sum();
    let text = format!(
        "open, {} and {} in it",
        output::count_with_noun(coverage.len(), "channel"),
        output::count_with_noun(messages, "message")
    );
    Ok(Finding::fine("memory.database", text))
}
