//! Takes over the predecessor's memories.
//!
//! A channel's short-term memory becomes version 1: a chapter from the channel's first message to the one that the
//! memory names as its last. If the channel had a long-term memory, the version counts as merged into it, so that it is
//! not folded in twice; if not, it waits to be folded in like any other version, since nothing else holds what it says.
//! A memory that names no message covers none: it has no chapter, and all talk waits for a memory.
//!
//! The workspace's memory was made from every channel there was, private ones too: it is shown once all of them are
//! known to be open (`workspace`), and no lineage is made up for it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};
use myao_core::memory::{
    ChapterPolicy, ClosedBy, Cut, FoldMark, MemoryScope, MemoryType, Origin, ScopeId, StepId, StepKind,
    create_memory, make_thread_scope_id,
};

use super::{
    adoption::{Adopter, Adoption},
    messages,
    tables::{self, OldRow},
    talk::{AdoptedTalk, thread_of},
};
use crate::{
    StoreError,
    archive::{self, Range},
    db::Tx,
    memory::{
        chapters::{self, NewChapter},
        journal::{self, StepDraft},
    },
};

/// A placeholder: the chapter was not made by a policy of ours.
const NO_POLICY: ChapterPolicy = ChapterPolicy { message_threshold: 0, conversation_idle_seconds: 0 };

/// A memory as the predecessor stored it.
struct OldMemory {
    about: AdoptedScope,
    content: String,
    count: u64,
    latest: Option<MessageTs>,
    created: Timestamp,
    updated: Timestamp,
}

/// What a memory is about, in the order of writing: what a memory was made from comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AdoptedScope {
    ChannelShortTerm(ChannelId),
    Thread(ChannelId, MessageTs),
    ChannelLongTerm(ChannelId),
    Workspace,
}

/// Takes the memories over.
pub(super) async fn take_over(
    tx: &mut Tx,
    adopter: Adopter,
    known: &AdoptedTalk,
    adoption: &mut Adoption,
) -> Result<(), StoreError> {
    let mut remembered = Vec::new();
    for row in tables::MEMORIES.rows_put_aside(tx, None).await? {
        match read_old_memory(&row, adopter, known) {
            Some(memory) => remembered.push(memory),
            None => adoption.memories_left += 1,
        }
    }
    remembered.sort_by(|a, b| a.about.cmp(&b.about));
    let mut seen = BTreeSet::new();
    let mut short_term = BTreeMap::new();
    for memory in remembered {
        if !seen.insert(memory.about.clone()) {
            adoption.memories_left += 1;
            continue;
        }
        adoption.memories += 1;
        match &memory.about {
            AdoptedScope::ChannelShortTerm(channel) => {
                let step = put_version(tx, channel, known, &memory).await?;
                short_term.insert(channel.clone(), step);
            }
            AdoptedScope::Thread(channel, thread) => {
                let range = memory.latest.map(|to| channel_range(channel, Some(*thread), to));
                insert_old_memory(tx, &memory, range, Vec::new(), FoldMark::default()).await?;
            }
            AdoptedScope::ChannelLongTerm(channel) => {
                let made_from = short_term.get(channel).copied();
                let mark =
                    made_from.map(|step| FoldMark { version: 1, step: Some(step) }).unwrap_or_default();
                let range = memory.latest.map(|to| channel_range(channel, known.first_message(channel), to));
                let inputs = made_from.into_iter().collect();
                insert_old_memory(tx, &memory, range, inputs, mark).await?;
            }
            AdoptedScope::Workspace => {
                insert_old_memory(tx, &memory, None, Vec::new(), FoldMark::default()).await?;
            }
        }
    }
    Ok(())
}

