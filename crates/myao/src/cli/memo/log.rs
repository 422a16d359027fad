//! `myao memo log`: shows who made, changed or removed which memo, and because of which messages.

use clap::Args;
use myao_core::chat::{Message, Names, Visibility};
use myao_store::{MemoActor, MemoDeed, MemoEntry};
use serde_json::{Map, Value, json};

use super::printing::{instant_as_text, source_json};
use crate::{
    app::App,
    cli::{Failure, output},
};

/// How many characters of an id a table shows; `log` accepts them for the id.
const SHORT_ID: usize = 8;
/// The most characters of a field's text, or of a message, in a table.
const CELL: usize = 40;

#[derive(Debug, Args)]
pub(in crate::cli) struct MemoLogArgs {
    /// Only what happened to this memo: its name, one that it had, or its id
    memo: Option<String>,
    /// Show so many entries at most, the newest
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1000))]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &MemoLogArgs) -> Result<(), Failure> {
    let memo = args.memo.as_deref().map(str::trim).filter(|memo| !memo.is_empty());
    let mut entries = app.store.memos().newest_entries(&Visibility::Owner, memo, args.limit).await?;
    entries.reverse();
    let names = app.store.archive().names(&Visibility::Owner).await?;
    if args.json {
        let entries: Vec<Value> = entries.iter().map(|entry| as_json(entry, &names)).collect();
        return output::say_json(&entries);
    }
    if entries.is_empty() {
        output::print_line("nothing is written down of that; the log holds what happened within a year");
        return Ok(());
    }
    let mut table = output::bare_table(&["when", "memo", "id", "of", "what", "by", "because of"]);
    for entry in &entries {
        let of = entry.channel.as_ref();
        table.add_row([
            instant_as_text(app, entry.at),
            output::with_visible_controls(entry.name.as_deref().unwrap_or("(wiped)")),
            entry.memo.as_str().chars().take(SHORT_ID).collect(),
            output::with_visible_controls(
                &of.map_or_else(|| "no channel".to_owned(), |id| format!("#{}", names.channel(id))),
            ),
            output::with_visible_controls(&what_was_done(entry)),
            output::with_visible_controls(&who_did_it(entry, &names)),
            output::with_visible_controls(&messages_answered(entry, &names)),
        ]);
    }
    output::say_table(&table);
    Ok(())
}

/// What was done, and which fields it changed.
fn what_was_done(entry: &MemoEntry) -> String {
    let text = |fields: &Map<String, Value>, field: &str| match fields.get(field) {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => format!("“{}”", in_short(text)),
        Some(other) => in_short(&other.to_string()),
    };
    let change = |field: &String| match (entry.wiped_at, entry.before.is_empty(), entry.after.is_empty()) {
        (Some(_), ..) => field.clone(),
        (None, true, _) => format!("{field} {}", text(&entry.after, field)),
        (None, false, true) => format!("{field} was {}", text(&entry.before, field)),
        (None, false, false) => {
            format!("{field} {} → {}", text(&entry.before, field), text(&entry.after, field))
        }
    };
    let changes = entry.fields.iter().filter(|field| *field != "name" || !entry.before.is_empty());
    let changes: Vec<String> = changes.map(change).collect();
    let deed = entry.deed.as_str();
    if entry.deed == MemoDeed::Placed {
        let of = |fields: &Map<String, Value>| {
            fields.values().find_map(Value::as_str).map_or("?", audience_in_words).to_owned()
        };
        return format!("{deed}: {} → {}", of(&entry.before), of(&entry.after));
    }
    if changes.is_empty() { deed.to_owned() } else { format!("{deed}: {}", changes.join("; ")) }
}

/// Who saw a memo, in words; which channel is another column.
fn audience_in_words(stored: &str) -> &str {
    match stored {
        "owner" => "only you",
        "channel" => "a channel",
        other => other,
    }
}

fn who_did_it(entry: &MemoEntry, names: &Names) -> String {
    match &entry.by {
        MemoActor::Person(name) => format!("{name}, by hand"),
        MemoActor::Reply { reply, asked, .. } => match names_of_authors(asked, names).as_slice() {
            [] => format!("reply {reply}"),
            people => format!("reply {reply} to {}", people.join(", ")),
        },
        MemoActor::Program => "myao".to_owned(),
    }
}

/// The names of the people who wrote these messages, each once.
fn names_of_authors<'a>(messages: &'a [Message], names: &'a Names) -> Vec<&'a str> {
    let mut people: Vec<&str> = Vec::new();
    for name in messages.iter().map(|message| names.user(&message.user)) {
        if !people.contains(&name) {
            people.push(name);
        }
    }
    people
}

/// The messages that were answered, with their current text.
fn messages_answered(entry: &MemoEntry, names: &Names) -> String {
    let told = |message: &Message| {
        if message.deleted {
            return format!("{} (deleted)", message.ts);
        }
        format!("{} {}", message.ts, in_short(&names.resolve(&message.text)))
    };
    match (&entry.by, entry.deed) {
        (MemoActor::Reply { asked, .. }, _) => asked.iter().map(told).collect::<Vec<_>>().join("; "),
        (MemoActor::Program, MemoDeed::Gone) => "words it was made from were removed".to_owned(),
        (MemoActor::Program, _) => "its channel got another id, where the name was taken".to_owned(),
        (MemoActor::Person(_), _) => String::new(),
    }
}

fn in_short(text: &str) -> String {
    output::shorten_text(&output::one_line(text), CELL)
}

fn as_json(entry: &MemoEntry, names: &Names) -> Value {
    let (by, reply, posted, asked): (_, _, _, &[Message]) = match &entry.by {
        MemoActor::Person(name) => (Some(name), None, None, &[]),
        MemoActor::Reply { reply, asked, posted_ts } => (None, Some(reply.0), *posted_ts, asked),
        MemoActor::Program => (None, None, None, &[]),
    };
    json!({
        "entry": entry.id, "at": entry.at, "id": entry.memo.as_str(), "name": entry.name,
        "what": entry.deed.as_str(), "channel": entry.channel.as_ref().map(|id| names.channel(id)),
        "channel_id": entry.channel, "by_hand": by, "reply": reply, "posted_ts": posted,
        "asked": asked.iter().map(|message| source_json(message, names)).collect::<Vec<_>>(),
        "fields": entry.fields, "before": entry.before, "after": entry.after, "wiped_at": entry.wiped_at,
    })
}
