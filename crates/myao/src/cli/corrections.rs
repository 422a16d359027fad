//! `myao memory corrections`: what people put right in the memories of a channel, and taking it back.

use clap::Args;
use myao_core::{chat::Visibility, memory::StepId, text::one_line};
use myao_store::StoredCorrection;
use serde_json::json;

use super::{
    Done, Failure,
    journal::{JournalFormatter, entry_number},
    output,
};
use crate::app::App;

/// The most that are listed, the newest.
const MOST_LISTED: usize = 1000;

#[derive(Debug, Args)]
pub(super) struct CorrectionsArgs {
    /// The channel: `#name`, `name` or its id
    channel: String,
    /// Take this one back, by its journal entry: what says it is written anew without it
    #[arg(long, value_name = "ENTRY")]
    undo: Option<String>,
    /// Print JSON: `entry`, `actor`, `at` and `words` of each; with --undo, of the one that was taken back
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &CorrectionsArgs) -> Result<Done, Failure> {
    let channel = app.channel(&args.channel).await?;
    let memory = app.store.memory();
    let formatter = JournalFormatter::new(app).await?;
    let Some(entry) = &args.undo else {
        let newest = memory.corrections(&Visibility::Owner, &channel.id, MOST_LISTED + 1).await?;
        return print_all(&newest, &formatter, args.json);
    };
    let undone = match entry_number(entry) {
        Some(entry) => memory.correction(&Visibility::Owner, &channel.id, entry).await?,
        None => None,
    };
    let none = || no_such_correction(entry, &formatter.channel(&channel.id));
    let undone = undone.ok_or_else(none)?;
    if !memory.undo_correction(&channel.id, undone.step, app.clock.now()).await? {
        return Err(none());
    }
    if args.json {
        output::say_json(&as_json(&undone))?;
    } else {
        output::print_line(&format!(
            "taken back: {}; what said it is written anew, by `myao run` or `myao memory build`",
            words_of(&undone, &formatter)
        ));
    }
    Ok(Done::All)
}

fn no_such_correction(entry: &str, channel: &str) -> Failure {
    Failure::usage(format!("no correction {entry} stands in {channel}; without --undo they are listed"))
}

fn print_all(
    newest: &[StoredCorrection],
    formatter: &JournalFormatter,
    as_list: bool,
) -> Result<Done, Failure> {
    let older = newest.len().saturating_sub(MOST_LISTED);
    let standing = newest.get(older..).unwrap_or_default();
    if older > 0 {
        output::print_to_stderr(&format!(
            "note: there are more than {MOST_LISTED}; only the newest are listed"
        ));
    }
    if as_list {
        output::say_json(&standing.iter().map(as_json).collect::<Vec<_>>())?;
        return Ok(Done::All);
    }
    if standing.is_empty() {
        output::print_line("nothing was put right there by hand");
        return Ok(Done::All);
    }
    let mut table = output::bare_table(&["entry", "when", "by", "what holds"]);
    for one in standing {
        let StepId(entry) = one.step;
        table.add_row([
            entry.to_string(),
            formatter.when(one.at),
            one.actor.clone(),
            words_of(one, formatter),
        ]);
    }
    output::print_line(&table.to_string());
    Ok(Done::All)
}

/// What holds now, on one line.
fn words_of(one: &StoredCorrection, formatter: &JournalFormatter) -> String {
    match one_line(&formatter.text(&one.words)) {
        words if words.is_empty() => "(struck out)".to_owned(),
        words => words,
    }
}

fn as_json(one: &StoredCorrection) -> serde_json::Value {
    json!({ "entry": one.step.0, "actor": one.actor, "at": one.at, "words": one.words })
}
