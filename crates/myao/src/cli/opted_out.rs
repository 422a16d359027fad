//! Finds people and channels of `privacy.never_remember`, and people who asked it themselves, of whom something is archived
//! nevertheless. It stays until a person has it forgotten.

use myao_store::{AskedBy, OptOut};
use serde_json::{Value, json};

use super::{Failure, output};
use crate::app::App;

/// What to say about an entry of `privacy.never_remember`, and what to do about it. `None` if all is well.
pub(super) fn note_on_entry(out: &OptOut) -> Option<(String, String)> {
    let entry = output::with_visible_controls(&out.entry);
    let OptOut { archived, ids, .. } = out;
    let (what, option) = if out.is_channel { ("channel", "--channel") } else { ("person", "--user") };
    if ids.is_empty() {
        let text = format!("no {what} with the id or name `{entry}` is known yet");
        return Some((text, "an id holds from the first message on, a name once it is known".to_owned()));
    }
    if *archived == 0 {
        return None;
    }
    let commands: Vec<String> = ids.iter().map(|id| format!("`myao forget {option} {id} --yes`")).collect();
    let who = match out.asked_by {
        AskedBy::Owner => String::new(),
        AskedBy::Themselves => ", who asked it themselves,".to_owned(),
    };
    let count = output::count_with_noun(*archived, "message");
    let text = format!("{count} of {what} `{entry}`{who} archived");
    Some((text, format!("{} forgets them, in memories too", commands.join(", "))))
}

/// Prints the notes on all entries.
pub(super) async fn print_notes(app: &App, say: fn(&str)) -> Result<(), Failure> {
    for (text, advice) in app.store.hearing().opt_outs_with_counts().await?.iter().filter_map(note_on_entry) {
        say(&format!("privacy.never_remember: {text}; {advice}"));
    }
    Ok(())
}

/// All entries as JSON.
pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let opted_out = app.store.hearing().opt_outs_with_counts().await?;
    let one = |out: &OptOut| {
        json!({
            "kind": if out.is_channel { "channel" } else { "user" }, "entry": out.entry, "ids": out.ids,
            "archived": out.archived, "asked_by": asked_by(out),
        })
    };
    Ok(json!({ "never_remember": opted_out.iter().map(one).collect::<Vec<_>>() }))
}

const fn asked_by(out: &OptOut) -> &'static str {
    match out.asked_by {
        AskedBy::Owner => "owner",
        AskedBy::Themselves => "themselves",
    }
}
