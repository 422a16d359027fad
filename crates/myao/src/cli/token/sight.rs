//! What a token sees, as the owner says it and as they are told.

use std::collections::BTreeSet;

use myao_core::chat::{AgentSees, AgentToken, ChannelId, Mentions, Names, Visibility};
use serde_json::{Value, json};

use crate::{app::App, failure::Failure};

const OWNER: &str = "owner";
const OPEN: &str = "open";

/// What `--sees` says.
pub(super) async fn read(app: &App, words: &[String]) -> Result<AgentSees, Failure> {
    match words {
        [] => return Ok(AgentSees::Open),
        [one] if one == OPEN => return Ok(AgentSees::Open),
        [one] if one == OWNER => return Ok(AgentSees::Owner),
        _ => {}
    }
    if let Some(word) = words.iter().find(|word| *word == OPEN || *word == OWNER) {
        return Err(Failure::usage(format!(
            "--sees {word} stands alone; a channel of this name is written `#{word}`"
        )));
    }
    let mut channels = BTreeSet::new();
    for word in words {
        let channel = app.channel(word).await?;
        if channel.id.agent().is_some() {
            return Err(Failure::usage(format!(
                "`{word}` is a conversation that an agent stored: only that agent reads it"
            )));
        }
        channels.insert(channel.id);
    }
    Ok(AgentSees::Channels(channels))
}

/// The names that these channels have now.
pub(super) async fn names_of(app: &App, tokens: impl Iterator<Item = &AgentToken>) -> Result<Names, Failure> {
    let mut channels: BTreeSet<ChannelId> = BTreeSet::new();
    for token in tokens {
        if let AgentSees::Channels(named) = &token.sees {
            channels.extend(named.iter().cloned());
        }
    }
    let mentions = Mentions { channels, ..Mentions::default() };
    Ok(app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?)
}

/// As a list shows it: `open channels`, `everything`, `#hiring, #general`.
pub(super) fn in_words(sees: &AgentSees, names: &Names) -> String {
    match sees {
        AgentSees::Owner => "everything".to_owned(),
        AgentSees::Open => "open channels".to_owned(),
        AgentSees::Channels(channels) => {
            let labels: Vec<String> = channels.iter().map(|id| format!("#{}", names.channel(id))).collect();
            labels.join(", ")
        }
    }
}

/// What it means that an agent sees this; stands after the words of [`in_words`].
pub(super) fn meaning(sees: &AgentSees) -> &'static str {
    match sees {
        AgentSees::Owner => {
            "whatever you see here, every private channel, every direct message, all memos. What the \
             agent does with it, and who its maker is, myao does not know: give it to none whose answers others read"
        }
        AgentSees::Open => "what everybody in the workspace may read, no private channel, no direct message",
        AgentSees::Channels(_) => {
            "what answers there may draw on: these channels, and the other open ones if one of these is open"
        }
    }
}

pub(super) fn as_json(sees: &AgentSees, names: &Names) -> Value {
    match sees {
        AgentSees::Owner => json!(OWNER),
        AgentSees::Open => json!(OPEN),
        AgentSees::Channels(channels) => {
            channels.iter().map(|id| json!({"id": id.as_str(), "name": names.channel(id)})).collect()
        }
    }
}
