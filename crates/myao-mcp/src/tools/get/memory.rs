//! Lines of memories, chapters and long-term memories, whole.

use myao_companion::provenance::{MemoryMatches, SourceSearch};
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{MemoryScope, MemoryType, StepId, mark_line_ends, parts_of_text},
};
use myao_store::{JournalEntry, LineEnd, MemoryKey, RecalledText, VersionLog};

use super::{Version, WholeItem, message::mentions_of_memory};
use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::ToolFailure,
    item_id::ItemId,
    items::{ItemKind, ItemWriter, MemoryItem, kind_of_line, mentions_of_found},
};

/// The most messages that are shown as sources.
const MOST_SOURCES: usize = 6;
/// The most chapters that are read for the sources of a line; the index leads to older ones.
const MOST_CHAPTERS: usize = 60;
/// The most earlier texts of a memory that are listed.
const MOST_VERSIONS: usize = 6;

/// A line of the text that a memory got with a step; `None` if it was wiped or is not seen.
pub(super) async fn whole_line(
    access: &MemoryAccess,
    caller: &AgentCaller,
    step: StepId,
    nth: usize,
) -> Result<Option<WholeItem>, ToolFailure> {
    let store = access.store();
    let Some(entry) = store.memory().find_journal_entry(&caller.visibility, step).await? else {
        return Ok(None);
    };
    let part = entry.content.as_deref().and_then(|text| line_of_text(text, nth));
    let (Some(line), Some(channel)) = (part, entry.key.channel()) else { return Ok(None) };
    let ended = store.recall().ended_lines_of(&caller.visibility, &channel, &[step]).await?;
    let end = ended.into_iter().find(|ended| ended.nth == nth).map(|ended| ended.end);
    let matches = sources_of_line(access, caller, &channel, &line).await?;
    let messages: Vec<RecalledText> = messages_of(access, matches.as_ref()).await?;
    let mut mentions = mentions_of_found(&messages);
    mentions.add_memory(&line);
    mentions.add_memory(end.as_ref().map_or("", |end| &end.words));
    mentions.channels.insert(channel.clone());
    let writer = access.writer(&caller.visibility, &mentions).await?;
    let item = MemoryItem {
        id: ItemId::Line { step, nth }.to_string(),
        kind: kind_of_line(entry.key.memory_type),
        text: writer.remembered(&line),
        place: writer.place(&channel),
        said_by: None,
        said_at: entry.source_latest_message_ts.map(|ts| writer.moment(ts)),
        permalink: None,
        replaced_on: end.as_ref().map(|end| end.day.to_string()),
    };
    let why = format!("{}{}", how_written(&entry, &writer), told_of_sources(matches.as_ref()));
    Ok(Some(WholeItem {
        item,
        why,
        replaced_by: end.map(|LineEnd { words, .. }| writer.remembered(&words)),
        sources: messages.iter().map(|text| writer.found(text)).collect(),
        history: Vec::new(),
    }))
}

/// The whole statement of which a line of the text is a part.
fn line_of_text(text: &str, nth: usize) -> Option<String> {
    let part = parts_of_text(text).into_iter().find(|part| part.nth <= nth && nth <= part.last)?;
    Some(match part.said {
        Some((at, name)) => format!("[{}] {name}: {}", at.strftime("%Y-%m-%d %H:%M"), part.text),
        None => part.text,
    })
}

async fn sources_of_line(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: &ChannelId,
    line: &str,
) -> Result<Option<MemoryMatches>, ToolFailure> {
    let store = access.store();
    let Some(channel) = store.archive().channel(channel).await? else { return Ok(None) };
    let names = store.archive().names(&caller.visibility).await?.in_language(access.language());
    let search = SourceSearch {
        store,
        visibility: &caller.visibility,
        names: &names,
        zone: access.zone(),
        limit: MOST_SOURCES,
        most_chapters: MOST_CHAPTERS,
    };
    Ok(Some(search.of(Some(&channel), &names.show(line)).await?))
}

async fn messages_of(
    access: &MemoryAccess,
    matches: Option<&MemoryMatches>,
) -> Result<Vec<RecalledText>, ToolFailure> {
    let chapters = matches.map(|matches| &matches.chapters[..]).unwrap_or_default();
    let messages = chapters.iter().flat_map(|chapter| &chapter.messages).take(MOST_SOURCES).cloned();
    let shown = access.store().hearing().without_opted_out(messages.collect()).await?;
    Ok(shown.into_iter().map(RecalledText::Message).collect())
}

fn told_of_sources(matches: Option<&MemoryMatches>) -> &'static str {
    match matches {
        Some(matches) if matches.by_hand.is_some() => "; a person wrote this line by hand",
        Some(matches) if matches.is_said() => "; the sources say it in these words",
        Some(matches) if matches.is_likely => "; most likely made from the sources",
        Some(matches) if matches.chapters.iter().any(|chapter| chapter.expired > 0) => {
            "; the messages it was made from have expired"
        }
        _ => "; no message that says it was found",
    }
}

/// How the text of a step came about.
fn how_written(entry: &JournalEntry, writer: &ItemWriter) -> String {
    let current = if entry.is_current { "" } else { ", and written anew since" };
    format!(
        "{} by {} at {} from {} messages{current}",
        entry.kind.as_str(),
        entry.actor,
        writer.moment(MessageTs::from_timestamp(entry.at)),
        entry.source_message_count
    )
}

