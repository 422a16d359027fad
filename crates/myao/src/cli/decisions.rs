//! `myao decisions`: shows the ledger of judgments, and the pauses that are judged next.

mod replay;
mod stopped;
mod voted;

use clap::{Args, Subcommand};
use jiff::SignedDuration;
use myao_companion::live::{UpcomingJudgment, all_upcoming_judgments};
use myao_core::{
    chat::{MessageTs, Names, Place, Visibility},
    wording::{TalkFormat, messages_as_lines},
};
use myao_store::{JudgedStatement, LedgerQuery, VerdictKind, VerdictRecord};
use serde_json::{Value, json};

use super::{Done, Failure, journal::JournalFormatter, output, time_range::parse_since};
use crate::app::App;

/// How many days of the ledger are shown by default.
const DEFAULT_DAYS: i64 = 7;
/// The most characters of a message that are shown beside a decision.
const EXCERPT: usize = 60;
/// What stands in place of a message that is deleted.
const DELETED: &str = "(deleted)";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(super) struct DecisionsArgs {
    #[command(subcommand)]
    command: Option<DecisionsCommand>,
    /// Only those about this channel: #name, name or id
    channel: Option<String>,
    /// From this day on (2026-03-01, yesterday, `last week`, 先週; in the configured time zone), or for the last days (7d) [default: 7d]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Show at most so many, the newest: statements that were judged; with --json decisions
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Where nobody answers somebody for a while, myao considers to speak up (`response` in the configuration says \
after how long). Every such decision is kept here, silence included: how long was waited, what was decided and \
why, how sure the judge was, and what came of it. A statement that was judged again and again is one line, with its newest decision; \
--json has every decision. Below stand the answers that somebody stopped while they were written, what people think \
of what was said, and the places that are considered next.

To see what other settings would have done:
  myao decisions replay --since 30d --judge builtin
  myao decisions replay --since 7d --judge model --with other.yaml";

#[derive(Debug, Subcommand)]
enum DecisionsCommand {
    /// Judge the past again, with these settings or others, and show what would differ
    Replay(replay::ReplayArgs),
}

impl DecisionsArgs {
    /// Whether the command asks no model. Calls of a model are counted, which writes to the database.
    pub(super) fn reads(&self) -> bool {
        match &self.command {
            Some(DecisionsCommand::Replay(replay)) => replay.reads(),
            None => true,
        }
    }
}

pub(super) async fn run(app: &App, args: &DecisionsArgs) -> Result<Done, Failure> {
    match &args.command {
        Some(DecisionsCommand::Replay(replay)) => replay::run(app, replay).await,
        None => print_ledger(app, args).await,
    }
}

async fn print_ledger(app: &App, args: &DecisionsArgs) -> Result<Done, Failure> {
    let channel = match &args.channel {
        Some(wanted) => Some(app.channel(wanted).await?.id),
        None => None,
    };
    let zone = &app.config.locale.timezone;
    let since = parse_since(args.since.as_deref(), DEFAULT_DAYS, app.clock.now(), zone)?;
    // One more than is shown, to know whether there are more.
    let query = LedgerQuery { channel: channel.clone(), since, limit: args.limit.saturating_add(1) };
    let mut next = upcoming_judgments(app).await?;
    next.retain(|coming| channel.as_ref().is_none_or(|id| coming.place.channel == *id));
    let formatter = JournalFormatter::new(app).await?;
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    if args.json {
        let mut records = app.store.replies().list_verdicts(&Visibility::Owner, &query).await?;
        records.truncate(limit);
        records.reverse();
        let records: Vec<Value> = records.iter().map(|record| as_json(record, &formatter)).collect();
        let next: Vec<Value> = next.iter().map(|coming| coming_json(coming, &formatter)).collect();
        let stopped = stopped::list_as_json(app, &query, &formatter).await?;
        let voted = voted::list_as_json(app, &query, &formatter).await?;
        output::say_json(&json!({
            "since": since, "decisions": records, "stopped": stopped, "voted": voted, "next": next,
        }))?;
        return Ok(Done::All);
    }
    let excerpts = Excerpts { app, names: app.store.archive().names(&Visibility::Owner).await? };
    let mut statements = app.store.replies().list_judged_statements(&Visibility::Owner, &query).await?;
    let is_cut = statements.len() > limit;
    statements.truncate(limit);
    statements.reverse();
    print_statements(&statements, is_cut, &formatter, &excerpts).await?;
    stopped::print_stopped(&query, &formatter, &excerpts).await?;
    voted::print_voted(&query, &formatter, &excerpts).await?;
    tell_next(&next, &formatter, &excerpts).await?;
    Ok(Done::All)
}

/// The upcoming judgments. There are none before the first run, which draws the seed of the waits.
async fn upcoming_judgments(app: &App) -> Result<Vec<UpcomingJudgment>, Failure> {
    let Some(seed) = app.store.replies().known_judgment_seed().await? else { return Ok(Vec::new()) };
    let manners = app.config.manners(seed);
    Ok(all_upcoming_judgments(&app.store, &app.config.places, &manners, app.clock.now()).await?)
}

/// Prints each statement that was judged on a line, with its newest verdict and how many there were. Those that are
/// deleted, and about which nothing was said, are only counted.
async fn print_statements(
    statements: &[JudgedStatement],
    is_cut: bool,
    formatter: &JournalFormatter,
    excerpts: &Excerpts<'_>,
) -> Result<(), Failure> {
    if statements.is_empty() {
        output::print_line("nothing was decided in that time");
        return Ok(());
    }
    let mut table =
        output::bare_table(&["when", "where", "about", "waited", "decided", "sure", "why", "then"]);
    let mut deleted = 0_usize;
    let mut is_any_shown = false;
    for statement in statements {
        let Some(record) = statement.verdicts.first() else { continue };
        let about = excerpts.standing(&record.place, record.latest_ts).await?;
        if about.is_none() && !statement.verdicts.iter().any(|verdict| verdict.kind == VerdictKind::Speak) {
            deleted += 1;
            continue;
        }
        is_any_shown = true;
        let sure = record.confidence.map_or_else(String::new, |sure| format!("{:.0} %", sure * 100.0));
        table.add_row([
            formatter.when(record.at),
            output::with_visible_controls(&place_as_text(&record.place, formatter)),
            about.unwrap_or_else(|| DELETED.to_owned()),
            record.wait.map_or_else(String::new, span_as_text),
            decided_in_words(statement, record.kind),
            sure,
            output::with_visible_controls(&why_decided(record)),
            output::with_visible_controls(&what_came_of_it(record, formatter)),
        ]);
    }
    if is_any_shown {
        output::say_table(&table);
        output::print_line("");
    }
    if deleted > 0 {
        output::print_line(&format!(
            "{} judged, and deleted since",
            output::count_with_noun(deleted, "more statement")
        ));
    }
    print_sums(statements, is_cut);
    Ok(())
}

/// The newest verdict about a statement; where there were more, the times that it was judged: `quiet (7×)`.
fn decided_in_words(statement: &JudgedStatement, kind: VerdictKind) -> String {
    let times = if statement.judged > 1 { format!(" ({}×)", statement.judged) } else { String::new() };
    format!("{}{times}", kind.as_str())
}

fn print_sums(statements: &[JudgedStatement], is_cut: bool) {
    let last = |kind| {
        let is_of_kind = |statement: &&JudgedStatement| {
            statement.verdicts.first().is_some_and(|verdict| verdict.kind == kind)
        };
        statements.iter().filter(is_of_kind).count()
    };
    let all = if is_cut {
        format!("the newest {} (--limit shows more)", output::count_with_noun(statements.len(), "statement"))
    } else {
        output::count_with_noun(statements.len(), "statement")
    };
    output::print_line(&format!(
        "{all}: {} to speak, {} to stay quiet, {} failed",
        last(VerdictKind::Speak),
        last(VerdictKind::Quiet),
        last(VerdictKind::Failed)
    ));
}

async fn tell_next(
    next: &[UpcomingJudgment],
    formatter: &JournalFormatter,
    excerpts: &Excerpts<'_>,
) -> Result<(), Failure> {
    if next.is_empty() {
        return Ok(());
    }
    output::print_line("");
    output::print_line("considered next, unless somebody says something:");
    let mut table = output::bare_table(&["when", "where", "about", "wait"]);
    for coming in next {
        table.add_row([
            formatter.when(coming.at),
            output::with_visible_controls(&place_as_text(&coming.place, formatter)),
            excerpts.of(&coming.place, coming.pause.latest_ts).await?,
            span_as_text(coming.wait),
        ]);
    }
    output::say_table(&table);
    Ok(())
}

/// Shows the beginnings of messages, with their current text.
struct Excerpts<'a> {
    app: &'a App,
    names: Names,
}

