//! Lists what was forgotten: who had it done, when, and how far it reached. No words that were forgotten stand in it.

use myao_core::chat::{Mentions, MessageTs, Names, Visibility};
use myao_store::Forgetting;
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

/// How many entries are listed.
const LISTED: u64 = 100;

pub(super) async fn run(app: &App, as_json: bool) -> Result<Done, Failure> {
    let forgettings = app.store.forget().list_newest(LISTED).await?;
    let names = names_of_channels(app, &forgettings).await?;
    if as_json {
        output::say_json(&json_of(&forgettings, &names))?;
        return Ok(Done::All);
    }
    if forgettings.is_empty() {
        output::print_line("nothing was forgotten yet");
        return Ok(Done::All);
    }
    let zone = &app.config.locale.timezone;
    let mut table = output::bare_table(&["when", "by", "what", "messages", "texts", "memos", "state"]);
    for forgetting in &forgettings {
        table.add_row([
            forgetting.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
            output::with_visible_controls(&forgetting.by),
            output::with_visible_controls(&reach_in_words(forgetting, &names, |ts| {
                ts.to_timestamp().to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
            })),
            forgetting.messages.to_string(),
            forgetting.texts.to_string(),
            forgetting.memos.to_string(),
            forgetting.stage.as_str().to_owned(),
        ]);
    }
    output::say_table(&table);
    Ok(Done::All)
}

/// The names of the channels in which something was forgotten.
pub(super) async fn names_of_channels(app: &App, forgettings: &[Forgetting]) -> Result<Names, Failure> {
    let channels = forgettings.iter().filter_map(|forgetting| forgetting.channel.clone()).collect();
    let mentions = Mentions { channels, ..Mentions::default() };
    Ok(app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?)
}

/// How far a forgetting reached, in words.
fn reach_in_words(forgetting: &Forgetting, names: &Names, when: impl Fn(MessageTs) -> String) -> String {
    let mut parts = Vec::new();
    if forgetting.of_person {
        parts.push("of one person".to_owned());
    }
    if let Some(channel) = &forgetting.channel {
        parts.push(format!("in #{}", names.channel(channel)));
    }
    if forgetting.by_words {
        parts.push("with certain words".to_owned());
    }
    if forgetting.from == forgetting.to {
        parts.push(format!("one message of {}", when(forgetting.to)));
    } else {
        if forgetting.from != MessageTs::MIN {
            parts.push(format!("from {}", when(forgetting.from)));
        }
        parts.push(format!("up to {}", when(forgetting.to)));
    }
    parts.join(", ")
}

pub(super) fn json_of(forgettings: &[Forgetting], names: &Names) -> Value {
    let one = |forgetting: &Forgetting| {
        let from = (forgetting.from != MessageTs::MIN).then(|| forgetting.from.to_timestamp());
        json!({
            "id": forgetting.id, "at": forgetting.at, "by": forgetting.by,
            "channel": forgetting.channel.as_ref().map(|id| names.channel(id)), "channel_id": forgetting.channel,
            "of_person": forgetting.of_person, "by_words": forgetting.by_words, "from": from,
            "to": forgetting.to.to_timestamp(), "state": forgetting.stage.as_str(),
            "messages": forgetting.messages, "texts": forgetting.texts, "memos": forgetting.memos,
            "done_at": forgetting.done_at,
        })
    };
    forgettings.iter().map(one).collect()
}
