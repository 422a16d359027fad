//! `myao status`: what is archived, what is remembered, what it cost, and what needs attention.

mod agents;
mod catching_up;
mod commands;
mod models;
mod processes;
mod provisional;
mod rewriting;
mod secrets;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, ChannelKind, MessageTs},
    judgment::ReplyState,
};
use myao_store::{CallTotals, Coverage, Gap, MemoryTotals, Setback, Sight, TroubledReply, VerdictKind};
use serde::Serialize;
use serde_json::{Value, json};

pub(super) use self::models::what_is_wrong;
use super::{
    Done, Failure, embedding, failed_lookups, indexing, labels::Labels, memo::undecided, opted_out, output,
    time_range::parse_since, unfinished_imports,
};
use crate::app::App;

/// How far back failed replies are shown.
const LOOKED_BACK: SignedDuration = SignedDuration::from_hours(24);
/// How many days of judgments are counted.
const JUDGED_DAYS: i64 = 7;
/// The most replies that are listed, the newest; `--json` lists all of them.
const REPLIES_LISTED: usize = 10;

pub(super) const AFTER_HELP: &str = "\
messages      that stand in the archive: covered + pending + before start + uncovered
covered       in a chapter that is remembered
pending       of the conversation that is going on, or waiting to be remembered
before start  older than where the channel's memory begins (memory build --since); they can be searched
uncovered     in no memory although they should be: always 0, or something is broken (memory verify)
expired       of the covered ones, those whose words have left the archive (privacy.archive_days)
notices       that Slack wrote itself (somebody joined …); they are not remembered";

/// The same in short, under the table.
const LEGEND: &str = "before start: older than the memory, searchable; uncovered: missed, a fault unless 0; expired: remembered, their \
words gone";

pub(super) async fn run(app: &App, as_json: bool) -> Result<Done, Failure> {
    let coverage = app.store.memory().coverage_by_channel().await?;
    let totals = app.store.memory().totals().await?;
    let calls = app.store.memory().sum_all_calls().await?;
    let unread = app.store.archive().count_unread_events().await?;
    let setbacks = app.store.memory().list_open_setbacks().await?;
    let gaps = app.store.hearing().gaps().await?;
    let not_looked_up = failed_lookups::channels_with_failure(app, &setbacks).await?;
    let looked_back = app.clock.now().saturating_sub(LOOKED_BACK).unwrap_or(Timestamp::MIN);
    let replies = app.store.replies().failed_and_postponed(looked_back).await?;
    let judgments = count_judgments(app).await?;
    let budget = super::cost::budget_line(app).await?;
    let sum = sum_coverage(&coverage);
    if as_json {
        let more = json!({
            "channels": coverage.iter().map(channel_as_json).collect::<Vec<_>>(),
            "chapters": totals.chapters,
            "versions": totals.versions,
            "verbatim": totals.verbatim,
            "long_term": totals.long_term,
            "threads": totals.threads,
            "workspace": totals.workspace,
            "model_calls": calls.calls,
            "tokens_in": calls.tokens_in,
            "tokens_out": calls.tokens_out,
            "borrowed_calls": calls.borrowed,
            "budget": budget,
            "unread": unread,
            "catching_up": catching_up::of_run(app, &gaps).await?.map(catching_up::as_json),
            "gaps": gaps.iter().map(gap_as_json).collect::<Vec<_>>(),
            "unknown_channels": unknown_channels(&coverage).map(|channel| channel.channel.as_str()).collect::<Vec<_>>(),
            "not_looked_up": not_looked_up.iter().map(not_looked_up_as_json).collect::<Vec<_>>(),
            "setbacks": setbacks.iter().map(setback_as_json).collect::<Vec<_>>(),
            "judgments": judgments,
            "replies": replies.iter().map(reply_as_json).collect::<Vec<_>>(),
        });
        let more = output::merge_objects(more, opted_out::as_json(app).await?);
        let all = output::merge_objects(numbers_as_json(&sum), more);
        output::say_json(&output::merge_objects(all, more_as_json(app).await?))?;
        return Ok(Done::All);
    }
    let labels = labels_of_channels(&coverage, &app.config.locale.timezone);
    print_coverage(&coverage, &sum, &totals, &labels);
    tell_unwritten(app, &labels).await?;
    processes::print_running(app, &labels).await?;
    models::print_troubles(app, &labels).await?;
    tell_costs(app, &calls, budget.as_deref());
    tell_unread(unread);
    unfinished_imports::print_unfinished(app, output::print_line).await?;
    undecided::print_note(app, output::print_line).await?;
    tell_what_to_guard(app, &labels).await?;
    tell_search(app).await?;
    judgments.tell();
    tell_gaps(app, &gaps, &coverage, &labels).await?;
    tell_not_looked_up(&not_looked_up);
    tell_closed(app, looked_back).await?;
    tell_setbacks(&setbacks, &labels);
    tell_replies(&replies, &labels);
    Ok(Done::All)
}

