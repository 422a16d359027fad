//! `memory_brief`: what is remembered of a place, of a period, or what changed there since an instant.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::lines_of_text,
    recall::RecallFilter,
};
use myao_store::{MemoryKey, RecalledText, VersionLog};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get::chapter_item;
use crate::{
    caller::Caller,
    cursor::{cursor_after, shown_before},
    failure::ToolFailure,
    item_id::ItemId,
    items::{Item, ItemKind, ItemWriter, mentions_of_found, shorten},
    resolve::{days_of_text, instant_of_text, place_of_name},
    server::MemoryServer,
};

/// The most chapters of a result, and the most characters of one and of the long-term memory.
const MOST_CHAPTERS: usize = 10;
const MOST_CHAPTER_CHARS: usize = 1_500;
const MOST_LONG_TERM_CHARS: usize = 8_000;
/// Versions that are read in one go, looking for those of a period.
const PAGE: usize = 50;
/// The most messages that stand in no chapter yet and are shown, and the most characters of one.
const MOST_RECENT: usize = 15;
const MOST_RECENT_CHARS: usize = 300;
/// The most journal entries that are read to find what a memory said before.
const MOST_STEPS: usize = 200;
/// The most lines of each kind that are listed as changes.
const MOST_CHANGES: usize = 30;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BriefArgs {
    /// The place: its name as results show it, as in `#general`, or its id.
    pub(crate) place: String,
    /// Only chapters of talk from this day or instant on: 2026-03-01, 7d, yesterday, or RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    /// Only chapters of talk before this day or instant has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
    /// Instead of the long-term memory, what changed in it since `since`, which is needed then.
    #[serde(default)]
    pub(crate) changes_only: bool,
    /// Where an earlier result of the same place and period ended: its `next_cursor`. Older chapters follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<String>,
}

impl BriefArgs {
    /// Everything of a place, as far as it has room.
    pub(crate) fn of_place(place: &str) -> Self {
        Self { place: place.to_owned(), since: None, until: None, changes_only: false, cursor: None }
    }
}

/// What is remembered of a place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct BriefAnswer {
    pub(crate) place: String,
    /// What is known of the place for long; missing with `changes_only`, or while nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) long_term: Option<Item>,
    /// What changed in the long-term memory, with `changes_only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<LongTermChanges>,
    /// Stretches of talk, newest first.
    pub(crate) chapters: Vec<Item>,
    /// The newest messages that stand in no chapter yet, newest first.
    pub(crate) recent: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
    pub(crate) notes: Vec<String>,
}

/// The lines of a long-term memory that came and went.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct LongTermChanges {
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
}

/// The period that is asked for.
#[derive(Clone, Copy, Debug)]
struct Period {
    since: MessageTs,
    until: MessageTs,
}

pub(crate) async fn brief(
    server: &MemoryServer,
    caller: &Caller,
    args: BriefArgs,
) -> Result<BriefAnswer, ToolFailure> {
    let channel = place_of_name(server.store(), &caller.visibility, &args.place).await?;
    let period = period_of(server, &args)?;
    let asked = format!("{} {channel} {:?} {:?}", caller.token.agent, args.since, args.until);
    let before = shown_before(args.cursor.as_deref(), &asked, usize::MAX)?;
    let is_first = before == 0;
    let before = if is_first { u32::MAX } else { u32::try_from(before).unwrap_or(u32::MAX) };
    let mut chapters = chapters_of_period(server, caller, &channel, period, before).await?;
    let has_more = chapters.len() > MOST_CHAPTERS;
    chapters.truncate(MOST_CHAPTERS);
    let next_cursor = chapters
        .last()
        .filter(|_| has_more)
        .map(|last| cursor_after(usize::try_from(last.memory.version()).unwrap_or(usize::MAX), &asked));
    let recent = if is_first { recent_talk(server, caller, &channel, period).await? } else { Vec::new() };
    let long_term = if is_first { long_term_text(server, caller, &channel).await? } else { None };
    let changes = match (args.changes_only && is_first, &long_term) {
        (true, Some(text)) => Some(changes_since(server, caller, &channel, text, period.since).await?),
        _ => None,
    };
    let mut mentions = mentions_of_found(&recent);
    mentions.channels.insert(channel.clone());
    for text in chapters.iter().map(|log| log.memory.content()).chain(long_term.as_deref()) {
        mentions.add_memory(text);
    }
    for line in changes.iter().flat_map(|changes| &changes.removed) {
        mentions.add_memory(line);
    }
    let writer = server.writer(&caller.visibility, &mentions).await?;
    let mut notes = Vec::new();
    if chapters.is_empty() && recent.is_empty() && long_term.is_none() {
        notes.push(server.phrase("mcp-nothing-of-place").to_owned());
    }
    Ok(BriefAnswer {
        place: writer.place(&channel),
        long_term: long_term
            .filter(|_| !args.changes_only)
            .map(|text| long_term_item(&channel, &writer, &text)),
        changes: changes.map(|changes| changes.shown(&writer)),
        chapters: chapters.iter().map(|log| brief_chapter(log, &channel, &writer)).collect(),
        recent: recent.iter().map(|text| brief_message(text, &writer)).collect(),
        next_cursor,
        notes,
    })
}

