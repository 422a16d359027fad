//! Searches for words in a memory and in the chapters and messages under it.

use myao_companion::provenance::{ChapterMatch, MemoryMatches, SourceSearch};
use myao_core::chat::{Channel, Message, Names, Visibility};
use myao_store::LineEnd;
use serde_json::{Value, json};

use super::WhyArgs;
use crate::{
    app::App,
    cli::{Done, Failure, ends, journal::JournalFormatter, output},
};

/// The most characters of a line that are shown.
const LINE: usize = 200;

/// Searches under a channel's long-term memory, or under all that the workspace's is made of.
pub(super) async fn run(
    app: &App,
    channel: Option<&Channel>,
    words: &str,
    args: &WhyArgs,
) -> Result<Done, Failure> {
    if words.trim().is_empty() {
        return Err(Failure::usage("which words? They are empty"));
    }
    let names = app.store.archive().names(&Visibility::Owner).await?;
    let search = SourceSearch {
        store: &app.store,
        visibility: &Visibility::Owner,
        names: &names,
        zone: &app.config.locale.timezone,
        limit: args.limit.get(),
        most_chapters: usize::MAX,
    };
    let answer = search.of(channel, words).await?;
    let formatter = JournalFormatter::new(app).await?;
    if args.json {
        output::say_json(&as_json(&answer, &names))?;
    } else {
        print_matches(&answer, words, &names, &formatter);
    }
    Ok(Done::All)
}

fn print_matches(answer: &MemoryMatches, words: &str, names: &Names, formatter: &JournalFormatter) {
    for line in &answer.lines {
        output::print_line(&format!("the memory says: {}", cut_to_line(line)));
    }
    if let Some(entry) = &answer.by_hand {
        output::print_line(&format!(
            "no message holds “{}”; {} wrote it by hand on {} (entry {})",
            cut_to_line(words),
            entry.actor,
            formatter.when(entry.at),
            entry.step
        ));
    } else if answer.chapters.is_empty() {
        output::print_line(&format!(
            "no chapter and no message under it holds “{words}”: a model may have put it in other words"
        ));
    }
    if answer.is_likely {
        output::print_line(&format!(
            "no message says “{}” in these words; most likely it was made from these",
            cut_to_line(words)
        ));
    }
    if answer.is_said() {
        output::print_line("said so here:");
    }
    for found in &answer.chapters {
        let version = &found.version;
        let last =
            version.memory.source_latest_message_ts().map(|ts| formatter.moment(ts)).unwrap_or_default();
        let text = if found.in_text { "; its text holds the words" } else { "" };
        let gone = match found.expired {
            0 => String::new(),
            gone => format!("; its sources are gone: {} expired", output::count_with_noun(gone, "message")),
        };
        let merged = if found.is_merged { "" } else { "; not in the long-term memory yet" };
        output::print_line(&format!(
            "\n#{}, version {} (entry {}, {}, up to {last}{text}{gone}{merged})",
            found.channel.name,
            version.memory.version(),
            version.step,
            version.kind.as_str(),
        ));
        for (line, end) in &found.ended {
            output::print_line(&format!(
                "  {} ({})",
                cut_to_line(line),
                ends::what_replaced_line(end, names)
            ));
        }
        for message in &found.messages {
            let said = formatter.moment(message.ts);
            let name = names.user(&message.user);
            output::print_line(&format!("  [{said}] {name}: {}", cut_to_line(&names.resolve(&message.text))));
        }
    }
    if !answer.is_complete {
        output::print_line("\n… and older ones were not looked for; --limit shows more");
    }
}

fn cut_to_line(text: &str) -> String {
    output::shorten_text(&output::one_line(text), LINE)
}

fn as_json(answer: &MemoryMatches, names: &Names) -> Value {
    let message = |message: &Message| {
        json!({
            "ts": message.ts,
            "thread_ts": message.thread_ts,
            "user_id": message.user,
            "user": names.user(&message.user),
            "text": names.resolve(&message.text),
        })
    };
    let ended = |(line, end): &(String, LineEnd)| {
        json!({
            "text": line,
            "until": end.day.to_string(),
            "replaced_by": ends::replacement_json(end, names),
        })
    };
    let chapter = |found: &ChapterMatch| {
        json!({
            "channel_id": found.channel.id,
            "channel": found.channel.name,
            "version": found.version.memory.version(),
            "entry": found.version.step.0,
            "kind": found.version.kind.as_str(),
            "source_first_message_ts": found.version.source_first_message_ts,
            "source_latest_message_ts": found.version.memory.source_latest_message_ts(),
            "in_text": found.in_text,
            "ended": found.ended.iter().map(ended).collect::<Vec<_>>(),
            "in_long_term": found.is_merged,
            "expired_messages": found.expired,
            "messages": found.messages.iter().map(message).collect::<Vec<_>>(),
        })
    };
    json!({
        "lines": answer.lines,
        "chapters": answer.chapters.iter().map(chapter).collect::<Vec<_>>(),
        "is_complete": answer.is_complete,
        "is_likely": answer.is_likely,
        "is_said": answer.is_said(),
        "by_hand": answer.by_hand.as_ref().map(|entry| entry.step.0),
    })
}
