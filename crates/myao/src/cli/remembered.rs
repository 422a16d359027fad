//! `myao memory log` and `myao memory show`.

use clap::Args;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, MessageTs},
    memory::{Memory, MemoryScope, MemoryType, ScopeId},
    prompt::estimate_tokens,
};
use myao_store::VersionLog;
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct LogArgs {
    /// The channel: `#name`, `name` or its id
    channel: String,
    /// Print JSON: a list of versions, oldest first
    #[arg(long)]
    json: bool,
}

impl LogArgs {
    /// The log of one channel, for people.
    pub(super) fn of(channel: &str) -> Self {
        Self { channel: channel.to_owned(), json: false }
    }
}

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The channel: `#name`, `name` or its id
    #[arg(required_unless_present = "workspace")]
    channel: Option<String>,
    /// The workspace's long-term memory instead
    #[arg(long, conflicts_with = "channel")]
    workspace: bool,
    /// Only this version of the channel's short-term memory
    #[arg(long, value_name = "N", conflicts_with = "workspace")]
    version: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn log(app: &App, args: &LogArgs) -> Result<Done, Failure> {
    let channel = app.channel(&args.channel).await?;
    let versions = app.store.version_log(&channel.id).await?;
    if args.json {
        output::say_json(&versions.iter().map(version_json).collect::<Vec<_>>())?;
        return Ok(Done::All);
    }
    if versions.is_empty() {
        output::say(&format!(
            "nothing is remembered of #{} yet; `myao memory build` builds it",
            channel.name
        ));
        return Ok(Done::All);
    }
    let mut table = output::table(&["version", "period", "messages", "how", "tokens", "begins with"]);
    for log in &versions {
        table.add_row([
            log.memory.version().to_string(),
            period(log, &app.config.locale.timezone),
            log.memory.source_message_count().to_string(),
            log.kind.as_str().to_owned(),
            estimate_tokens(log.memory.content()).to_string(),
            log.memory.content().lines().next().unwrap_or("").chars().take(60).collect(),
        ]);
    }
    output::say_table(&table);
    Ok(Done::All)
}

pub(super) async fn show(app: &App, args: &ShowArgs) -> Result<Done, Failure> {
    match &args.channel {
        Some(wanted) => {
            let channel = app.channel(wanted).await?;
            show_channel(app, &channel, args).await
        }
        None => show_workspace(app, args.json).await,
    }
}

/// The workspace's long-term memory.
pub(super) async fn show_workspace(app: &App, as_json: bool) -> Result<Done, Failure> {
    let id = ScopeId::workspace();
    let memory = app.store.find_latest(MemoryScope::Workspace, &id, MemoryType::LongTerm).await?;
    if as_json {
        output::say_json(&memory.as_ref().map(memory_json))?;
        return Ok(Done::All);
    }
    match memory {
        Some(memory) => output::say(&format!("## Workspace, long-term\n\n{}", memory.content())),
        None => output::say("the workspace has no memory yet; `myao memory build` builds it"),
    }
    Ok(Done::All)
}

/// A channel's long-term memory alone.
pub(super) async fn show_long_term(app: &App, wanted: &str) -> Result<(), Failure> {
    let channel = app.channel(wanted).await?;
    let id = ScopeId::channel(&channel.id);
    if let Some(memory) = app.store.find_latest(MemoryScope::Channel, &id, MemoryType::LongTerm).await? {
        say_long_term(&channel, &memory);
    }
    Ok(())
}

fn say_long_term(channel: &Channel, memory: &Memory) {
    let count = memory.source_message_count();
    output::say(&format!("## #{}, long-term, {count} messages\n\n{}", channel.name, memory.content()));
}

async fn show_channel(app: &App, channel: &Channel, args: &ShowArgs) -> Result<Done, Failure> {
    let mut versions = app.store.version_log(&channel.id).await?;
    let id = ScopeId::channel(&channel.id);
    let long_term = if args.version.is_none() {
        app.store.find_latest(MemoryScope::Channel, &id, MemoryType::LongTerm).await?
    } else {
        None
    };
    if let Some(wanted) = args.version {
        versions.retain(|log| log.memory.version() == wanted);
        if versions.is_empty() {
            return Err(Failure::usage(format!("#{} has no version {wanted}", channel.name)));
        }
    }
    let surplus = versions.len().saturating_sub(app.config.memory.history.shown().max(1));
    versions.drain(..surplus);
    if args.json {
        output::say_json(&json!({
            "channel": channel.name,
            "long_term": long_term.as_ref().map(memory_json),
            "short_term": versions.iter().map(version_json).collect::<Vec<_>>(),
        }))?;
        return Ok(Done::All);
    }
    if long_term.is_none() && versions.is_empty() {
        output::say(&format!(
            "nothing is remembered of #{} yet; `myao memory build` builds it",
            channel.name
        ));
        return Ok(Done::All);
    }
    if let Some(memory) = &long_term {
        say_long_term(channel, memory);
    }
    for (n, log) in versions.iter().enumerate() {
        if n > 0 || long_term.is_some() {
            output::say("");
        }
        output::say(&format!(
            "## #{}, version {} ({}, {} messages, {})\n\n{}",
            channel.name,
            log.memory.version(),
            period(log, &app.config.locale.timezone),
            log.memory.source_message_count(),
            log.kind.as_str(),
            log.memory.content()
        ));
    }
    Ok(Done::All)
}

fn period(log: &VersionLog, zone: &TimeZone) -> String {
    let moment = |ts: MessageTs| myao_core::prompt::moment(ts, zone);
    let last = log.memory.source_latest_message_ts();
    match (log.source_first_message_ts.or(last), last) {
        (Some(first), Some(last)) => format!("{} – {}", moment(first), moment(last)),
        _ => "emptied".to_owned(),
    }
}

/// The fields of a memory, named as in SPEC §1.
fn memory_json(memory: &Memory) -> Value {
    json!({
        "version": memory.version(),
        "content": memory.content(),
        "source_message_count": memory.source_message_count(),
        "source_latest_message_ts": memory.source_latest_message_ts(),
        "created_at": memory.created_at(),
        "updated_at": memory.updated_at(),
    })
}

fn version_json(log: &VersionLog) -> Value {
    let memory = &log.memory;
    json!({
        "version": memory.version(),
        "content": memory.content(),
        "source_message_count": memory.source_message_count(),
        "source_first_message_ts": log.source_first_message_ts,
        "source_latest_message_ts": memory.source_latest_message_ts(),
        "created_at": memory.created_at(),
        "updated_at": memory.updated_at(),
        "kind": log.kind.as_str(),
        "closed_by": log.closed_by,
    })
}