fn tell_not_looked_up(failures: &[(String, String)]) {
    for (channel, reason) in failures {
        output::print_line(&format!("{channel} sees itself only, since it cannot be looked up: {reason}"));
    }
}

fn not_looked_up_as_json((channel, reason): &(String, String)) -> Value {
    json!({"channel": channel, "reason": reason})
}

/// The most channels that a line of it lists; `--json` lists all of them.
const CHANNELS_LISTED: usize = 10;

/// Channels by name as a line lists them; `None` if there are none.
fn names_in_line(names: impl ExactSizeIterator<Item = String>) -> Option<String> {
    let more = names.len().saturating_sub(CHANNELS_LISTED);
    let shown: Vec<String> = names.take(CHANNELS_LISTED).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| shown.join(", ") + &more)
}

/// Where the first chapter is under way, and where chapters are to be written anew.
async fn tell_unwritten(app: &App, labels: &Labels) -> Result<(), Failure> {
    provisional::print_provisional_versions(app, labels).await?;
    rewriting::print_state_of_rewriting(app, labels).await
}

async fn count_judgments(app: &App) -> Result<Judgments, Failure> {
    let since = parse_since(None, JUDGED_DAYS, app.clock.now(), &app.config.locale.timezone)?;
    Ok(Judgments::of(&app.store.replies().verdict_counts(since).await?))
}

fn labels_of_channels(coverage: &[Coverage], zone: &TimeZone) -> Labels {
    Labels::new(coverage.iter().map(|row| (&row.channel, row.name.as_str())), zone)
}

fn tell_unread(unread: u64) {
    if unread > 0 {
        output::print_line(&format!(
            "{} not understood and kept in raw form",
            output::count_with_noun(unread, "occurrence")
        ));
    }
}

/// The processes of runs, what can be searched, which messages hold secrets, and where the first chapter is under way,
/// as JSON.
async fn more_as_json(app: &App) -> Result<Value, Failure> {
    let index = app.store.recall().index_progress().await?;
    let embeddings = embedding::vector_progress(app).await?;
    let search = json!({
        "threads_to_recheck": app.store.hearing().count_threads_to_recheck().await?,
        "undecided_memos": app.store.memos().count_undecided().await?,
        "index": indexing::as_json(index),
        "embeddings": embedding::as_json(embeddings),
    });
    let search = output::merge_objects(search, secrets::as_json(app).await?);
    let search = output::merge_objects(search, provisional::as_json(app).await?);
    let search = output::merge_objects(search, rewriting::as_json(app).await?);
    let search = output::merge_objects(search, models::as_json(app).await?);
    let search = output::merge_objects(search, agents::as_json(app).await?);
    let search = output::merge_objects(search, commands::as_json(app).await?);
    let unfinished = json!({"unfinished_imports": unfinished_imports::unfinished_as_json(app).await?});
    let search = output::merge_objects(search, unfinished);
    Ok(output::merge_objects(search, processes::as_json(app).await?))
}

/// Who opted out, which messages hold secrets, and who may ask from outside.
async fn tell_what_to_guard(app: &App, labels: &Labels) -> Result<(), Failure> {
    opted_out::print_notes(app, output::print_line).await?;
    secrets::print_secret_counts(app, labels).await?;
    agents::print_tokens(app, labels).await?;
    commands::print_counts(app).await
}

async fn tell_search(app: &App) -> Result<(), Failure> {
    indexing::print_progress(app.store.recall().index_progress().await?);
    embedding::print_progress(embedding::vector_progress(app).await?);
    Ok(())
}

