//! `myao loops`: what people promised, what waits for an answer, and which dates are to come.

use clap::Args;
use jiff::Timestamp;
use myao_companion::open_loops::{DAYS_LOOKED_BACK, OpenLoopsFound, OpenLoopsQuery, find_open_loops};
use myao_core::{
    chat::{MessageTs, UserId, Visibility},
    loops::{LoopKind, LoopsAsked, LoopsAskedFor, OpenLoop},
    wording::moment_in_prompt,
};
use serde_json::{Value, json};

use super::{
    Done, Failure,
    as_of::{self, AsOfArgs},
    output,
};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct LoopsArgs {
    /// Only what was said in this channel: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// Only what is of this person, who promised it, is asked or asks: a name, `@name`, or an id
    #[arg(long, value_name = "PERSON")]
    of: Option<String>,
    /// Show only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is shown, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    #[command(flatten)]
    as_of: AsOfArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl LoopsArgs {
    /// The place that is asked for.
    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// The person that is asked for, as named.
    pub(super) fn person(&self) -> Option<&str> {
        self.of.as_deref()
    }
}

/// Lists what is open, as far as `visibility` shows it, that of the place that was asked for; of one person, if given.
pub(super) async fn run(
    app: &App,
    args: &LoopsArgs,
    visibility: &Visibility,
    of: Option<UserId>,
) -> Result<Done, Failure> {
    let channel = match &args.channel {
        Some(wanted) => Some(app.channel(wanted).await?.id),
        None => None,
    };
    let instant = args.as_of.instant(app, visibility, channel.as_ref()).await?;
    let query = OpenLoopsQuery {
        visibility,
        channel: channel.as_ref(),
        asked: &LoopsAskedFor { what: LoopsAsked::All, of },
        at: instant.map_or_else(|| app.clock.now(), MessageTs::to_timestamp),
        zone: &app.config.locale.timezone,
        language: app.config.locale.language,
    };
    let found = find_open_loops(&app.store, &query).await?;
    if args.json {
        output::say_json(&as_json(&found, query.at))?;
    } else {
        if let Some(instant) = instant {
            output::print_line(&format!("{}\n", as_of::heading(app, instant)));
        }
        print_report(app, &found);
    }
    Ok(Done::All)
}

fn print_report(app: &App, found: &OpenLoopsFound) {
    if found.open.is_empty() {
        output::print_line(&format!("nothing is open in the talk of the last {DAYS_LOOKED_BACK} days"));
        return;
    }
    let mut is_first = true;
    for (kind, heading) in [
        (LoopKind::Promise, "Promised:"),
        (LoopKind::Question, "Waits for an answer:"),
        (LoopKind::Coming, "To come:"),
    ] {
        let of_kind: Vec<&OpenLoop> = found.open.iter().filter(|one| one.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        output::print_line(&format!("{}{heading}", if is_first { "" } else { "\n" }));
        is_first = false;
        for one in of_kind {
            let when = moment_in_prompt(one.ts, &app.config.locale.timezone);
            let channel = found.names.channel(&one.channel);
            output::print_line(&format!("\n{}  #{channel}, {when}", found.label(one)));
            output::print_line(&format!("  {}", found.words(one)));
            if let Some(permalink) = found.permalink(one) {
                output::print_line(&format!("  {permalink}"));
            }
        }
    }
}

fn as_json(found: &OpenLoopsFound, at: Timestamp) -> Value {
    let name = |user: &UserId| found.names.user(user).to_owned();
    let one = |open: &OpenLoop| {
        json!({
            "kind": open.kind.as_str(),
            "who_id": open.who,
            "who": open.who.as_ref().map(name),
            "whom_id": open.whom,
            "whom": open.whom.as_ref().map(name),
            "text": found.words(open),
            "by": open.by.map(|by| by.to_string()),
            "channel": found.names.channel(&open.channel),
            "channel_id": open.channel,
            "ts": open.ts,
            "asked_ts": open.asked_at,
            "permalink": found.permalink(open),
        })
    };
    json!({ "as_of": at, "loops": found.open.iter().map(one).collect::<Vec<_>>() })
}