/// Reads a memory. `None` for what has no place any more: the retired combination, an empty text, an unknown thread.
fn read_old_memory(row: &OldRow, adopter: Adopter, known: &AdoptedTalk) -> Option<OldMemory> {
    let scope: MemoryScope = row.text("scope").parse().ok()?;
    let memory_type: MemoryType = row.text("memory_type").parse().ok()?;
    let content = row.text("content");
    if content.trim().is_empty() {
        return None;
    }
    let scope_id = row.text("scope_id");
    let source = row.get("source_latest_message_ts").filter(|id| !id.is_empty());
    let (about, latest) = match (scope, memory_type) {
        (MemoryScope::Channel, _) => {
            let channel = ChannelId::new(scope_id);
            let latest = source.and_then(|id| known.time_stamp_of(&channel, id));
            let about = match memory_type {
                MemoryType::ShortTerm => AdoptedScope::ChannelShortTerm(channel),
                MemoryType::LongTerm => AdoptedScope::ChannelLongTerm(channel),
            };
            (about, latest)
        }
        (MemoryScope::Thread, MemoryType::ShortTerm) => {
            let (channel, thread) = thread_of(scope_id)?;
            let channel = ChannelId::new(channel);
            let latest = source.and_then(|id| known.time_stamp_of(&channel, id));
            let thread = known.time_stamp_of(&channel, thread)?;
            (AdoptedScope::Thread(channel, thread), latest)
        }
        (MemoryScope::Workspace, MemoryType::LongTerm) => (
            AdoptedScope::Workspace,
            source.and_then(|id| messages::stamp_in_id(id).or_else(|| known.ts_anywhere(id))),
        ),
        (MemoryScope::Thread, MemoryType::LongTerm) | (MemoryScope::Workspace, MemoryType::ShortTerm) => {
            return None;
        }
    };
    let updated = row.instant("updated_at").unwrap_or(adopter.now);
    Some(OldMemory {
        about,
        content: content.to_owned(),
        count: row.number("source_message_count").and_then(|n| u64::try_from(n).ok()).unwrap_or_default(),
        latest,
        created: row.instant("created_at").unwrap_or(updated),
        updated,
    })
}

/// The range from `first` to `to`, both included.
fn channel_range(channel: &ChannelId, first: Option<MessageTs>, to: MessageTs) -> Range {
    let from = first.map_or(to, |first| first.min(to)).just_before();
    Range { channel: channel.clone(), from, to }
}

/// Stores version 1 of a channel's short-term memory, with its chapter.
async fn put_version(
    tx: &mut Tx,
    channel: &ChannelId,
    known: &AdoptedTalk,
    memory: &OldMemory,
) -> Result<StepId, StoreError> {
    let range = memory.latest.map(|to| channel_range(channel, known.first_message(channel), to));
    if let Some(range) = &range {
        let count = u32::try_from(memory.count).unwrap_or(u32::MAX);
        let cut = Cut { from: range.from, to: range.to, count, closed_by: ClosedBy::Adopted };
        chapters::insert_new_chapter(tx, channel, 1, &NewChapter { cut, policy: NO_POLICY }).await?;
        on!(tx, c => sqlx::query("UPDATE channels SET memory_from = $2 WHERE id = $1")
            .bind(channel.as_str()).bind(range.from.as_micros()).execute(c).await.map(drop))?;
    }
    insert_old_memory(tx, memory, range, Vec::new(), FoldMark::default()).await
}

async fn insert_old_memory(
    tx: &mut Tx,
    memory: &OldMemory,
    range: Option<Range>,
    hard: Vec<StepId>,
    mark: FoldMark,
) -> Result<StepId, StoreError> {
    let (scope, scope_id, memory_type) = match &memory.about {
        AdoptedScope::ChannelShortTerm(id) => {
            (MemoryScope::Channel, ScopeId::channel(id), MemoryType::ShortTerm)
        }
        AdoptedScope::ChannelLongTerm(id) => {
            (MemoryScope::Channel, ScopeId::channel(id), MemoryType::LongTerm)
        }
        AdoptedScope::Thread(id, thread) => {
            (MemoryScope::Thread, make_thread_scope_id(id, *thread), MemoryType::ShortTerm)
        }
        AdoptedScope::Workspace => (MemoryScope::Workspace, ScopeId::workspace(), MemoryType::LongTerm),
    };
    let draft = create_memory(scope, scope_id, memory_type, &memory.content, memory.count, memory.latest)
        .map_err(|e| StoreError::Content(e.to_string()))?;
    let origin = Origin {
        kind: StepKind::Adopted,
        actor: "myao2".to_owned(),
        reason: "taken over from a database of myao2".to_owned(),
    };
    let read_revision = match &range {
        Some(range) => archive::channel_revision(tx, &range.channel).await?,
        None => 0,
    };
    let step =
        StepDraft { hard, range, read_revision, mark, ..journal::step_without_model(draft, 1, origin, None) };
    let id = journal::write_step(tx, &step, None, memory.updated).await?;
    on!(tx, c => sqlx::query("UPDATE memories SET created_at = $2 WHERE step_id = $1")
        .bind(id.0).bind(memory.created.as_microsecond()).execute(c).await.map(drop))?;
    Ok(id)
}
