//! `myao memory diff`: shows what changed between two texts of a memory.

use std::io::{self, IsTerminal as _};

use clap::{Args, ValueEnum};
use myao_config::TerminalUser;
use myao_core::{
    chat::Visibility,
    memory::{Change, DiffPiece, diff_of_words},
};
use myao_store::{JournalEntry, MemoryKey};
use serde_json::json;

use super::{
    Done, Failure,
    journal::{self, JournalFormatter, entry_json},
    output,
};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// A journal entry; or a channel (`#name`, `name` or its id): the last two texts of its long-term memory
    #[arg(value_name = "ENTRY|CHANNEL", required_unless_present = "workspace")]
    from: Option<String>,
    /// The entry to compare with [default: what the memory says now]
    #[arg(value_name = "ENTRY")]
    to: Option<String>,
    /// The last two texts of the workspace's memory
    #[arg(long, conflicts_with_all = ["from", "to"])]
    workspace: bool,
    /// Mark changes by colour, or with [-removed-] and {+added+}
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    /// Print JSON: `from` and `to`, each an entry as in `memory log --json`, and `pieces`, each with `change`
    /// (`kept`, `removed`, `added`) and `text`
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// Where a person watches and did not set `NO_COLOR`.
    Auto,
    Always,
    Never,
}

pub(super) async fn run(app: &App, args: &DiffArgs) -> Result<Done, Failure> {
    let (from, to) = both_sides(app, args).await?;
    let formatter = JournalFormatter::new(app).await?;
    let before = text_of_entry(&from)?;
    let after = text_of_entry(&to)?;
    let pieces = if args.json {
        diff_of_words(before, after)
    } else {
        diff_of_words(&formatter.text(before), &formatter.text(after))
    };
    if args.json {
        let pieces: Vec<_> =
            pieces.iter().map(|p| json!({ "change": p.change.as_str(), "text": p.text })).collect();
        output::say_json(&json!({
            "from": entry_json(&from, &formatter),
            "to": entry_json(&to, &formatter),
            "pieces": pieces,
        }))?;
        return Ok(Done::All);
    }
    output::print_to_stderr(&format!("from {}", journal::entry_as_line(&from, &formatter)));
    output::print_to_stderr(&format!("to   {}", journal::entry_as_line(&to, &formatter)));
    if pieces.iter().all(|piece| piece.change == Change::Kept) {
        output::print_to_stderr("the same, word for word");
    }
    let is_coloured = match args.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => io::stdout().is_terminal() && !TerminalUser::at_the_terminal().plain,
    };
    let marked = if is_coloured { in_colours } else { in_brackets };
    // `marked` makes the memory's own control characters visible; only our colours are left.
    output::say_marked(&pieces.iter().map(marked).collect::<String>());
    Ok(Done::All)
}

async fn both_sides(app: &App, args: &DiffArgs) -> Result<(JournalEntry, JournalEntry), Failure> {
    match (&args.from, &args.to) {
        (None, _) => last_two(app, &MemoryKey::workspace(), "the workspace").await,
        (Some(from), Some(to)) => {
            Ok((journal::find_entry(app, from).await?, journal::find_entry(app, to).await?))
        }
        (Some(from), None) if journal::entry_number(from).is_some() => {
            let from = journal::find_entry(app, from).await?;
            let now = app
                .store
                .memory()
                .journal_of_memory(&Visibility::Owner, &from.key)
                .await?
                .into_iter()
                .find(|entry| entry.is_current);
            let gone = || Failure::usage("that memory is gone; name a second entry to compare with");
            Ok((from, now.ok_or_else(gone)?))
        }
        (Some(channel), None) => {
            let channel = app.channel(channel).await?;
            last_two(app, &MemoryKey::long_term(&channel.id), &format!("#{}", channel.name)).await
        }
    }
}

/// The previous and the current text of a memory.
async fn last_two(app: &App, key: &MemoryKey, whose: &str) -> Result<(JournalEntry, JournalEntry), Failure> {
    let entries = app.store.memory().journal_of_memory(&Visibility::Owner, key).await?;
    let now = entries.iter().position(|entry| entry.is_current);
    let (before, from_now) = entries.split_at(now.unwrap_or(0));
    let before =
        before.iter().rev().find(|entry| entry.content.as_ref().is_some_and(|text| !text.is_empty()));
    match (before, from_now.first()) {
        (Some(before), Some(now)) => Ok((before.clone(), now.clone())),
        _ => Err(Failure::usage(format!("the long-term memory of {whose} has no two texts to compare yet"))),
    }
}

fn text_of_entry(entry: &JournalEntry) -> Result<&str, Failure> {
    let missing = || {
        let gone = if entry.is_wiped() { "was wiped" } else { "was never kept" };
        Failure::usage(format!("the text of entry {} {gone}", entry.step))
    };
    entry.content.as_deref().ok_or_else(missing)
}

fn in_brackets(piece: &DiffPiece) -> String {
    let text = output::with_visible_controls(&piece.text);
    match piece.change {
        Change::Kept => text,
        Change::Removed => format!("[-{text}-]"),
        Change::Added => format!("{{+{text}+}}"),
    }
}

/// Removed text is struck out in red, added text is underlined in green, to tell them apart without colours too.
fn in_colours(piece: &DiffPiece) -> String {
    let text = output::with_visible_controls(&piece.text);
    let code = match piece.change {
        Change::Kept => return text,
        Change::Removed => "\u{1b}[31;9m",
        Change::Added => "\u{1b}[32;4m",
    };
    // Line by line, so that a pager shows it right from any line on.
    let lines: Vec<String> = text.split('\n').map(|line| format!("{code}{line}\u{1b}[0m")).collect();
    lines.join("\n")
}
