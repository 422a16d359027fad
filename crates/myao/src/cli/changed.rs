//! `myao memory changed`: what changed in what is remembered between two instants of talk: which lines came, and which
//! ended by them, with who said it and where.

use std::collections::BTreeSet;

use clap::Args;
use myao_companion::tools::recall::source_of_line;
use myao_core::{
    chat::{Channel, MessageTs, Names, UserId, Visibility},
    text::name_as_label,
    wording::moment_in_prompt,
    worth::WORTH,
};
use myao_store::{LineChange, LineChanges, RemovedSince};
use serde_json::{Value, json};

use super::{Done, Failure, as_of, output};
use crate::app::App;

/// The most lines that can be asked for.
const MOST_LINES: i64 = 2000;

#[derive(Debug, Args)]
pub(super) struct ChangedArgs {
    /// The channel: `#name`, `name` or its id [default: all channels]
    channel: Option<String>,
    /// What came after this: a date (2026-03-01) means the end of that day in the configured time zone; also a month, a
    /// name (yesterday, 先週), or a moment (2026-03-01T14:30)
    #[arg(long, value_name = "DATE")]
    since: String,
    /// Up to this, in the same form [default: now]
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Show only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is shown, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// Show so many new lines at most, those that are worth most; what replaced another is shown in any case
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(0..=MOST_LINES))]
    limit: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ChangedArgs {
    /// The place that is asked for.
    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

/// Where a line comes from.
struct LineSource {
    user: UserId,
    permalink: Option<String>,
}

/// A line with its source, if one was found.
struct ChangedLine {
    line: LineChange,
    source: Option<LineSource>,
}

/// Everything that is told.
struct ChangeReport {
    span: (MessageTs, MessageTs),
    replaced: Vec<(ChangedLine, ChangedLine)>,
    new: Vec<ChangedLine>,
    /// How many new lines are not among these.
    left_out: usize,
    removed: RemovedSince,
    names: Names,
}

/// Tells what changed, as far as `visibility` shows it: that of the place that was asked for.
pub(super) async fn run(app: &App, args: &ChangedArgs, visibility: &Visibility) -> Result<Done, Failure> {
    let since = as_of::instant_of(app, "--since", &args.since)?;
    let until = match &args.until {
        Some(text) => as_of::instant_of(app, "--until", text)?,
        None => MessageTs::from_timestamp(app.clock.now()),
    };
    if until <= since {
        return Err(Failure::usage("--until lies before --since: there is nothing between them"));
    }
    let channels = channels_asked(app, args.channel.as_deref(), visibility).await?;
    let ids: Vec<_> = channels.iter().map(|channel| channel.id.clone()).collect();
    let mut changes = LineChanges::default();
    for id in &ids {
        let LineChanges { new, replaced } =
            app.store.recall().lines_changed(visibility, id, (since, until)).await?;
        changes.new.extend(new);
        changes.replaced.extend(replaced);
    }
    let removed = app.store.memory().removed_as_of(visibility, &ids, until).await?;
    let report = report(app, visibility, changes, (args.limit, since, until), removed).await?;
    if args.json {
        output::say_json(&as_json(&report))?;
    } else {
        print_report(app, &report);
    }
    Ok(Done::All)
}

/// The channel that is asked for, or all that may be seen.
async fn channels_asked(
    app: &App,
    wanted: Option<&str>,
    visibility: &Visibility,
) -> Result<Vec<Channel>, Failure> {
    if let Some(wanted) = wanted {
        let channel = app.channel(wanted).await?;
        return Ok(vec![channel]);
    }
    let rows = app.store.archive().channels(visibility).await?;
    Ok(rows.into_iter().map(|row| row.channel).collect())
}

async fn report(
    app: &App,
    visibility: &Visibility,
    changes: LineChanges,
    (limit, since, until): (u16, MessageTs, MessageTs),
    removed: RemovedSince,
) -> Result<ChangeReport, Failure> {
    let place = |line: &LineChange| (line.step, line.nth);
    let told: BTreeSet<_> =
        changes.replaced.iter().flat_map(|(old, instead)| [place(old), place(instead)]).collect();
    let mut new: Vec<LineChange> =
        changes.new.into_iter().filter(|line| line.worth >= WORTH && !told.contains(&place(line))).collect();
    let all = new.len();
    new.sort_by_key(|line| std::cmp::Reverse(line.worth));
    new.truncate(usize::from(limit));
    new.sort_by_key(|line| (line.day, line.until, line.version, line.nth));
    let left_out = all.saturating_sub(new.len());
    let mut report = ChangeReport {
        span: (since, until),
        replaced: Vec::new(),
        new: Vec::new(),
        left_out,
        removed,
        names: app.store.archive().names(visibility).await?.in_language(app.config.locale.language),
    };
    let sources = LineSources { app, visibility, team_url: app.store.archive().team_url().await? };
    for (old, instead) in changes.replaced {
        report.replaced.push((sources.with_source(old).await?, sources.with_source(instead).await?));
    }
    for line in new {
        report.new.push(sources.with_source(line).await?);
    }
    Ok(report)
}

/// Finds where lines come from.
struct LineSources<'a> {
    app: &'a App,
    visibility: &'a Visibility,
    /// The address of the workspace, if it is known.
    team_url: Option<String>,
}

