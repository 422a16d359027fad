//! `myao memory build`.

use std::{pin::pin, time::Duration};

use clap::Args;
use indicatif::ProgressBar;
use myao_companion::keeper::{
    Keeper, KeeperError, RoundEvent, RoundObserver, RoundPolicy, RoundReport, Start,
};
use myao_core::{
    chat::{Channel, MessageTs, Visibility, instant_after},
    recall::DayRange,
    wording::moment_in_prompt,
};
use myao_store::RestartFrom;
use tokio_util::sync::CancellationToken;

use super::{
    Done, Failure, embedding, indexing, output, rebuild::ExpiredArgs, stop_signals::StopSignals, time_range,
    unfinished_imports,
};
use crate::app::App;

/// How long to wait before trying channels again that other processes work on.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);

/// What is said on Ctrl-C.
const STOPPING: &str =
    "stopping: nothing is lost, and the same command goes on from here; Ctrl-C again stops at once";

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    /// Where the memory of a channel without chapters begins: a day in the configured time zone (2026-03-01,
    /// `last week`, 先週), or a message's time stamp; older messages are searchable, but in no memory [default: the first
    /// archived message]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Update the workspace's memory even if that was done a short while ago
    /// (`memory.long_term_update_interval_seconds`)
    #[arg(long)]
    now: bool,
    /// Cut every channel anew from its first archived message on (or --since): versions are numbered anew,
    /// older messages that were found since are in, the journal keeps what was
    #[arg(long)]
    from_start: bool,
    #[command(flatten)]
    expired: ExpiredArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &BuildArgs) -> Result<Done, Failure> {
    let start = match &args.since {
        None => Start::FirstArchived,
        Some(text) => Start::Since(parse_since(app, text)?),
    };
    let policy = RoundPolicy { start, retry_now: true, workspace_now: args.now };
    indexing::index_missing(app).await?;
    unfinished_imports::print_unfinished(app, output::print_to_stderr).await?;
    if args.since.is_some() && !args.from_start {
        tell_begun(app).await?;
    }
    if args.from_start {
        let all = app.store.archive().channels(&Visibility::Owner).await?.into_iter().map(|row| row.channel);
        let all: Vec<Channel> = all.collect();
        args.expired.allow(app, &all, RestartFrom::Start).await?;
        super::rebuild::restart_channels(app, all, RestartFrom::Start, None).await?;
    }
    let done = run_and_report(app, policy, args.json).await?;
    // Memories come first, in case the day's budget is short.
    embedding::embed_missing(app).await?;
    Ok(done)
}

/// Says that `--since` changes nothing for channels that have chapters, if there are any.
async fn tell_begun(app: &App) -> Result<(), Failure> {
    let rows = app.store.archive().channels(&Visibility::Owner).await?;
    let begun = rows.iter().filter(|row| row.memory_from.is_some()).count();
    if begun > 0 {
        output::print_to_stderr(&format!(
            "note: --since changes nothing for channels that have chapters already: {begun} of {}; --from-start cuts \
             them anew",
            rows.len()
        ));
    }
    Ok(())
}

/// Runs a round and prints its report.
pub(super) async fn run_and_report(app: &App, policy: RoundPolicy, json: bool) -> Result<Done, Failure> {
    let report = build_with_progress(app, policy).await?;
    if json {
        output::say_json(&report)?;
    } else {
        print_report(&report);
        if let Some(until) = report.workspace_waits_until {
            output::print_to_stderr(&format!(
                "the workspace's memory waits until {} (memory.long_term_update_interval_seconds; --now updates it at \
                 once)",
                moment_in_prompt(MessageTs::from_timestamp(until), &app.config.locale.timezone)
            ));
        }
    }
    let is_whole = report.troubles.is_empty() && report.busy.is_empty() && report.waits_for_budget.is_none();
    Ok(if is_whole { Done::All } else { Done::Partly })
}

fn parse_since(app: &App, text: &str) -> Result<MessageTs, Failure> {
    if let Ok(ts) = text.parse::<MessageTs>() {
        return Ok(ts);
    }
    let now = app.clock.now();
    let zone = &app.config.locale.timezone;
    let begins = DayRange::parse(text, now, zone).ok_or_else(|| {
        Failure::usage(format!("--since {text}: expected {}, or a message's time stamp", time_range::DAYS))
    })?;
    Ok(begins.start)
}

