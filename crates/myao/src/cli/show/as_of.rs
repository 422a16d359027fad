//! `myao memory show --as-of`: what was remembered of a channel or the workspace, and what had been said beside it.

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, Message, MessageTs, Names, Visibility},
    memory::{lines_ended_within, mark_line_ends},
    wording::{MESSAGE_LIMIT, TalkFormat, lines_as_text, messages_as_lines, moment_in_prompt},
};
use myao_store::{AsOfQuery, ChannelAsOf, JournalEntry, VersionAsOf};
use serde_json::{Value, json};

use super::ShowArgs;
use crate::{
    app::App,
    cli::{Done, Failure, as_of, ends, output},
};

/// The most messages after the last chapter that are shown.
const MOST_TALK: usize = 200;

/// Prints the memory of a channel as of an instant.
pub(super) async fn print_channel(
    app: &App,
    channel: &Channel,
    args: &ShowArgs,
    instant: MessageTs,
) -> Result<Done, Failure> {
    let versions = if args.version.is_some() { usize::MAX } else { app.config.memory.history.shown().max(1) };
    let query = AsOfQuery { instant, versions, most_talk: MOST_TALK };
    let stood = app.store.memory().channel_as_of(&Visibility::Owner, &channel.id, query).await?;
    let Some(mut stood) = stood else {
        return Err(Failure::usage(format!("#{} opted out: nothing of it is shown", channel.name)));
    };
    let names = app.store.archive().names(&Visibility::Owner).await?;
    if let Some(wanted) = args.version {
        stood.versions.retain(|version| version.version == wanted);
        if stood.versions.is_empty() {
            return Err(Failure::usage(format!("#{} had no version {wanted} then", channel.name)));
        }
        (stood.long_term, stood.talk, stood.earlier_talk) = (None, Vec::new(), 0);
    }
    if args.json {
        output::say_json(&as_json(channel, &stood, instant, &names))?;
        return Ok(Done::All);
    }
    print_texts(app, channel, &stood, instant, &names);
    Ok(Done::All)
}

fn print_texts(app: &App, channel: &Channel, stood: &ChannelAsOf, instant: MessageTs, names: &Names) {
    output::print_line(&as_of::heading(app, instant));
    let name = &channel.name;
    if let Some(entry) = &stood.long_term {
        let messages = output::count_with_noun(entry.source_message_count, "message");
        let written = written(app, entry.at);
        let text = names.show(&long_term_text(app, entry));
        output::print_line(&format!("\n## #{name}, long-term, {messages} ({written})\n\n{text}"));
    }
    for version in &stood.versions {
        print_version(app, channel, version, names);
    }
    if !stood.talk.is_empty() {
        let shown = u64::try_from(stood.talk.len()).unwrap_or(u64::MAX);
        let all = shown.saturating_add(stood.earlier_talk);
        let said = output::count_with_noun(all, "message");
        let after =
            if stood.through > 0 { format!(" after version {}", stood.through) } else { String::new() };
        output::print_line(&format!("\n## #{name}, said{after} ({said})\n"));
        if stood.earlier_talk > 0 {
            output::print_line(&format!(
                "… {} before these",
                output::count_with_noun(stood.earlier_talk, "message")
            ));
        }
        output::print_line(&talk_text(app, &stood.talk, names));
    }
    if stood.long_term.is_none() && stood.versions.is_empty() && stood.talk.is_empty() {
        output::print_line("\nnothing is left of what had been said by then");
    }
    let removed = as_of::removed_in_words(&stood.removed);
    if !removed.is_empty() {
        output::print_line("");
    }
    for sentence in &removed {
        output::print_line(sentence);
    }
}

fn print_version(app: &App, channel: &Channel, version: &VersionAsOf, names: &Names) {
    let zone = &app.config.locale.timezone;
    let period = match version.period {
        Some((first, last)) => {
            format!("{} – {}", moment_in_prompt(first, zone), moment_in_prompt(last, zone))
        }
        None => "emptied".to_owned(),
    };
    let messages = output::count_with_noun(version.source_message_count, "message");
    let marks: Vec<_> = version.ended.iter().map(|line| (line.nth, line.end.day)).collect();
    let text = names.show(&mark_line_ends(&version.content, &marks, app.config.locale.language));
    output::print_line(&format!(
        "\n## #{}, version {} ({period}, {messages}, {}; {})\n\n{text}",
        channel.name,
        version.version,
        version.kind.as_str(),
        written(app, version.written_at)
    ));
    let told: Vec<String> =
        version.ended.iter().map(|line| ends::what_replaced_line(&line.end, names)).collect();
    if !told.is_empty() {
        output::print_line(&format!("\n{}", told.join("\n")));
    }
}