impl LineSources<'_> {
    async fn with_source(&self, line: LineChange) -> Result<ChangedLine, Failure> {
        let Self { app, visibility, team_url } = self;
        let now = app.clock.now();
        let found =
            source_of_line(&app.store, visibility, &line.words, &line.channel, line.until, now).await?;
        let Some((ts, thread)) = found else { return Ok(ChangedLine { line, source: None }) };
        let message = app.store.archive().message(visibility, &line.channel, ts).await?;
        let permalink = team_url
            .as_ref()
            .and_then(|url| myao_slack::permalink_of_message(url, &line.channel, ts, thread));
        let source = message.map(|message| LineSource { user: message.user, permalink });
        Ok(ChangedLine { line, source })
    }
}

fn print_report(app: &App, report: &ChangeReport) {
    let zone = &app.config.locale.timezone;
    let (since, until) = report.span;
    output::print_line(&format!(
        "after {} and up to {}",
        moment_in_prompt(since, zone),
        moment_in_prompt(until, zone)
    ));
    if report.replaced.is_empty() && report.new.is_empty() {
        output::print_line("\nno line of a memory came or ended");
    }
    if !report.replaced.is_empty() {
        output::print_line("\nReplaced:");
    }
    for (old, instead) in &report.replaced {
        output::print_line("");
        tell_line(report, "was", old);
        tell_line(report, "is", instead);
    }
    if !report.new.is_empty() {
        output::print_line("\nNew:");
    }
    for line in &report.new {
        output::print_line("");
        tell_line(report, "", line);
    }
    if report.left_out > 0 {
        output::print_line(&format!("\n… and {} more new; `--limit` shows them", report.left_out));
    }
    let removed = as_of::removed_in_words(&report.removed);
    if !removed.is_empty() {
        output::print_line("");
    }
    for sentence in &removed {
        output::print_line(sentence);
    }
}

fn tell_line(report: &ChangeReport, role: &str, changed: &ChangedLine) {
    let line = &changed.line;
    let names = &report.names;
    let role = if role.is_empty() { String::new() } else { format!("{role:<4}") };
    let day = line.day.map(|day| format!("{day}  ")).unwrap_or_default();
    let by =
        changed.source.as_ref().map(|source| format!("  by {}", name_as_label(names.user(&source.user))));
    output::print_line(&format!(
        "{role}{day}#{}{}  {}",
        names.channel(&line.channel),
        by.unwrap_or_default(),
        names.show(&line.words)
    ));
    output::print_line(&format!("  myao memory show '{}' --version {}", line.channel, line.version));
    if let Some(permalink) = changed.source.as_ref().and_then(|source| source.permalink.as_ref()) {
        output::print_line(&format!("  {permalink}"));
    }
}

fn as_json(report: &ChangeReport) -> Value {
    let names = &report.names;
    let line = |changed: &ChangedLine| {
        let line = &changed.line;
        let source = changed.source.as_ref();
        json!({
            "channel": names.channel(&line.channel),
            "channel_id": line.channel,
            "version": line.version,
            "entry": line.step.0,
            "line": line.nth,
            "day": line.day.map(|day| day.to_string()),
            "text": names.show(&line.words),
            "user_id": source.map(|source| &source.user),
            "user": source.map(|source| name_as_label(names.user(&source.user))),
            "permalink": source.and_then(|source| source.permalink.as_ref()),
        })
    };
    let replaced = |(old, instead): &(ChangedLine, ChangedLine)| {
        json!({
            "was": line(old),
            "is": line(instead),
            "ended_on": instead.line.day.map(|day| day.to_string()),
        })
    };
    json!({
        "since": report.span.0.to_timestamp(),
        "until": report.span.1.to_timestamp(),
        "replaced": report.replaced.iter().map(replaced).collect::<Vec<_>>(),
        "new": report.new.iter().map(line).collect::<Vec<_>>(),
        "left_out": report.left_out,
        "removed": as_of::removed_json(&report.removed),
    })
}
