//! `myao memory log` and `myao memory show`: print memories and their versions.

mod as_of;

use clap::{ArgGroup, Args};
use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, MessageTs, Names, Visibility},
    memory::{
        Memory, MemoryScope, MemoryType, ScopeId, StepId, lines_ended_within, make_thread_scope_id,
        mark_line_ends,
    },
    text::estimate_tokens,
};
use myao_store::{MemoryKey, VersionLog};
use serde_json::{Value, json};

use super::{Done, Failure, as_of::AsOfArgs, ends::VersionEnds, journal, output, waiting};
use crate::app::App;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").args(["channel", "workspace"]).required(true))]
pub(super) struct MemoryLogArgs {
    /// The channel: `#name`, `name` or its id
    channel: Option<String>,
    /// The journal of the workspace's long-term memory instead
    #[arg(long, conflicts_with_all = ["long_term", "thread", "version"])]
    workspace: bool,
    /// The journal of the channel's long-term memory instead
    #[arg(long, conflicts_with_all = ["thread", "version"])]
    long_term: bool,
    /// The journal of the memory of a thread instead, named by its first message's time stamp
    #[arg(long, value_name = "TS", conflicts_with = "version")]
    thread: Option<String>,
    /// The journal of this version instead: every text it ever had
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    /// Print JSON: a list of versions, or of journal entries, oldest first
    #[arg(long)]
    json: bool,
}

impl MemoryLogArgs {
    /// The log of one channel, as text.
    pub(super) fn of(channel: &str) -> Self {
        Self {
            channel: Some(channel.to_owned()),
            workspace: false,
            long_term: false,
            thread: None,
            version: None,
            json: false,
        }
    }
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").args(["channel", "workspace"]).required(true))]
pub(super) struct ShowArgs {
    /// The channel: `#name`, `name` or its id
    channel: Option<String>,
    /// The workspace's long-term memory instead
    #[arg(long)]
    workspace: bool,
    /// Only this version of the channel's short-term memory
    #[arg(long, value_name = "N", conflicts_with = "workspace")]
    version: Option<u32>,
    #[command(flatten)]
    as_of: AsOfArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn print_log(app: &App, args: &MemoryLogArgs) -> Result<Done, Failure> {
    let Some(channel) = &args.channel else {
        return journal::print_log(app, &MemoryKey::workspace(), args.json).await;
    };
    let channel = app.channel(channel).await?;
    match journal_key(&channel, args)? {
        Some(key) => journal::print_log(app, &key, args.json).await,
        None => log_versions(app, &channel, args.json).await,
    }
}

/// The memory whose journal is asked for; `None` for the list of versions.
fn journal_key(channel: &Channel, args: &MemoryLogArgs) -> Result<Option<MemoryKey>, Failure> {
    let long_term = MemoryKey::long_term(&channel.id);
    if args.long_term {
        return Ok(Some(long_term));
    }
    if let Some(version) = args.version {
        return Ok(Some(MemoryKey { memory_type: MemoryType::ShortTerm, version, ..long_term }));
    }
    let Some(thread) = &args.thread else { return Ok(None) };
    let root: MessageTs = thread.parse().map_err(|e| Failure::usage(format!("--thread: {e}")))?;
    Ok(Some(MemoryKey {
        scope: MemoryScope::Thread,
        scope_id: make_thread_scope_id(&channel.id, root),
        memory_type: MemoryType::ShortTerm,
        version: 1,
    }))
}

async fn log_versions(app: &App, channel: &Channel, as_json: bool) -> Result<Done, Failure> {
    let versions = app.store.memory().version_log(&Visibility::Owner, &channel.id).await?;
    if as_json {
        output::say_json(&versions.iter().map(version_json).collect::<Vec<_>>())?;
        return Ok(Done::All);
    }
    if versions.is_empty() {
        output::print_line(&waiting::why_nothing(app, channel).await?);
        return Ok(Done::All);
    }
    let names = app.store.archive().names(&Visibility::Owner).await?;
    let mut table =
        output::bare_table(&["version", "period", "messages", "how", "entry", "tokens", "begins with"]);
    for log in &versions {
        table.add_row([
            log.memory.version().to_string(),
            period_of_version(log, &app.config.locale.timezone),
            log.memory.source_message_count().to_string(),
            log.kind.as_str().to_owned(),
            log.step.to_string(),
            estimate_tokens(log.memory.content()).to_string(),
            names.show(first_words(log.memory.content())).chars().take(60).collect(),
        ]);
    }
    output::say_table(&table);
    if let Some(under_way) = waiting::for_chapter(app, channel).await? {
        output::print_line(&format!("\n{under_way}"));
    }
    Ok(Done::All)
}

/// The first line that holds a letter. A summary may begin with a line that is only its day.
fn first_words(text: &str) -> &str {
    text.lines().find(|line| line.contains(char::is_alphabetic)).unwrap_or(text)
}

pub(super) async fn print_memory(app: &App, args: &ShowArgs) -> Result<Done, Failure> {
    match &args.channel {
        Some(wanted) => {
            let channel = app.channel(wanted).await?;
            match args.as_of.instant(app, &Visibility::Owner, Some(&channel.id)).await? {
                Some(instant) => as_of::print_channel(app, &channel, args, instant).await,
                None => print_channel(app, &channel, args).await,
            }
        }
        None => match args.as_of.instant(app, &Visibility::Owner, None).await? {
            Some(instant) => as_of::print_workspace(app, args, instant).await,
            None => print_workspace(app, args.json).await,
        },
    }
}

/// Prints the workspace's long-term memory.
pub(super) async fn print_workspace(app: &App, as_json: bool) -> Result<Done, Failure> {
    let id = ScopeId::workspace();
    let memory = app
        .store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Workspace, &id, MemoryType::LongTerm)
        .await?;
    if as_json {
        output::say_json(&memory.as_ref().map(memory_json))?;
        return Ok(Done::All);
    }
    match memory {
        Some(memory) => {
            let names = app.store.archive().names(&Visibility::Owner).await?;
            let text = names.show(&mark_ended_lines(app, &memory));
            output::print_line(&format!("## Workspace, long-term\n\n{text}"));
        }
        None => output::print_line("the workspace has no memory yet; `myao memory build` builds it"),
    }
    Ok(Done::All)
}

/// Prints only a channel's long-term memory.
pub(super) async fn show_long_term(app: &App, wanted: &str) -> Result<(), Failure> {
    let channel = app.channel(wanted).await?;
    let id = ScopeId::channel(&channel.id);
    if let Some(memory) = app
        .store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm)
        .await?
    {
        say_long_term(app, &channel, &memory, &app.store.archive().names(&Visibility::Owner).await?);
    }
    Ok(())
}