/// Prints the workspace's memory as of an instant.
pub(super) async fn print_workspace(app: &App, args: &ShowArgs, instant: MessageTs) -> Result<Done, Failure> {
    let entry = app.store.memory().workspace_as_of(&Visibility::Owner, instant).await?;
    let names = app.store.archive().names(&Visibility::Owner).await?;
    if args.json {
        output::say_json(&json!({
            "as_of": instant.to_timestamp(),
            "long_term": entry.as_ref().map(|entry| entry_json(entry, &names)),
        }))?;
        return Ok(Done::All);
    }
    output::print_line(&as_of::heading(app, instant));
    match &entry {
        Some(entry) => output::print_line(&format!(
            "\n## Workspace, long-term ({})\n\n{}",
            written(app, entry.at),
            names.show(&long_term_text(app, entry))
        )),
        None => output::print_line(
            "\nno text of the workspace's memory is made only of what had been said by then",
        ),
    }
    Ok(Done::All)
}

/// A long-term memory with a mark behind each line whose value a later one of it names as the old one.
fn long_term_text(app: &App, entry: &JournalEntry) -> String {
    let text = entry.content.as_deref().unwrap_or_default();
    mark_line_ends(text, &lines_ended_within(text), app.config.locale.language)
}

fn written(app: &App, at: Timestamp) -> String {
    format!("written {}", moment_in_prompt(MessageTs::from_timestamp(at), &app.config.locale.timezone))
}

fn talk_text(app: &App, talk: &[Message], names: &Names) -> String {
    let locale = &app.config.locale;
    let format =
        TalkFormat { names, zone: &locale.timezone, language: locale.language, limit: MESSAGE_LIMIT };
    lines_as_text(&messages_as_lines(talk, &format))
}

fn entry_json(entry: &JournalEntry, names: &Names) -> Value {
    json!({
        "entry": entry.step.0,
        "content": names.show(entry.content.as_deref().unwrap_or_default()),
        "through_version": entry.mark.version,
        "source_message_count": entry.source_message_count,
        "source_latest_message_ts": entry.source_latest_message_ts,
        "written_at": entry.at,
    })
}

fn as_json(channel: &Channel, stood: &ChannelAsOf, instant: MessageTs, names: &Names) -> Value {
    let version = |version: &VersionAsOf| {
        let ended = version.ended.iter().map(|line| {
            json!({
                "line": line.nth,
                "until": line.end.day.to_string(),
                "replaced_by": ends::replacement_json(&line.end, names),
            })
        });
        json!({
            "version": version.version,
            "entry": version.step.0,
            "kind": version.kind.as_str(),
            "content": names.show(&version.content),
            "source_message_count": version.source_message_count,
            "source_first_message_ts": version.period.map(|(first, _)| first),
            "source_latest_message_ts": version.period.map(|(_, last)| last),
            "written_at": version.written_at,
            "ended": ended.collect::<Vec<_>>(),
        })
    };
    let said = |message: &Message| {
        json!({
            "ts": message.ts,
            "thread_ts": message.thread_ts,
            "user_id": message.user,
            "user": names.user(&message.user),
            "text": names.resolve(&message.text),
        })
    };
    json!({
        "channel": channel.name,
        "as_of": instant.to_timestamp(),
        "through_version": stood.through,
        "long_term": stood.long_term.as_ref().map(|entry| entry_json(entry, names)),
        "short_term": stood.versions.iter().map(version).collect::<Vec<_>>(),
        "talk": stood.talk.iter().map(said).collect::<Vec<_>>(),
        "earlier_talk": stood.earlier_talk,
        "removed": as_of::removed_json(&stood.removed),
    })
}
