//! `myao decisions replay`: judges the past again.

mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use myao_companion::replay::{Judge, Past, Replay, VoteLabels};
use myao_config::{Config, LocaleSource};
use myao_core::{
    chat::{ChannelKind, MessageTs, Visibility},
    wording::moment_in_prompt,
};
use myao_store::{LedgerQuery, VerdictRecord};

use self::report::{LedgerCounts, ReplayReport, Side};
use crate::{
    app::App,
    cli::{
        Done, Failure, output,
        time_range::{parse_since, parse_until},
    },
};

/// How many days are replayed by default.
const DEFAULT_DAYS: i64 = 7;

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Only this channel: #name, name or id [default: all but direct messages]
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// From this day on (2026-03-01, yesterday, `last week`, 先週; in the configured time zone), or for the last days (7d) [default: 7d]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Up to the beginning of this day (2026-04-01, today) [default: now]
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Compare with another configuration: its response, persona, locale, prompt and agents.judgment count
    #[arg(long, value_name = "PATH")]
    with: Option<PathBuf>,
    /// Who judges
    #[arg(long, value_enum, default_value_t = JudgeChoice::Rules)]
    judge: JudgeChoice,
    /// Ask a model so many times at most, for each configuration
    #[arg(long, value_name = "N", default_value_t = 50)]
    most: u64,
    /// Show so many examples of what differs, or of what would have been answered
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ReplayArgs {
    /// Whether the command asks no model. Calls of a model are counted, which writes to the database.
    pub(super) fn reads(&self) -> bool {
        self.judge != JudgeChoice::Model
    }
}

/// Who judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum JudgeChoice {
    /// Nobody: only when it would be judged
    Rules,
    /// The builtin model: free, and modest
    Builtin,
    /// The model of agents.judgment: costs tokens, which count for the day's budget
    Model,
}

/// The beginning, inclusive, and the end, exclusive.
type ReplayRange = (Timestamp, Timestamp);

pub(super) async fn run(app: &App, args: &ReplayArgs) -> Result<Done, Failure> {
    let now = app.clock.now();
    let zone = &app.config.locale.timezone;
    let from = parse_since(args.since.as_deref(), DEFAULT_DAYS, now, zone)?;
    let until = args.until.as_deref().map(|text| parse_until(text, now, zone)).transpose()?.unwrap_or(now);
    if from >= until {
        let [from, until] = [from, until].map(|at| moment_in_prompt(MessageTs::from_timestamp(at), zone));
        return Err(Failure::usage(format!(
            "there is no time between --since ({from}) and --until ({until})"
        )));
    }
    let span = (from, until);
    let mut apps = vec![app.beside(app.config.clone())?];
    if let Some(path) = &args.with {
        apps.push(app.beside(other_config(app, path)?)?);
    }
    let pasts = pasts_of_channels(app, args.channel.as_deref(), &apps, span).await?;
    let names = app.store.archive().names(&Visibility::Owner).await?;
    // Before the first run there is no seed. Any seed will do, as long as it is the same each time.
    let seed = app.store.replies().known_judgment_seed().await?.unwrap_or_default();
    let mut sides = Vec::new();
    for side in &apps {
        let manners = side.config.manners(seed);
        let asker = side.asker()?;
        let judge = match args.judge {
            JudgeChoice::Rules => Judge::Nobody,
            JudgeChoice::Builtin => Judge::Builtin,
            JudgeChoice::Model => Judge::Model(&asker),
        };
        let replay = Replay {
            config: &side.config,
            manners: &manners,
            templates: side.templates(),
            judge,
            most: args.most,
        };
        sides.push(replay_all_channels(&replay, &pasts, span).await?);
    }
    let records = ledger_decisions(app, args, span).await?;
    let kept = LedgerCounts::of(&records);
    let labels = VoteLabels::of_verdicts(&records);
    let by = args.judge;
    let examples = args.examples;
    ReplayReport { app, pasts: &pasts, names: &names, sides, kept, labels, by, examples }
        .tell(args.json, span)
}

/// Another configuration, to compare with ours.
fn other_config(app: &App, path: &Path) -> Result<Config, Failure> {
    let loaded = Config::load(Some(path))?;
    for remark in &loaded.notes.remarks {
        output::print_to_stderr(&format!("note: {}: {remark}", path.display()));
    }
    // The database and the budget stay those of the opened configuration, and so does the locale that it leaves out.
    let config = loaded.config;
    let mut locale = app.config.locale.clone();
    if config.locale_sources.language == LocaleSource::Given {
        locale.language = config.locale.language;
    }
    if config.locale_sources.timezone == LocaleSource::Given {
        locale.timezone = config.locale.timezone.clone();
    }
    let mut config = config.speaking(locale);
    config.database = app.config.database.clone();
    config.budget = app.config.budget.clone();
    Ok(config)
}

/// The past of the channels that are replayed, from as long before `span` as the rules look back.
async fn pasts_of_channels(
    app: &App,
    wanted: Option<&str>,
    sides: &[App],
    span: ReplayRange,
) -> Result<Vec<Past>, Failure> {
    let channels = if let Some(wanted) = wanted {
        vec![app.channel(wanted).await?]
    } else {
        let rows = app.store.archive().channels(&Visibility::Owner).await?;
        rows.into_iter().map(|row| row.channel).filter(|channel| channel.kind != ChannelKind::Dm).collect()
    };
    let starts = sides.iter().map(|side| side.config.manners(0).looks_back_to(span.0));
    let from = starts.min().unwrap_or(MessageTs::MIN);
    let mut pasts = Vec::new();
    for channel in channels {
        pasts.push(Past::read(&app.store, channel, from, span.1, app.config.locale.language).await?);
    }
    Ok(pasts)
}

/// Replays all channels with one configuration.
async fn replay_all_channels(
    replay: &Replay<'_>,
    pasts: &[Past],
    span: ReplayRange,
) -> Result<Side, Failure> {
    let bar = output::progress_bar(
        u64::try_from(pasts.len()).unwrap_or(u64::MAX),
        "replaying channels",
        "channels",
    );
    let mut side = Side { outcomes: Vec::new() };
    let mut asked = 0;
    for past in pasts {
        let outcome = replay.channel(past, span, &mut asked).await?;
        let is_over = outcome.stopped.is_some();
        side.outcomes.push(outcome);
        if is_over {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(side)
}

/// The decisions that the ledger has from that time.
async fn ledger_decisions(
    app: &App,
    args: &ReplayArgs,
    (from, until): ReplayRange,
) -> Result<Vec<VerdictRecord>, Failure> {
    let channel = match &args.channel {
        Some(wanted) => Some(app.channel(wanted).await?.id),
        None => None,
    };
    let all = LedgerQuery { channel, since: from, limit: u64::MAX };
    let mut records = app.store.replies().list_verdicts(&Visibility::Owner, &all).await?;
    records.retain(|record| record.at < until);
    Ok(records)
}