impl Excerpts<'_> {
    async fn of(&self, place: &Place, ts: MessageTs) -> Result<String, Failure> {
        Ok(self.standing(place, ts).await?.unwrap_or_else(|| DELETED.to_owned()))
    }

    /// The beginning of a message; `None` if it is deleted.
    async fn standing(&self, place: &Place, ts: MessageTs) -> Result<Option<String>, Failure> {
        let found = self.app.store.archive().message(&Visibility::Owner, &place.channel, ts).await?;
        let Some(message) = found.filter(|message| !message.deleted) else { return Ok(None) };
        let format = TalkFormat {
            names: &self.names,
            zone: &self.app.config.locale.timezone,
            language: self.app.config.locale.language,
            limit: EXCERPT,
        };
        let line = messages_as_lines(&[message], &format).into_iter().next();
        let words = line.map(|line| {
            output::with_visible_controls(&output::one_line(&format!("{}: {}", line.name, line.text)))
        });
        Ok(Some(words.unwrap_or_default()))
    }
}

/// Writes a place as `#general`, or as `#general, thread of 2026-03-02 10:00`.
fn place_as_text(place: &Place, formatter: &JournalFormatter) -> String {
    let channel = formatter.channel(&place.channel);
    place.thread.map_or(channel.clone(), |root| format!("{channel}, thread of {}", formatter.moment(root)))
}