/// A chapter with its first and last messages; `None` if there is none or it is not seen.
pub(super) async fn whole_chapter(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: &ChannelId,
    version: u32,
) -> Result<Option<WholeItem>, ToolFailure> {
    let store = access.store();
    let page = store.memory().version_page(&caller.visibility, channel, version.saturating_add(1), 1).await?;
    let Some(log) = page.into_iter().find(|log| log.memory.version() == version) else { return Ok(None) };
    if log.memory.content().is_empty() {
        return Ok(None);
    }
    let messages = ends_of_chapter(access, caller, &log).await?;
    let ended = store.recall().ended_lines_of(&caller.visibility, channel, &[log.step]).await?;
    let ended: Vec<_> = ended.iter().map(|line| (line.nth, line.end.day)).collect();
    let text = mark_line_ends(log.memory.content(), &ended, access.language());
    let mut mentions = mentions_of_found(&messages);
    mentions.add_memory(&text);
    mentions.channels.insert(channel.clone());
    let writer = access.writer(&caller.visibility, &mentions).await?;
    let key = MemoryKey { memory_type: MemoryType::ShortTerm, version, ..MemoryKey::long_term(channel) };
    let open = if log.is_provisional() { ", still open" } else { "" };
    Ok(Some(WholeItem {
        item: chapter_item(&log, channel, &writer, &text),
        why: format!(
            "chapter {version} of {}{open}: {} of {} messages",
            writer.place(channel),
            log.kind.as_str(),
            log.memory.source_message_count()
        ),
        replaced_by: None,
        sources: messages.iter().map(|text| writer.found(text)).collect(),
        history: history_of(access, caller, &key, &writer).await?,
    }))
}

/// A chapter as an item, with this text.
pub(crate) fn chapter_item(
    log: &VersionLog,
    channel: &ChannelId,
    writer: &ItemWriter,
    text: &str,
) -> MemoryItem {
    let first = log.source_first_message_ts;
    MemoryItem {
        id: ItemId::Chapter { channel: channel.clone(), version: log.memory.version() }.to_string(),
        kind: ItemKind::Chapter,
        text: writer.remembered(text),
        place: writer.place(channel),
        said_by: None,
        said_at: log.memory.source_latest_message_ts().map(|ts| writer.moment(ts)),
        permalink: first.and_then(|ts| writer.address(channel, ts, None)),
        replaced_on: None,
    }
}

/// The first and the last messages of a chapter.
async fn ends_of_chapter(
    access: &MemoryAccess,
    caller: &AgentCaller,
    log: &VersionLog,
) -> Result<Vec<RecalledText>, ToolFailure> {
    let Some(range) = &log.range else { return Ok(Vec::new()) };
    let store = access.store();
    let (_, talk) = store.archive().talk_in_range(&caller.visibility, range).await?;
    let mut talk = store.hearing().without_opted_out(talk).await?;
    if talk.len() > MOST_SOURCES {
        let last = talk.split_off(talk.len() - MOST_SOURCES / 2);
        talk.truncate(MOST_SOURCES / 2);
        talk.extend(last);
    }
    Ok(talk.into_iter().map(RecalledText::Message).collect())
}

/// The long-term memory of a channel, or of the workspace; `None` if there is none or it is not seen.
pub(super) async fn whole_long_term(
    access: &MemoryAccess,
    caller: &AgentCaller,
    channel: Option<&ChannelId>,
) -> Result<Option<WholeItem>, ToolFailure> {
    let key = channel.map_or_else(MemoryKey::workspace, MemoryKey::long_term);
    let memory = access.store().memory();
    let head = memory.head(&caller.visibility, key.scope, &key.scope_id, key.memory_type).await?;
    let Some(head) = head.filter(|head| !head.memory.content().is_empty()) else { return Ok(None) };
    let text = head.memory.content();
    let writer = access.writer(&caller.visibility, &mentions_of_memory(channel, text)).await?;
    let item = MemoryItem {
        id: channel.map_or(ItemId::Workspace, |c| ItemId::LongTerm { channel: c.clone() }).to_string(),
        kind: ItemKind::LongTerm,
        text: writer.remembered(text),
        place: channel.map_or_else(|| "workspace".to_owned(), |c| writer.place(c)),
        said_by: None,
        said_at: head.memory.source_latest_message_ts().map(|ts| writer.moment(ts)),
        permalink: None,
        replaced_on: None,
    };
    let whose = if key.scope == MemoryScope::Workspace { "all open channels" } else { "its chapters" };
    Ok(Some(WholeItem {
        item,
        why: format!("long-term memory, merged from the memories of {whose}"),
        replaced_by: None,
        sources: Vec::new(),
        history: history_of(access, caller, &key, &writer).await?,
    }))
}

/// The newest texts of a memory, newest first.
async fn history_of(
    access: &MemoryAccess,
    caller: &AgentCaller,
    key: &MemoryKey,
    writer: &ItemWriter,
) -> Result<Vec<Version>, ToolFailure> {
    let memory = access.store().memory();
    let window = memory.journal_window_around(&caller.visibility, key, None, MOST_VERSIONS).await?;
    let version = |entry: &JournalEntry| Version {
        entry: entry.step.0,
        written_at: writer.moment(MessageTs::from_timestamp(entry.at)),
        how: entry.kind.as_str().to_owned(),
        by: entry.actor.clone(),
        reason: writer.remembered(&entry.reason),
    };
    Ok(window.entries.iter().rev().map(version).collect())
}
