//! Lists which messages hold secrets: where, when and of which kind, so that a person can delete them and make new
//! ones. The secret itself is never shown.

use myao_core::chat::{Mentions, Names, Visibility};
use myao_store::SecretMessage;
use serde_json::{Value, json};

use super::{Failure, Labels, output};
use crate::app::App;

/// The most messages that are listed, the newest.
const LISTED: u64 = 10;
/// The most messages with `--json`: still few enough to go through by hand.
const IN_JSON: u64 = 1000;

/// A message that holds a secret, with what a person needs to find it.
struct ShownSecret {
    message: SecretMessage,
    channel: String,
    permalink: Option<String>,
}

/// How many messages hold secrets, and the newest of them, at most `most`.
async fn newest_with_secrets(app: &App, most: u64) -> Result<(u64, Vec<ShownSecret>), Failure> {
    let (all, newest) = app.store.archive().messages_with_secrets(most).await?;
    let channels = newest.iter().map(|message| message.channel.clone()).collect();
    let mentions = Mentions { channels, ..Mentions::default() };
    let names: Names = app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?;
    let team_url = app.store.archive().team_url().await?;
    let mut shown = Vec::new();
    for message in newest {
        let stands = app.store.archive().message(&Visibility::Owner, &message.channel, message.ts).await?;
        let thread = stands.and_then(|message| message.thread_ts);
        let link = |url: &str| myao_slack::permalink_of_message(url, &message.channel, message.ts, thread);
        let permalink = team_url.as_deref().and_then(link);
        let channel = names.channel(&message.channel).to_owned();
        shown.push(ShownSecret { message, channel, permalink });
    }
    Ok((all, shown))
}

pub(super) async fn print_secret_counts(app: &App, labels: &Labels) -> Result<(), Failure> {
    let (all, newest) = newest_with_secrets(app, LISTED).await?;
    if all == 0 {
        return Ok(());
    }
    output::print_line(&format!(
        "messages with secrets: {all}. Nobody is shown them; whoever posted one should delete it and have a new one made"
    ));
    for ShownSecret { message, permalink, .. } in &newest {
        let channel = labels.channel(&message.channel);
        let at = labels.when(message.ts.to_timestamp());
        let link = permalink.as_deref().map_or_else(String::new, |link| format!(" {link}"));
        output::print_line(&format!("  {} in {channel} at {at}{link}", message.kinds.join(", ")));
    }
    if let Some(more) = all.checked_sub(newest.len() as u64).filter(|more| *more > 0) {
        output::print_line(&format!(
            "  and {}; --json lists {IN_JSON}",
            output::count_with_noun(more, "earlier one")
        ));
    }
    Ok(())
}

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let (all, newest) = newest_with_secrets(app, IN_JSON).await?;
    let shown = |shown: &ShownSecret| {
        json!({
            "channel": shown.message.channel,
            "name": shown.channel,
            "ts": shown.message.ts.to_string(),
            "at": shown.message.ts.to_timestamp(),
            "kinds": shown.message.kinds,
            "permalink": shown.permalink,
        })
    };
    Ok(json!({ "secrets": all, "messages_with_secrets": newest.iter().map(shown).collect::<Vec<_>>() }))
}