fn why_decided(record: &VerdictRecord) -> String {
    if record.wiped { "(its words were removed)".to_owned() } else { record.reason.clone() }
}

/// What came of the reply that a decision opened.
fn what_came_of_it(record: &VerdictRecord, formatter: &JournalFormatter) -> String {
    let Some(reply) = &record.reply else { return String::new() };
    let said = reply.posted_ts.map(|ts| format!(" {}", formatter.moment(ts))).unwrap_or_default();
    let reason = if reply.was_stopped {
        stopped::by_whom(reply.stopped_by.as_ref(), formatter)
    } else {
        reply.reason.clone()
    };
    let because = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let votes = voted::votes_as_text(reply.votes);
    let votes = if votes.is_empty() { votes } else { format!(", {votes}") };
    format!("{}{said}{because}{votes}", reply.state.as_str())
}

/// Writes a span of time as `45 s`, `5 min` or `12 h`: in seconds below two minutes, otherwise rounded.
fn span_as_text(span: SignedDuration) -> String {
    match span.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

fn as_json(record: &VerdictRecord, formatter: &JournalFormatter) -> Value {
    let reply = record.reply.as_ref().map(|reply| {
        json!({
            "id": reply.id.0, "state": reply.state.as_str(), "reason": reply.reason, "due": reply.due,
            "changed_at": reply.changed_at, "posted_ts": reply.posted_ts, "stopped": reply.was_stopped,
            "stopped_by": reply.stopped_by.as_ref().map(|user| formatter.person(user)),
            "good": reply.votes.good, "bad": reply.votes.bad,
        })
    });
    json!({
        "id": record.id.0,
        "at": record.at,
        "channel": formatter.channel(&record.place.channel),
        "channel_id": record.place.channel.as_str(),
        "thread_ts": record.place.thread,
        "latest_ts": record.latest_ts,
        "verdict": record.kind.as_str(),
        "confidence": record.confidence,
        "reason": record.reason,
        "wiped": record.wiped,
        "wait_seconds": record.wait.map(|wait| wait.as_secs_f64()),
        "hold_until": record.hold_until,
        "model": record.model,
        "call": record.call,
        "shown_from": record.shown_from,
        "read_revision": record.read_revision,
        "reply": reply,
    })
}

fn coming_json(coming: &UpcomingJudgment, formatter: &JournalFormatter) -> Value {
    json!({
        "at": coming.at,
        "channel": formatter.channel(&coming.place.channel),
        "channel_id": coming.place.channel.as_str(),
        "thread_ts": coming.place.thread,
        "latest_ts": coming.pause.latest_ts,
        "wait_seconds": coming.wait.as_secs_f64(),
    })
}
