//! `myao memory person`: shows what is remembered of and by somebody, line by line, with sources.

use clap::Args;
use myao_companion::tools::recall::source_of_line;
use myao_core::chat::{Channel, MessageTs, Names, User, Visibility, name_in_talk};
use myao_store::{PersonLine, PersonLines};
use serde_json::{Value, json};

use super::{
    Done, Failure,
    as_of::{self, AsOfArgs},
    ends, output, recall,
};
use crate::app::App;

/// The most lines that can be asked for.
const MOST_LINES: i64 = 2000;

#[derive(Debug, Args)]
pub(super) struct PersonArgs {
    /// Who: a name or a part of one, `@name`, or an id
    name: String,
    /// Show only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is shown, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// Show so many lines at most: the newest that hold, then those that hold no more
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=MOST_LINES))]
    last: u16,
    #[command(flatten)]
    as_of: AsOfArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A line of a memory, with the message that it comes from.
struct SourcedLine {
    line: PersonLine,
    /// The address of the message that the line most likely comes from.
    permalink: Option<String>,
}

/// Everything that is shown about a person.
struct PersonReport<'a> {
    user: &'a User,
    /// What they were called before, the latest first.
    former: Vec<String>,
    place: Option<&'a Channel>,
    lines: Vec<SourcedLine>,
    /// How many lines there are in all.
    all: u64,
    /// The instant as of which it is told.
    instant: Option<MessageTs>,
    names: Names,
}

pub(super) async fn run(app: &App, args: &PersonArgs) -> Result<Done, Failure> {
    let (user, former) = recall::meant::find_person_with_names(app, &args.name).await?;
    let (place, visibility) = recall::place_and_visibility(app, args.place.as_deref()).await?;
    let instant = args.as_of.instant(app, &visibility, None).await?;
    let most = usize::from(args.last);
    let memories = app.store.recall();
    let PersonLines { lines, all, .. } = match instant {
        None => memories.lines_of_person(&visibility, &user.id, most).await?,
        Some(instant) => memories.lines_of_person_as_of(&visibility, &user.id, most, instant).await?,
    };
    let names = app.store.archive().names(&visibility).await?.in_language(app.config.locale.language);
    let lines = lines_with_sources(app, &visibility, lines).await?;
    let report = PersonReport { user: &user, former, place: place.as_ref(), lines, all, instant, names };
    if args.json {
        output::say_json(&as_json(&report))?;
    } else {
        if let Some(instant) = instant {
            output::print_line(&format!("{}\n", as_of::heading(app, instant)));
        }
        print_report(&report);
    }
    if let Some(instant) = instant {
        as_of::note_removed(&app.store.memory().removed_as_of(&visibility, &[], instant).await?);
    }
    if !app.store.recall().index_progress().await?.finds_all {
        output::print_to_stderr(
            "note: not all memories are looked through yet; `myao memory build` and `myao run` go on with it",
        );
    }
    Ok(Done::All)
}

/// The lines with the addresses of the messages they come from, if the address of the workspace is known.
async fn lines_with_sources(
    app: &App,
    visibility: &Visibility,
    lines: Vec<PersonLine>,
) -> Result<Vec<SourcedLine>, Failure> {
    let team_url = app.store.archive().team_url().await?;
    let mut sourced = Vec::new();
    for line in lines {
        let mut permalink = None;
        if let Some(team_url) = &team_url {
            let source = source_of_line(
                &app.store,
                visibility,
                line.words.as_str(),
                &line.channel,
                line.until,
                app.clock.now(),
            )
            .await?;
            permalink = source.and_then(|(ts, thread)| {
                myao_slack::permalink_of_message(team_url, &line.channel, ts, thread)
            });
        }
        sourced.push(SourcedLine { line, permalink });
    }
    Ok(sourced)
}

fn print_report(report: &PersonReport<'_>) {
    let name = name_in_talk(&report.user.name);
    let whom =
        if name.is_empty() { report.user.id.to_string() } else { format!("{name} ({})", report.user.id) };
    let before = match &report.former[..] {
        [] => String::new(),
        former => format!(", before {}", former.join(", ")),
    };
    let whom = format!("{whom}{before}");
    let seen = report.place.map(|place| format!(" that #{} may see", place.name)).unwrap_or_default();
    if report.lines.is_empty() {
        output::print_line(&format!("no memory{seen} names {whom}"));
        return;
    }
    output::print_line(&format!("{whom}: lines of memories{seen}"));
    let (hold, ended): (Vec<_>, Vec<_>) = report.lines.iter().partition(|line| line.line.ended.is_none());
    for line in hold {
        tell_line(line, &report.names);
    }
    if !ended.is_empty() {
        output::print_line("\nNo longer in force:");
    }
    for line in ended {
        tell_line(line, &report.names);
    }
    let left_out = left_out(report);
    if left_out > 0 {
        output::print_line(&format!("\n… and {left_out} more; `--last` shows them"));
    }
}

fn tell_line(sourced: &SourcedLine, names: &Names) {
    let line = &sourced.line;
    let day = line.day.map(|day| format!("{day}  ")).unwrap_or_default();
    let channel = names.channel(&line.channel);
    output::print_line(&format!("\n{day}#{channel}  {}", names.show(&line.words)));
    if let Some(end) = &line.ended {
        output::print_line(&format!("  {}", ends::what_replaced_line(end, names)));
    }
    output::print_line(&format!("  myao memory show '{}' --version {}", line.channel, line.version));
    if let Some(permalink) = &sourced.permalink {
        output::print_line(&format!("  {permalink}"));
    }
}

fn left_out(report: &PersonReport<'_>) -> u64 {
    report.all.saturating_sub(u64::try_from(report.lines.len()).unwrap_or(u64::MAX))
}

fn as_json(report: &PersonReport<'_>) -> Value {
    let names = &report.names;
    let line = |sourced: &SourcedLine| {
        let line = &sourced.line;
        json!({
            "day": line.day.map(|day| day.to_string()),
            "channel": names.channel(&line.channel),
            "channel_id": line.channel,
            "version": line.version,
            "entry": line.step.0,
            "text": names.show(&line.words),
            "permalink": sourced.permalink,
            "until": line.ended.as_ref().map(|end| end.day.to_string()),
            "replaced_by": line.ended.as_ref().map(|end| ends::replacement_json(end, names)),
        })
    };
    json!({
        "person": {
            "id": report.user.id,
            "name": name_in_talk(&report.user.name),
            "former_names": report.former,
        },
        "place": report.place.map(|place| &place.id),
        "as_of": report.instant.map(MessageTs::to_timestamp),
        "lines": report.lines.iter().map(line).collect::<Vec<_>>(),
        "in_all": report.all,
        "left_out": left_out(report),
    })
}
