//! Searches for words in a memory and in the chapters and messages under it.

use std::cmp::Reverse;

use myao_core::{
    chat::{Channel, Message, Names},
    context::Visibility,
    recall::{SourceCandidate, SourceCandidates},
};
use myao_store::{LineEnd, MemoryKey, VersionLog};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use super::WhyArgs;
use crate::{
    app::App,
    cli::{Done, Failure, ends, journal::JournalFormatter, output},
};

/// The most characters of a line that are shown.
const LINE: usize = 200;

/// A chapter whose text or messages hold the words.
struct ChapterMatch {
    channel: Channel,
    version: VersionLog,
    /// Whether the chapter's own text holds them.
    in_text: bool,
    /// Lines of its text that hold them and hold no more, with what replaced each.
    ended: Vec<(String, LineEnd)>,
    /// Whether the chapter is merged into the long-term memory.
    is_merged: bool,
    messages: Vec<Message>,
}

/// What was found in and under a memory.
#[derive(Default)]
struct MemoryMatches {
    /// Lines of the memory that hold the words.
    lines: Vec<String>,
    /// Newest first.
    chapters: Vec<ChapterMatch>,
    /// Whether everything was searched.
    is_complete: bool,
    /// Whether no message holds the words, so that these are the ones that they were most likely made from, the most likely
    /// first.
    is_likely: bool,
}

/// Searches under a channel's long-term memory, or under all that the workspace's is made of.
pub(super) async fn run(
    app: &App,
    channel: Option<&Channel>,
    words: &str,
    args: &WhyArgs,
) -> Result<Done, Failure> {
    let wanted = plain(words);
    if wanted.is_empty() {
        return Err(Failure::usage("which words? They are empty"));
    }
    let names = app.store.names(&Visibility::Owner).await?;
    let mut answer = answer(app, channel, &wanted, (&names, args.limit)).await?;
    if answer.is_complete && answer.chapters.iter().all(|chapter| chapter.messages.is_empty()) {
        let chapters = likely(app, channel, words, (&names, args.limit)).await?;
        if !chapters.is_empty() {
            answer = MemoryMatches { chapters, is_likely: true, ..answer };
        }
    }
    let formatter = JournalFormatter::new(app).await?;
    if args.json {
        output::say_json(&as_json(&answer, &names))?;
    } else {
        tell(&answer, words, &names, &formatter);
    }
    Ok(Done::All)
}

async fn answer(
    app: &App,
    channel: Option<&Channel>,
    wanted: &str,
    (names, limit): (&Names, usize),
) -> Result<MemoryMatches, Failure> {
    let key = channel.map_or_else(MemoryKey::workspace, |channel| MemoryKey::long_term(&channel.id));
    let head = app.store.head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type).await?;
    let text = head.map(|head| names.show(head.memory.content())).unwrap_or_default();
    let lines = text.lines().filter(|line| plain(line).contains(wanted)).map(str::to_owned).collect();
    let mut answer = MemoryMatches { lines, is_complete: true, ..MemoryMatches::default() };
    let mut shown = 0;
    for (channel, version, is_merged) in chapters(app, channel).await? {
        if shown >= limit {
            answer.is_complete = false;
            break;
        }
        let Some(range) = &version.range else { continue };
        let (_, talk) = app.store.talk(&Visibility::Owner, range).await?;
        let holds = |message: &Message| plain(&names.resolve(&message.text)).contains(wanted);
        let mut messages: Vec<Message> = talk.into_iter().filter(holds).collect();
        messages.reverse();
        answer.is_complete &= messages.len() <= limit - shown;
        messages.truncate(limit - shown);
        let in_text = plain(&names.show(version.memory.content())).contains(wanted);
        if in_text || !messages.is_empty() {
            shown += messages.len().max(1);
            let ended = ended(app, &channel, &version, (wanted, names)).await?;
            answer.chapters.push(ChapterMatch { channel, version, in_text, ended, is_merged, messages });
        }
    }
    Ok(answer)
}