fn period_of(server: &MemoryServer, args: &BriefArgs) -> Result<Period, ToolFailure> {
    let now = server.now();
    let zone = server.zone();
    if args.changes_only && args.since.is_none() {
        return Err(ToolFailure::told("`changes_only` needs `since`: what changed since when?"));
    }
    let since = args.since.as_deref().map(|text| instant_of_text(text, now, zone)).transpose()?;
    let until = match &args.until {
        None => MessageTs::MAX,
        Some(text) => match text.trim().parse::<jiff::Timestamp>() {
            Ok(instant) => MessageTs::from_timestamp(instant),
            Err(_no_instant) => days_of_text(text, now, zone)?.end.unwrap_or(MessageTs::MAX),
        },
    };
    Ok(Period { since: since.unwrap_or(MessageTs::MIN), until })
}

/// The newest chapters of a period before a version, newest first: one more than are shown, if there are that many.
async fn chapters_of_period(
    server: &MemoryServer,
    caller: &Caller,
    channel: &ChannelId,
    period: Period,
    mut before: u32,
) -> Result<Vec<VersionLog>, ToolFailure> {
    let mut found = Vec::new();
    loop {
        let page = server.store().memory().version_page(&caller.visibility, channel, before, PAGE).await?;
        let Some(last) = page.last().map(|log| log.memory.version()) else { return Ok(found) };
        for log in page {
            let ends = log.memory.source_latest_message_ts().unwrap_or(MessageTs::MIN);
            if ends < period.since {
                return Ok(found);
            }
            let begins = log.source_first_message_ts.unwrap_or(ends);
            if begins < period.until && !log.memory.content().is_empty() {
                found.push(log);
            }
            if found.len() > MOST_CHAPTERS {
                return Ok(found);
            }
        }
        before = last;
    }
}

/// The newest talk of the period that stands in no chapter yet.
async fn recent_talk(
    server: &MemoryServer,
    caller: &Caller,
    channel: &ChannelId,
    period: Period,
) -> Result<Vec<RecalledText>, ToolFailure> {
    let store = server.store();
    let newest = store.memory().version_page(&caller.visibility, channel, u32::MAX, 1).await?;
    let end = newest.first().and_then(|log| log.range.as_ref()).map_or(MessageTs::MIN, |range| range.to);
    let after = MessageTs::from_micros(end.as_micros().saturating_add(1)).max(period.since);
    let filter = RecallFilter {
        channels: vec![channel.clone()],
        since: Some(after),
        before: Some(period.until),
        ..RecallFilter::default()
    };
    let found = store.recall().newest_messages(&caller.visibility, &filter, MOST_RECENT).await?;
    Ok(found.into_iter().map(|found| found.text).collect())
}

async fn long_term_text(
    server: &MemoryServer,
    caller: &Caller,
    channel: &ChannelId,
) -> Result<Option<String>, ToolFailure> {
    let key = MemoryKey::long_term(channel);
    let memory = server.store().memory();
    let head = memory.head(&caller.visibility, key.scope, &key.scope_id, key.memory_type).await?;
    let text = head.map(|head| head.memory.content().to_owned());
    Ok(text.filter(|text| !text.trim().is_empty()))
}

/// Which lines the long-term memory has now and had not then, and the other way round.
async fn changes_since(
    server: &MemoryServer,
    caller: &Caller,
    channel: &ChannelId,
    now: &str,
    since: MessageTs,
) -> Result<LongTermChanges, ToolFailure> {
    let key = MemoryKey::long_term(channel);
    let memory = server.store().memory();
    let window = memory.journal_window_around(&caller.visibility, &key, None, MOST_STEPS).await?;
    let since = since.to_timestamp();
    let then = window.entries.iter().rev().find(|entry| entry.at <= since && entry.content.is_some());
    let then = then.and_then(|entry| entry.content.as_deref()).unwrap_or_default();
    let words = |text: &str| lines_of_text(text).into_iter().map(|line| line.words).collect::<Vec<_>>();
    let earlier: BTreeSet<String> = words(then).into_iter().collect();
    let later: BTreeSet<String> = words(now).into_iter().collect();
    let only = |text: &str, other: &BTreeSet<String>| {
        words(text).into_iter().filter(|line| !other.contains(line)).take(MOST_CHANGES).collect()
    };
    Ok(LongTermChanges { added: only(now, &earlier), removed: only(then, &later) })
}

impl LongTermChanges {
    fn shown(self, writer: &ItemWriter) -> Self {
        let shown = |lines: Vec<String>| lines.iter().map(|line| writer.remembered(line)).collect();
        Self { added: shown(self.added), removed: shown(self.removed) }
    }
}

fn long_term_item(channel: &ChannelId, writer: &ItemWriter, text: &str) -> Item {
    Item {
        id: ItemId::LongTerm { channel: channel.clone() }.to_string(),
        kind: ItemKind::LongTerm,
        text: shorten(&writer.remembered(text), MOST_LONG_TERM_CHARS),
        place: writer.place(channel),
        said_by: None,
        said_at: None,
        permalink: None,
        replaced_on: None,
    }
}

fn brief_chapter(log: &VersionLog, channel: &ChannelId, writer: &ItemWriter) -> Item {
    let item = chapter_item(log, channel, writer, log.memory.content());
    Item { text: shorten(&item.text, MOST_CHAPTER_CHARS), ..item }
}

fn brief_message(text: &RecalledText, writer: &ItemWriter) -> Item {
    let item = writer.found(text);
    Item { text: shorten(&item.text, MOST_RECENT_CHARS), ..item }
}
