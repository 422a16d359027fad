//! `myao policy`: what holds in one place, and which line of the configuration says so.

use clap::Args;
use myao_config::{Loaded, PlaceBudget, PlacePolicy, Remembered, Ruled};
use myao_core::{
    chat::{ChannelId, PlaceFacts, PlaceKind},
    judgment::QuietHours,
};
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct PolicyArgs {
    /// A channel (`#name`, `name` or its id), or a kind of place: `public`, `private`, `dm`, `group_dm` or `external`
    place: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The most particular rule of `places` wins, value by value: one for the channel by its id, then by its name, then one for \
places with people from outside, then one for its kind, then what holds everywhere.";

/// One value that holds in a place.
struct PolicyLine {
    name: &'static str,
    value: Value,
    /// The value in words.
    words: String,
    key: Option<String>,
}

/// What holds in a place, and what it used today.
struct PlaceReport {
    /// The channel; `None` for a kind of place.
    facts: Option<PlaceFacts>,
    lines: Vec<PolicyLine>,
    /// Tokens that models used for it today, reserved ones included.
    used: u64,
}

pub(super) async fn run(app: &App, args: &PolicyArgs, loaded: &Loaded) -> Result<Done, Failure> {
    let report = match args.place.parse::<PlaceKind>() {
        Ok(kind) => {
            PlaceReport { facts: None, lines: lines_of(&app.config.policy_of_kind(kind), None), used: 0 }
        }
        Err(_not_a_kind) => report_of_channel(app, &app.channel(&args.place).await?.id).await?,
    };
    if args.json {
        output::say_json(&report.as_json(&args.place, loaded))?;
    } else {
        report.print(&args.place, loaded);
    }
    Ok(Done::All)
}

async fn report_of_channel(app: &App, channel: &ChannelId) -> Result<PlaceReport, Failure> {
    let facts = app.store.hearing().place_facts(channel).await?;
    let facts = facts.ok_or_else(|| Failure::usage(format!("there is no channel `{channel}`")))?;
    let today = app.clock.now().to_zoned(app.config.locale.timezone.clone()).date().to_string();
    let spent = app.store.memory().day_spent_by_channel(&today).await?;
    let used = spent.get(&Some(channel.clone())).map_or(0, |spent| spent.total());
    let lines = lines_of(&app.config.policy_in(&facts), app.config.places.budget_in(&facts));
    Ok(PlaceReport { facts: Some(facts), lines, used })
}

fn lines_of(policy: &PlacePolicy, budget: Option<PlaceBudget>) -> Vec<PolicyLine> {
    let PlacePolicy { remember, budget: tokens, model, unasked, min_wait_seconds, quiet_hours } = policy;
    vec![
        line("remember", remember, |value| (json!(value.as_str()), remembered_in_words(*value))),
        line("budget", tokens, |value| (json!(value), budget_in_words(*value, budget))),
        line("model", model, |value| (json!(value.to_string()), value.to_string())),
        line("unasked", unasked, |value| (json!(value), unasked_in_words(*value))),
        line("min_wait_seconds", min_wait_seconds, |value| (json!(value), format!("{value} s of silence"))),
        line("quiet_hours", quiet_hours, |value| {
            let hours = value.as_ref().map(hours_in_words);
            (json!(hours), hours.unwrap_or_else(|| "none".to_owned()))
        }),
    ]
}

fn line<T>(name: &'static str, ruled: &Ruled<T>, tell: impl FnOnce(&T) -> (Value, String)) -> PolicyLine {
    let (value, words) = tell(&ruled.value);
    PolicyLine { name, value, words, key: ruled.key.clone() }
}

fn remembered_in_words(remembered: Remembered) -> String {
    match remembered {
        Remembered::Chapters => "in chapters".to_owned(),
        Remembered::Nothing => "nothing".to_owned(),
    }
}

fn budget_in_words(tokens: Option<u64>, budget: Option<PlaceBudget>) -> String {
    match (tokens, budget) {
        (None, _) => "a share of what is left to all places".to_owned(),
        (Some(tokens), Some(PlaceBudget { is_of_channel: true, .. })) => {
            format!("{tokens} tokens a day, set aside for it")
        }
        (Some(tokens), _) => format!("at most {tokens} tokens a day, of what is left to all places"),
    }
}

fn unasked_in_words(unasked: bool) -> String {
    if unasked { "speaks up where that helps" } else { "says nothing unasked" }.to_owned()
}

fn hours_in_words(hours: &QuietHours) -> String {
    format!("{}-{}", hours.from.strftime("%H:%M"), hours.to.strftime("%H:%M"))
}

/// Where a value comes from: a line of the file and its key, or the default of that key.
fn source_in_words(key: Option<&str>, loaded: &Loaded) -> String {
    let Some(key) = key else { return "default".to_owned() };
    match (loaded.line_of(key), &loaded.file) {
        (Some(line), Some(file)) => format!("{}:{line} {key}", file.display()),
        (None, _) | (_, None) => format!("default of {key}"),
    }
}

impl PlaceReport {
    fn print(&self, wanted: &str, loaded: &Loaded) {
        let head = match &self.facts {
            None => format!("places of the kind {wanted} that no rule of their own is for"),
            Some(PlaceFacts { channel, .. }) => {
                let outside = if channel.external { ", with people from outside" } else { "" };
                format!("#{} ({}, {}{outside})", channel.name, channel.id, channel.kind.as_str())
            }
        };
        output::print_line(&head);
        let mut table = output::bare_table(&["what", "holds", "by"]);
        for line in &self.lines {
            let source = source_in_words(line.key.as_deref(), loaded);
            let cells = [line.name, &line.words, &source].map(output::with_visible_controls);
            table.add_row(cells);
        }
        output::say_table(&table);
        if self.facts.is_some() {
            output::print_line(&format!("today: {} tokens used", self.used));
        }
    }

    fn as_json(&self, wanted: &str, loaded: &Loaded) -> Value {
        let values = self.lines.iter().map(|line| {
            let at = line.key.as_deref().and_then(|key| loaded.line_of(key));
            json!({ "name": line.name, "value": line.value, "key": line.key, "line": at })
        });
        let values: Vec<Value> = values.collect();
        let channel = self.facts.as_ref().map(|facts| {
            let channel = &facts.channel;
            json!({
                "id": channel.id.as_str(), "name": channel.name, "kind": channel.kind.as_str(),
                "external": channel.external,
            })
        });
        json!({
            "place": wanted, "channel": channel, "file": loaded.file, "values": values, "used_today": self.used,
        })
    }
}

/// What to say about each key of `places` that means no channel, and what to do about it.
pub(super) async fn notes_on_keys(app: &App) -> Result<Vec<(String, String)>, Failure> {
    let named = app.store.hearing().places_named(&app.config.places.channels()).await?;
    let mut notes = Vec::new();
    for rule in app.config.places.iter() {
        let Some(key) = rule.key.channel() else { continue };
        if named.get(key).is_some_and(std::collections::BTreeSet::is_empty) {
            let written = output::with_visible_controls(&rule.written);
            let text = format!("no channel with the id or name `{written}` is known yet");
            notes.push((
                text,
                "an id or a name holds once it is known; `myao policy` tells what holds where".to_owned(),
            ));
        }
    }
    Ok(notes)
}