/// The chapters and messages that a line of the memory was most likely made from, the most likely first.
async fn likely(
    app: &App,
    channel: Option<&Channel>,
    line: &str,
    (names, limit): (&Names, usize),
) -> Result<Vec<ChapterMatch>, Failure> {
    let zone = &app.config.locale.timezone;
    let (mut found, mut said, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    for (channel, version, is_merged) in chapters(app, channel).await? {
        let Some(range) = &version.range else { continue };
        let (_, talk) = app.store.talk(&Visibility::Owner, range).await?;
        for message in talk {
            candidates.push(SourceCandidate {
                day: message.ts.to_timestamp().to_zoned(zone.clone()).date(),
                name: names.user(&message.user).to_owned(),
                text: names.resolve(&message.text),
            });
            said.push((found.len(), message));
        }
        let in_text = plain(&names.show(version.memory.content())).contains(&plain(line));
        found.push(ChapterMatch {
            channel,
            version,
            in_text,
            is_merged,
            ended: Vec::new(),
            messages: Vec::new(),
        });
    }
    let sources = candidates.into_iter().collect::<SourceCandidates>().of_line(&names.show(line));
    let mut order = vec![usize::MAX; found.len()];
    for (rank, (nth, _)) in sources.into_iter().take(limit).enumerate() {
        let Some((chapter, message)) = said.get(nth) else { continue };
        let (Some(chapter), Some(order)) = (found.get_mut(*chapter), order.get_mut(*chapter)) else {
            continue;
        };
        chapter.messages.push(message.clone());
        *order = rank.min(*order);
    }
    let mut ranked: Vec<(usize, ChapterMatch)> = order.into_iter().zip(found).collect();
    ranked.retain(|(_, chapter)| !chapter.messages.is_empty());
    ranked.sort_by_key(|(rank, chapter)| (*rank, Reverse(chapter.version.step)));
    Ok(ranked.into_iter().map(|(_, chapter)| chapter).collect())
}

/// The lines of a version that hold the words and that a later line replaced.
async fn ended(
    app: &App,
    channel: &Channel,
    version: &VersionLog,
    (wanted, names): (&str, &Names),
) -> Result<Vec<(String, LineEnd)>, Failure> {
    let lines: Vec<&str> = version.memory.content().lines().collect();
    let ended = app.store.ended_lines_of(&Visibility::Owner, &channel.id, &[version.step]).await?;
    let said = ended.into_iter().filter_map(|line| Some((names.show(lines.get(line.nth)?), line.end)));
    Ok(said.filter(|(line, _)| plain(line).contains(wanted)).collect())
}

/// The chapters to search, newest first, and whether each is merged into its channel's long-term memory.
async fn chapters(app: &App, channel: Option<&Channel>) -> Result<Vec<(Channel, VersionLog, bool)>, Failure> {
    let open = app.store.channels(&Visibility::Open).await?;
    let all = || open.into_iter().map(|row| row.channel).collect();
    let channels: Vec<Channel> = channel.map_or_else(all, |one| vec![one.clone()]);
    let mut chapters = Vec::new();
    for channel in channels {
        let mark = app.store.fold(&Visibility::Owner, &channel.id).await?.mark.version;
        for version in app.store.version_log(&Visibility::Owner, &channel.id).await? {
            let is_merged = version.memory.version() <= mark;
            chapters.push((channel.clone(), version, is_merged));
        }
    }
    chapters.sort_by_key(|(_, version, _)| Reverse(version.memory.source_latest_message_ts()));
    Ok(chapters)
}

/// Text in a form for comparison: without differences of width (NFKC), case and white space.
fn plain(text: &str) -> String {
    output::one_line(&text.nfkc().flat_map(char::to_lowercase).collect::<String>())
}

fn tell(answer: &MemoryMatches, words: &str, names: &Names, formatter: &JournalFormatter) {
    for line in &answer.lines {
        output::say(&format!("the memory says: {}", cut(line)));
    }
    if answer.chapters.is_empty() {
        output::say(&format!(
            "no chapter and no message under it holds “{words}”: a model may have put it in other words"
        ));
    }
    if answer.is_likely {
        output::say(&format!("no message holds “{}”; most likely it was made from these", cut(words)));
    }
    for found in &answer.chapters {
        let version = &found.version;
        let last =
            version.memory.source_latest_message_ts().map(|ts| formatter.moment(ts)).unwrap_or_default();
        let text = if found.in_text { "; its text holds the words" } else { "" };
        let merged = if found.is_merged { "" } else { "; not in the long-term memory yet" };
        output::say(&format!(
            "\n#{}, version {} (entry {}, {}, up to {last}{text}{merged})",
            found.channel.name,
            version.memory.version(),
            version.step,
            version.kind.as_str(),
        ));
        for (line, end) in &found.ended {
            output::say(&format!("  {} ({})", cut(line), ends::told(end, names)));
        }
        for message in &found.messages {
            let (said, name) = (formatter.moment(message.ts), names.user(&message.user));
            output::say(&format!("  [{said}] {name}: {}", cut(&names.resolve(&message.text))));
        }
    }
    if !answer.is_complete {
        output::say("\n… and older ones were not looked for; --limit shows more");
    }
}

fn cut(text: &str) -> String {
    output::shortened(&output::one_line(text), LINE)
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
            "messages": found.messages.iter().map(message).collect::<Vec<_>>(),
        })
    };
    json!({
        "lines": answer.lines,
        "chapters": answer.chapters.iter().map(chapter).collect::<Vec<_>>(),
        "is_complete": answer.is_complete,
        "is_likely": answer.is_likely,
    })
}