/// A long-term memory with a mark behind each line whose value a later one names as the old one.
fn mark_ended_lines(app: &App, memory: &Memory) -> String {
    mark_line_ends(memory.content(), &lines_ended_within(memory.content()), app.config.locale.language)
}

fn say_long_term(app: &App, channel: &Channel, memory: &Memory, names: &Names) {
    let messages = output::count_with_noun(memory.source_message_count(), "message");
    let text = names.show(&mark_ended_lines(app, memory));
    output::print_line(&format!("## #{}, long-term, {messages}\n\n{text}", channel.name));
}

async fn print_channel(app: &App, channel: &Channel, args: &ShowArgs) -> Result<Done, Failure> {
    let mut versions = app.store.memory().version_log(&Visibility::Owner, &channel.id).await?;
    let id = ScopeId::channel(&channel.id);
    let long_term = if args.version.is_none() {
        app.store
            .memory()
            .find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm)
            .await?
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
    let names = app.store.archive().names(&Visibility::Owner).await?;
    let steps: Vec<StepId> = versions.iter().map(|log| log.step).collect();
    let ends = VersionEnds::of(app, &channel.id, &steps).await?;
    if args.json {
        let version = |log: &VersionLog| {
            output::merge_objects(version_json(log), json!({ "ended": ends.as_json(log.step, &names) }))
        };
        output::say_json(&json!({
            "channel": channel.name,
            "long_term": long_term.as_ref().map(memory_json),
            "short_term": versions.iter().map(version).collect::<Vec<_>>(),
        }))?;
        return Ok(Done::All);
    }
    if long_term.is_none() && versions.is_empty() {
        output::print_line(&waiting::why_nothing(app, channel).await?);
        return Ok(Done::All);
    }
    if let Some(memory) = &long_term {
        say_long_term(app, channel, memory, &names);
    }
    for (n, log) in versions.iter().enumerate() {
        if n > 0 || long_term.is_some() {
            output::print_line("");
        }
        say_version(channel, log, &ends, &names, &app.config.locale.timezone);
    }
    Ok(Done::All)
}

/// Prints a version with its heading, marks at lines that ended, and what replaced these.
fn say_version(channel: &Channel, log: &VersionLog, ends: &VersionEnds, names: &Names, zone: &TimeZone) {
    output::print_line(&format!(
        "## #{}, version {} ({}, {}, {})\n\n{}",
        channel.name,
        log.memory.version(),
        period_of_version(log, zone),
        output::count_with_noun(log.memory.source_message_count(), "message"),
        log.kind.as_str(),
        names.show(&ends.marked(log.step, log.memory.content()))
    ));
    let told = ends.told(log.step, names);
    if !told.is_empty() {
        output::print_line(&format!("\n{}", told.join("\n")));
    }
}

fn period_of_version(log: &VersionLog, zone: &TimeZone) -> String {
    let moment = |ts: MessageTs| myao_core::wording::moment_in_prompt(ts, zone);
    let last = log.memory.source_latest_message_ts();
    match (log.source_first_message_ts.or(last), last) {
        (Some(first), Some(last)) => format!("{} – {}", moment(first), moment(last)),
        _ => "emptied".to_owned(),
    }
}

/// The fields of a memory, named as in specification §1.
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
    let more = json!({
        "source_first_message_ts": log.source_first_message_ts,
        "entry": log.step.0,
        "kind": log.kind.as_str(),
        "closed_by": log.closed_by,
    });
    output::merge_objects(memory_json(&log.memory), more)
}