/// Runs a round with a progress bar, on which every chapter counts once when it is written and once when it is merged.
pub(super) async fn build_with_progress(app: &App, policy: RoundPolicy) -> Result<RoundReport, Failure> {
    let keeper = app.keeper()?;
    let bar = output::progress_bar(0, "cutting chapters", "steps");
    let shown = bar.clone();
    let watch = move |event: RoundEvent| show_on_bar(&shown, event);
    let mut signals = StopSignals::new()?;
    let stop = CancellationToken::new();
    let mut round = pin!(run_all_rounds(app, &keeper, policy, &watch, &stop));
    let report = tokio::select! {
        report = &mut round => report,
        () = signals.next() => {
            bar.suspend(|| output::print_to_stderr(STOPPING));
            // Calls under way are cancelled and settled; the next build does the rest.
            app.asker()?.stop();
            stop.cancel();
            tokio::select! {
                report = &mut round => report,
                () = signals.next() => Err(KeeperError::Stopped),
            }
        }
    };
    bar.finish_and_clear();
    Ok(report?)
}

/// Runs rounds until other processes work on none of the channels. With a database file, busy channels are only
/// reported: they belong to a process that a person started beside this one.
async fn run_all_rounds(
    app: &App,
    keeper: &Keeper,
    policy: RoundPolicy,
    watch: RoundObserver<'_>,
    stop: &CancellationToken,
) -> Result<RoundReport, KeeperError> {
    let mut report = keeper.round(policy, watch).await?;
    // Steps that failed a moment ago are not retried at once again.
    let policy = RoundPolicy { retry_now: false, ..policy };
    while app.is_on_server() && !report.busy.is_empty() {
        let pause = app.clock.sleep_until(instant_after(app.clock.now(), BETWEEN_ROUNDS));
        if stop.run_until_cancelled(pause).await.is_none() {
            break;
        }
        report = report.and(keeper.round(policy, watch).await?);
    }
    Ok(report)
}

fn show_on_bar(bar: &ProgressBar, event: RoundEvent) {
    match event {
        RoundEvent::Planned { chapters } => bar.set_length(chapters.saturating_mul(2)),
        RoundEvent::Wrote { channel, chapters } => {
            bar.set_message(output::with_visible_controls(&format!("remembering #{channel}")));
            bar.inc(chapters);
        }
        RoundEvent::Merged { channel, chapters } => {
            bar.set_message(output::with_visible_controls(&format!("merging #{channel}")));
            bar.inc(chapters);
        }
        RoundEvent::Failed { subject, reason, .. } => {
            bar.suspend(|| output::print_to_stderr(&format!("{subject}: {reason}")));
        }
        RoundEvent::Workspace => bar.set_message("remembering the workspace"),
    }
}

pub(super) fn print_report(report: &RoundReport) {
    output::print_line(&format!(
        "{}: {} cut; {} kept word for word, {} summarised, {}",
        output::count_with_noun(report.channels, "channel"),
        output::count_with_noun(report.chapters, "chapter"),
        report.verbatim,
        report.summaries,
        output::count_with_noun(report.merges, "merge")
    ));
    if report.threads > 0 || report.workspace > 0 {
        output::print_line(&format!(
            "{}; workspace memory updated {}",
            output::count_with_noun(report.threads, "thread memory"),
            output::count_with_noun(report.workspace, "time")
        ));
    }
    output::print_line(&format!(
        "{}, {} tokens in, {} out",
        output::count_with_noun(report.model_calls, "model call"),
        report.tokens_in,
        report.tokens_out
    ));
    if report.borrowed > 0 {
        output::print_line(&format!(
            "{} with words of other places, asked for again without those",
            output::count_with_noun(report.borrowed, "text")
        ));
    }
    if let Some(why) = &report.waits_for_budget {
        output::print_to_stderr(&format!("memories wait for tomorrow: {why}"));
    }
    for busy in &report.busy {
        output::print_to_stderr(&format!("{busy}: another process is working on it"));
    }
    // Why was said when it happened.
    if !report.troubles.is_empty() {
        let failed = report.troubles.iter().map(|trouble| trouble.subject.as_str()).collect::<Vec<_>>();
        output::print_to_stderr(&format!(
            "not brought up to date: {}; a later build tries again",
            failed.join(", ")
        ));
    }
}
