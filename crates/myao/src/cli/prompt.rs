//! `myao prompt`.

use clap::Args;
use myao_core::{context::Place, prompt::Prompt};
use serde_json::json;

use super::{Done, Failure, output};
use crate::{app::App, companion::CompanionError};

#[derive(Debug, Args)]
pub(super) struct PromptArgs {
    /// The channel (`#name`, `name` or its id), or a thread in it: `#name:1772501472.673709`
    place: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &PromptArgs) -> Result<Done, Failure> {
    let prompt = prompt(app, &args.place).await?;
    if args.json {
        let left_out: Vec<_> = prompt
            .left_out
            .iter()
            .map(|left| json!({ "item": left.item.to_string(), "tokens": left.tokens }))
            .collect();
        output::say_json(&json!({
            "system": prompt.system,
            "user": prompt.user,
            "tokens": prompt.tokens,
            "shown": prompt.shown.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "left_out": left_out,
            "earlier_messages": prompt.earlier_messages,
        }))?;
        return Ok(Done::All);
    }
    tell(&prompt, app.config.prompt.max_tokens);
    Ok(Done::All)
}

/// Composes the prompt for a place as a person names it.
pub(super) async fn prompt(app: &App, place: &str) -> Result<Prompt, Failure> {
    let (channel, thread) = match place.rsplit_once(':') {
        Some((channel, ts)) => {
            let wrong = |error| Failure::usage(format!("the thread in `{place}`: {error}"));
            (channel, Some(ts.parse().map_err(wrong)?))
        }
        None => (place, None),
    };
    let channel = app.channel(channel).await?.id;
    app.companion().prompt(Place { channel, thread }).await.map_err(|error| match error {
        CompanionError::Store(error) => error.into(),
        other @ (CompanionError::Unknown(_) | CompanionError::Compose(_)) => {
            Failure::usage(other.to_string())
        }
    })
}

/// The prompt on stdout, what it costs and what is not in it on stderr.
pub(super) fn tell(prompt: &Prompt, max_tokens: u32) {
    output::say(&format!("===== system =====\n{}\n\n===== user =====\n{}", prompt.system, prompt.user));
    output::complain(&format!("about {} of at most {max_tokens} tokens", prompt.tokens));
    for left in &prompt.left_out {
        output::complain(&format!("left out: {} ({} tokens)", left.item, left.tokens));
    }
    if prompt.earlier_messages > 0 {
        output::complain(&format!(
            "left out: {} earlier messages of the conversation",
            prompt.earlier_messages
        ));
    }
}
