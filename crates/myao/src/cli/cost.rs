//! `myao cost`.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use myao_companion::{ask::share_of, cost::CostLine};
use myao_config::Price;
use myao_core::chat::Visibility;
use myao_store::CallGroup;
use serde_json::json;

use super::{Done, Failure, output, time_range::parse_since};
use crate::app::{App, ROLES};

#[derive(Debug, Args)]
pub(super) struct CostArgs {
    /// From this day on (2026-03-01, yesterday, `last week`, 先週; in the configured time zone), or for the last days (7d) [default: 30d]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// What to sum up by
    #[arg(long, value_enum, default_value_t = CostGroup::Model)]
    by: CostGroup,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What to sum up by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CostGroup {
    /// Which model
    Model,
    /// Replies, judgments, memories
    Role,
    /// Which channel; the workspace's memory has a line of its own
    Channel,
    /// Day by day
    Day,
    /// What for: chapters, merges, replies, …
    Purpose,
}

impl CostGroup {
    const fn group(self) -> CallGroup {
        match self {
            Self::Model => CallGroup::Model,
            Self::Role => CallGroup::Role,
            Self::Channel => CallGroup::Channel,
            Self::Day => CallGroup::Day,
            Self::Purpose => CallGroup::Purpose,
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Role => "role",
            Self::Channel => "channel",
            Self::Day => "day",
            Self::Purpose => "for",
        }
    }
}

const DEFAULT_DAYS: i64 = 30;
pub(super) async fn run(app: &App, args: &CostArgs) -> Result<Done, Failure> {
    let now = app.clock.now();
    let zone = &app.config.locale.timezone;
    let since = parse_since(args.since.as_deref(), DEFAULT_DAYS, now, zone)?;
    let sums = app.store.memory().sum_calls_by_group(args.by.group(), Some(since)).await?;
    let prices = &app.config.budget.prices;
    let names = channel_names(app).await?;
    let mut lines: BTreeMap<String, CostLine> = BTreeMap::new();
    let mut all = CostLine::default();
    for sum in &sums {
        let key = match args.by {
            CostGroup::Channel if sum.key.is_empty() => "(workspace)".to_owned(),
            CostGroup::Channel => names.get(&sum.key).cloned().unwrap_or_else(|| sum.key.clone()),
            CostGroup::Model | CostGroup::Role | CostGroup::Day | CostGroup::Purpose => sum.key.clone(),
        };
        let line =
            lines.entry(key).or_insert_with_key(|key| CostLine { key: key.clone(), ..CostLine::default() });
        line.add(sum, prices);
        all.add(sum, prices);
    }
    let budget = budget_line(app).await?;
    if args.json {
        output::say_json(&json!({
            "since": since, "by": args.by.heading(), "currency": app.config.budget.currency,
            "groups": lines.values().collect::<Vec<_>>(), "all": all, "budget": budget,
        }))?;
        return Ok(Done::All);
    }
    let from = since.to_zoned(zone.clone()).date();
    if lines.is_empty() {
        output::print_line(&format!("no model was asked anything since {from}"));
        return Ok(Done::All);
    }
    output::print_line(&format!("since {from}"));
    print_table(args.by, &lines, &all, &app.config.budget.currency, prices);
    if let Some(line) = budget {
        output::print_line(&line);
    }
    Ok(Done::All)
}

fn print_table(
    by: CostGroup,
    lines: &BTreeMap<String, CostLine>,
    all: &CostLine,
    currency: &str,
    prices: &[Price],
) {
    let cost = if currency.is_empty() { "cost".to_owned() } else { format!("cost in {currency}") };
    let mut table = output::bare_table(&[
        by.heading(),
        "calls",
        "failed",
        "tokens in",
        "of these cached",
        "tokens out",
        &cost,
    ]);
    let total = "all".to_owned();
    for (key, line) in lines.iter().chain([(&total, all)]) {
        let numbers = [line.calls, line.failed, line.tokens_in, line.tokens_cached, line.tokens_out];
        let row = [output::with_visible_controls(key)].into_iter().chain(numbers.iter().map(u64::to_string));
        table.add_row(row.chain([format_money(line, prices)]));
    }
    output::say_table(&table);
    output::print_line("");
    if all.unpriced {
        output::print_line(
            "a model's price is in `budget.prices` of the configuration, or it is not counted (+?)",
        );
    }
    if all.estimated > 0 {
        output::print_line(&format!(
            "of {} calls the tokens are estimated: the provider told nothing, or builtin answered",
            all.estimated
        ));
    }
    if let Some(line) = borrowed_line(all.borrowed, all.calls) {
        output::print_line(&line);
    }
    if all.reserved > 0 {
        output::print_line(&format!(
            "calls that never ended (the program was killed, or they are under way) may have cost {} more",
            all.reserved
        ));
    }
}

/// Says how many calls gave texts that repeated words of other places, if any did.
pub(super) fn borrowed_line(borrowed: u64, calls: u64) -> Option<String> {
    (borrowed > 0).then(|| {
        format!("texts that repeated words of other places, and were asked for again without those: {borrowed} of {}", output::count_with_noun(calls, "call"))
    })
}

fn format_money(line: &CostLine, prices: &[Price]) -> String {
    if prices.is_empty() && line.unpriced {
        return "–".to_owned();
    }
    let more = if line.unpriced { " +?" } else { "" };
    format!("{:.4}{more}", line.cost)
}

/// How much of `budget.daily_tokens` is used today.
pub(super) async fn budget_line(app: &App) -> Result<Option<String>, Failure> {
    let Some(limit) = app.config.budget.daily_tokens else { return Ok(None) };
    let today = app.clock.now().to_zoned(app.config.locale.timezone.clone()).date().to_string();
    let spent = app.store.memory().day_spent(&today).await?;
    let percent = spent.total().saturating_mul(100).checked_div(limit).unwrap_or(100);
    let waiting = ROLES.iter().rev().filter(|role| percent >= share_of(**role));
    let waiting: Vec<&str> = waiting.map(|role| role.as_str()).collect();
    let waits = if waiting.is_empty() {
        String::new()
    } else {
        format!("; until tomorrow these wait: {}", waiting.join(", "))
    };
    Ok(Some(format!(
        "today: {} of {limit} tokens used ({percent} %), {} more reserved{waits}",
        spent.settled, spent.reserved
    )))
}

async fn channel_names(app: &App) -> Result<BTreeMap<String, String>, Failure> {
    let rows = app.store.archive().channels(&Visibility::Owner).await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.channel.id.as_str().to_owned(), format!("#{}", row.channel.name)))
        .collect())
}