/// How many judgments of the last days led to each kind of verdict.
#[derive(Default, Serialize)]
struct Judgments {
    speak: u64,
    quiet: u64,
    failed: u64,
}

impl Judgments {
    fn of(counts: &[(VerdictKind, u64)]) -> Self {
        let of = |kind| counts.iter().find(|(other, _)| *other == kind).map_or(0, |(_, n)| *n);
        Self { speak: of(VerdictKind::Speak), quiet: of(VerdictKind::Quiet), failed: of(VerdictKind::Failed) }
    }

    fn tell(&self) {
        let Self { speak, quiet, failed } = self;
        let all = speak.saturating_add(*quiet).saturating_add(*failed);
        if all > 0 {
            output::print_line(&format!(
                "judgments of the last {JUDGED_DAYS} days: {all}, of these {speak} to speak, {failed} failed"
            ));
        }
    }
}

fn setback_as_json(setback: &Setback) -> Value {
    json!({
        "subject": setback.subject, "attempts": setback.attempts, "retry_at": setback.retry_at,
        "reason": setback.reason, "flagged": setback.flagged,
    })
}

fn print_coverage(coverage: &[Coverage], sum: &Coverage, totals: &MemoryTotals, labels: &Labels) {
    if coverage.is_empty() {
        output::print_line("the archive is empty; `myao import slack PATH` fills it");
        return;
    }
    let mut table = output::bare_table(&[
        "channel",
        "messages",
        "covered",
        "pending",
        "before start",
        "uncovered",
        "expired",
        "notices",
    ]);
    for row in coverage.iter().chain([sum]) {
        let name = if std::ptr::eq(row, sum) { "all".to_owned() } else { labels.channel(&row.channel) };
        let numbers = [
            row.messages,
            row.covered,
            row.pending,
            row.before_start,
            row.uncovered,
            row.expired,
            row.notices,
        ];
        table.add_row([name].into_iter().chain(numbers.iter().map(u64::to_string)));
    }
    output::say_table(&table);
    output::print_line(LEGEND);
    output::print_line("");
    output::print_line(&format!(
        "memories: {} ({} word for word), {} long-term, {} of threads, workspace {}",
        output::count_with_noun(totals.versions, "version"),
        totals.verbatim,
        totals.long_term,
        totals.threads,
        if totals.workspace { "yes" } else { "not yet" }
    ));
}

fn tell_costs(app: &App, calls: &CallTotals, budget: Option<&str>) {
    output::print_line(&format!(
        "model calls: {}, {} tokens in, {} out",
        calls.calls, calls.tokens_in, calls.tokens_out
    ));
    if let Some(line) = super::cost::borrowed_line(calls.borrowed, calls.calls) {
        output::print_line(&line);
    }
    if let Some(line) = budget {
        output::print_line(line);
    }
    if let Some(path) = app.config.recording_path() {
        output::print_line(&format!(
            "calls to models are recorded in {} (logging.debug_llm_messages)",
            path.display()
        ));
    }
}

/// Prints what `myao run` still has to fetch or look up.
async fn tell_gaps(app: &App, gaps: &[Gap], channels: &[Coverage], labels: &Labels) -> Result<(), Failure> {
    catching_up::print_rest(catching_up::of_run(app, gaps).await?, app.clock.now(), labels);
    let when = |ts: MessageTs| labels.when(ts.to_timestamp());
    for gap in gaps.iter().take(CHANNELS_LISTED) {
        let fetched = gap.swept.map_or_else(String::new, |(from, to)| {
            let to = if to == MessageTs::MAX { "now".to_owned() } else { when(to) };
            format!("; fetched so far: {} to {to}", when(from))
        });
        output::print_line(&format!(
            "{}: what was said since {} may be missing{fetched}",
            labels.channel(&gap.channel),
            when(gap.from)
        ));
    }
    let more = gaps.len().saturating_sub(CHANNELS_LISTED);
    if more > 0 {
        output::print_line(&format!("and the same of {more} more channels (--json lists them)"));
    }
    catching_up::print_threads_to_recheck(app.store.hearing().count_threads_to_recheck().await?);
    let unknown: Vec<String> =
        unknown_channels(channels).map(|channel| labels.channel(&channel.channel)).collect();
    if !unknown.is_empty() {
        output::print_line(&format!(
            "of unknown kind, and kept as private until Slack tells: {}",
            unknown.join(", ")
        ));
    }
    Ok(())
}

