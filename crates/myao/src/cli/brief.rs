//! `myao brief`: what somebody missed: what was decided, what changed, what was asked of them.

use clap::Args;
use myao_companion::brief::{Brief, BriefChange, BriefOrder, BriefSince, make_brief};
use myao_core::{
    chat::{Message, UserId, Visibility},
    recall::brief::BriefWish,
};
use myao_slack::permalink_of_message;
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct BriefArgs {
    /// Who was away: a person's name or id
    #[arg(long = "as", value_name = "USER")]
    user: String,
    /// The channel: `#name`, `name` or its id [default: all channels]
    channel: Option<String>,
    /// Since this: a date (2026-03-01), a number of days (7d), or a name (monday, yesterday, 先週) [default: since they
    /// were last here]
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Show only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is shown, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Somebody was last here when they said something in these channels, and then nothing for half an hour. If nothing of theirs \
is known, the last seven days are told. What they answered since is not asked of them any more.";

impl BriefArgs {
    /// Who was away, as it was typed.
    pub(super) fn user(&self) -> &str {
        &self.user
    }

    /// The place that is asked for.
    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

/// Tells what this person missed, as far as `visibility` shows it: that of the place that was asked for.
pub(super) async fn run(
    app: &App,
    args: &BriefArgs,
    visibility: &Visibility,
    user: &UserId,
) -> Result<Done, Failure> {
    let zone = &app.config.locale.timezone;
    let now = app.clock.now();
    let mut wish = BriefWish::of_command(args.since.as_deref().unwrap_or_default(), now, zone)
        .map_err(|words| Failure::usage(format!("--since: `{words}` names no day that has come")))?;
    if let Some(channel) = &args.channel {
        wish.channels = vec![app.channel(channel).await?.id];
    }
    let language = app.config.locale.language;
    let order = BriefOrder { visibility, user, wish: &wish, place: None, now, zone, language };
    let brief = make_brief(&app.store, order).await?;
    let team_url = app.store.archive().team_url().await?;
    if args.json {
        output::say_json(&as_json(&brief, team_url.as_deref()))?;
        return Ok(Done::All);
    }
    output::print_line(&brief.heading(&order));
    for section in brief.sections(&order, team_url.as_deref()) {
        output::print_line(&format!("\n{}:", section.heading));
        for line in section.lines {
            let label = line.label.map(|label| format!("{label}  ")).unwrap_or_default();
            output::print_line(&format!("{label}{}", line.text));
            if let Some(address) = line.address {
                output::print_line(&format!("  {address}"));
            }
        }
    }
    Ok(Done::All)
}

fn as_json(brief: &Brief, team_url: Option<&str>) -> Value {
    let names = &brief.names;
    let message = |message: &Message| {
        let permalink = team_url
            .and_then(|url| permalink_of_message(url, &message.channel, message.ts, message.thread_ts));
        json!({
            "channel": names.channel(&message.channel), "channel_id": message.channel, "ts": message.ts.to_string(),
            "at": message.ts.to_timestamp(), "user": names.user(&message.user), "user_id": message.user,
            "text": names.resolve(&message.text), "permalink": permalink,
        })
    };
    let change = |change: &BriefChange| {
        let BriefChange { was, is, source } = change;
        let permalink =
            source.and_then(|(ts, thread)| permalink_of_message(team_url?, &is.channel, ts, thread));
        json!({
            "channel": names.channel(&is.channel), "channel_id": is.channel,
            "day": is.day.map(|day| day.to_string()), "was": names.show(&was.words), "is": names.show(&is.words),
            "permalink": permalink,
        })
    };
    let [more_asked, more_decided, more_changed] = brief.more;
    let because = match brief.because {
        BriefSince::Told => "told",
        BriefSince::LastHere => "last_here",
        BriefSince::Usual => "usual",
    };
    json!({
        "since": brief.since.to_timestamp(), "because": because,
        "messages": brief.messages, "channels": brief.channels, "is_cut": brief.is_cut,
        "asked": brief.asked.iter().map(message).collect::<Vec<_>>(),
        "decided": brief.decided.iter().map(message).collect::<Vec<_>>(),
        "changed": brief.changed.iter().map(change).collect::<Vec<_>>(),
        "more": { "asked": more_asked, "decided": more_decided, "changed": more_changed },
    })
}