fn unknown_channels(channels: &[Coverage]) -> impl Iterator<Item = &Coverage> {
    channels.iter().filter(|channel| channel.kind == ChannelKind::Unknown)
}

fn gap_as_json(gap: &Gap) -> Value {
    json!({
        "channel": gap.channel.as_str(),
        "from": gap.from.to_timestamp(),
        "fetched_from": gap.swept.map(|(from, _)| from.to_timestamp()),
        // Without an end, everything since is read or heard.
        "fetched_to": gap.swept.filter(|(_, to)| *to != MessageTs::MAX).map(|(_, to)| to.to_timestamp()),
    })
}

/// Prints how many replies were made without other places' memories, because a lookup came too late.
async fn tell_closed(app: &App, since: Timestamp) -> Result<(), Failure> {
    let closed = app.store.hearing().replies_by_sight(Sight::Unknown, since).await?;
    if closed > 0 {
        output::print_line(&format!(
            "replies of the last day made from their own channel alone, since nobody could tell in time who reads \
             along: {closed}"
        ));
    }
    Ok(())
}

fn tell_setbacks(setbacks: &[Setback], labels: &Labels) {
    for flag in setbacks.iter().filter(|s| s.flagged) {
        output::print_line(&format!(
            "for a person to look at: {} ({})",
            labels.subject(&flag.subject),
            flag.reason
        ));
    }
    for setback in setbacks.iter().filter(|s| !s.flagged && !failed_lookups::is_one(s)) {
        output::print_line(&format!(
            "failed {}: {} ({}); next try at {}",
            output::count_with_noun(setback.attempts, "time"),
            labels.subject(&setback.subject),
            setback.reason,
            labels.when(setback.retry_at)
        ));
    }
}

fn tell_replies(replies: &[TroubledReply], labels: &Labels) {
    let older = replies.len().saturating_sub(REPLIES_LISTED);
    if older > 0 {
        let older = output::count_with_noun(older, "earlier reply");
        output::print_line(&format!("late or not given: {older}; --json lists all"));
    }
    for reply in replies.iter().skip(older) {
        let channel = labels.channel(&reply.place.channel);
        output::print_line(&match reply.state {
            ReplyState::Wanted | ReplyState::Written => format!(
                "a reply in {channel} is late ({}); tried {}, again at {}",
                reply.reason,
                output::count_with_noun(reply.attempts, "time"),
                labels.when(reply.not_before)
            ),
            ReplyState::Done | ReplyState::Skipped | ReplyState::Failed => {
                format!("a reply in {channel} was not given ({})", reply.reason)
            }
        });
    }
}

fn reply_as_json(reply: &TroubledReply) -> Value {
    json!({
        "id": reply.id.0,
        "channel": reply.place.channel,
        "thread": reply.place.thread.map(|thread| thread.to_string()),
        "state": reply.state.as_str(),
        "attempts": reply.attempts,
        "retry_at": reply.not_before,
        "reason": reply.reason,
    })
}

fn sum_coverage(coverage: &[Coverage]) -> Coverage {
    let of = |number: fn(&Coverage) -> u64| coverage.iter().map(number).sum();
    Coverage {
        channel: ChannelId::new(""),
        name: String::new(),
        kind: ChannelKind::Unknown,
        messages: of(|c| c.messages),
        covered: of(|c| c.covered),
        pending: of(|c| c.pending),
        before_start: of(|c| c.before_start),
        uncovered: of(|c| c.uncovered),
        expired: of(|c| c.expired),
        notices: of(|c| c.notices),
    }
}

fn numbers_as_json(coverage: &Coverage) -> Value {
    json!({
        "messages": coverage.messages,
        "covered": coverage.covered,
        "pending": coverage.pending,
        "before_start": coverage.before_start,
        "uncovered": coverage.uncovered,
        "expired": coverage.expired,
        "notices": coverage.notices,
    })
}

fn channel_as_json(coverage: &Coverage) -> Value {
    output::merge_objects(json!({ "id": coverage.channel, "name": coverage.name }), numbers_as_json(coverage))
}
