//! Reads everything that `verify` checks: the rows without their texts.

use std::collections::BTreeMap;

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{StepId, parse_thread_scope_id},
};

use super::fault::{Fault, FaultKind};
use crate::{
    StoreError,
    archive::{self, ChannelRow},
    db::{
        Tx, query_as,
        values::{row, unsigned_count},
    },
};

/// One state of the database.
pub(super) struct Rows {
    pub(super) channels: BTreeMap<String, ChannelRow>,
    /// By channel, ordered by version.
    pub(super) chapters: BTreeMap<String, Vec<ChapterLine>>,
    pub(super) heads: Vec<HeadLine>,
    /// The indexes in `heads` of each channel's versions, which are needed several times for each channel.
    versions: BTreeMap<String, Vec<usize>>,
    pub(super) steps: BTreeMap<i64, StepLine>,
    /// What each step was made from.
    pub(super) inputs: BTreeMap<i64, Vec<Input>>,
    pub(super) messages: u64,
}

/// Identifies a memory as its row does, valid or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MemoryRowKey {
    pub(super) scope: String,
    pub(super) scope_id: String,
    pub(super) memory_type: String,
    pub(super) version: i64,
}

#[derive(Clone, Copy)]
pub(super) struct ChapterLine {
    pub(super) version: i64,
    pub(super) from: i64,
    pub(super) to: i64,
}

pub(super) struct HeadLine {
    pub(super) key: MemoryRowKey,
    pub(super) step: i64,
    pub(super) is_empty: bool,
    /// What differs in its step; empty if nothing does.
    pub(super) difference: String,
    /// Messages of its range that were deleted after it was written.
    pub(super) deleted: u64,
}

pub(super) struct StepLine {
    pub(super) key: MemoryRowKey,
    pub(super) kind: String,
    pub(super) parent: Option<i64>,
    pub(super) mark: i64,
    pub(super) mark_step: Option<i64>,
    pub(super) is_wiped: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Input {
    pub(super) id: i64,
    pub(super) is_hard: bool,
}

const LONG_TERM: &str = "long_term";

const SHORT_TERM: &str = "short_term";

impl MemoryRowKey {
    /// A channel's long-term memory.
    pub(super) fn is_fold(&self) -> bool {
        self.scope == "channel" && self.memory_type == LONG_TERM
    }

    /// A version of a channel's short-term memory.
    pub(super) fn is_version(&self) -> bool {
        self.scope == "channel" && self.memory_type == SHORT_TERM
    }

    pub(super) fn is_workspace(&self) -> bool {
        self.scope == "workspace"
    }

    /// Whether it is of the retired combination: such a row stays, unread (specification §1).
    pub(super) fn is_retired(&self) -> bool {
        self.is_workspace() && self.memory_type == SHORT_TERM
    }

    pub(super) fn channel(&self) -> Option<String> {
        match self.scope.as_str() {
            "channel" => Some(self.scope_id.clone()),
            "thread" => {
                parse_thread_scope_id(&self.scope_id).ok().map(|(channel, _)| channel.as_str().to_owned())
            }
            _ => None,
        }
    }
}

impl Rows {
    /// The versions of a channel's short-term memory.
    pub(super) fn versions_of(&self, channel: &str) -> impl Iterator<Item = &HeadLine> {
        self.versions.get(channel).into_iter().flatten().filter_map(|at| self.heads.get(*at))
    }

    /// A channel's name as people write it.
    pub(super) fn name_of_channel(&self, channel: &str) -> String {
        self.channels.get(channel).map_or_else(|| channel.to_owned(), |row| format!("#{}", row.channel.name))
    }

    /// A memory's name as people write it.
    pub(super) fn name_of_memory(&self, key: &MemoryRowKey) -> String {
        if key.is_version() {
            return format!("{}, version {}", self.name_of_channel(&key.scope_id), key.version);
        }
        if key.is_fold() {
            return format!("{}, long-term", self.name_of_channel(&key.scope_id));
        }
        if key.is_workspace() {
            return "workspace".to_owned();
        }
        match parse_thread_scope_id(&key.scope_id) {
            Ok((channel, root)) => format!("{}, thread {root}", self.name_of_channel(channel.as_str())),
            Err(_malformed) => format!("{} {} {}", key.scope, key.scope_id, key.memory_type),
        }
    }

    /// A fault of a memory.
    pub(super) fn memory_fault(
        &self,
        kind: FaultKind,
        key: &MemoryRowKey,
        entries: &[i64],
        what: String,
    ) -> Fault {
        Fault {
            place: self.name_of_memory(key),
            kind,
            channel: key.channel().map(ChannelId::new),
            entries: entries.iter().copied().map(StepId).collect(),
            what,
        }
    }

    pub(super) async fn read(tx: &mut Tx) -> Result<Self, StoreError> {
        let channels = archive::all_channel_rows(tx).await?;
        let (messages,): (i64,) = on!(&mut *tx, c => query_as(
            "SELECT count(*) FROM messages WHERE kind = 'talk' AND deleted = 0").fetch_one(c).await)?;
        let heads = read_heads(tx).await?;
        let mut versions: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, head) in heads.iter().enumerate().filter(|(_, head)| head.key.is_version()) {
            versions.entry(head.key.scope_id.clone()).or_default().push(at);
        }
        Ok(Self {
            channels: channels.into_iter().map(|row| (row.channel.id.as_str().to_owned(), row)).collect(),
            chapters: read_chapters(tx).await?,
            heads,
            versions,
            steps: read_steps(tx).await?,
            inputs: read_inputs(tx).await?,
            messages: unsigned_count(messages),
        })
    }
}

async fn read_chapters(tx: &mut Tx) -> Result<BTreeMap<String, Vec<ChapterLine>>, StoreError> {
    let rows: Vec<(String, i64, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT channel_id, version, from_ts, to_ts FROM chapters ORDER BY channel_id, version")
        .fetch_all(c).await)?;
    let mut chapters: BTreeMap<String, Vec<ChapterLine>> = BTreeMap::new();
    for (channel, version, from, to) in rows {
        chapters.entry(channel).or_default().push(ChapterLine { version, from, to });
    }
    Ok(chapters)
}

row! {
    /// A memory beside its journal entry: in what they differ, and how many messages that it was made from are gone.
    struct HeadRow {
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        step_id: i64,
        letters: i64,
        difference: String,
        gone: i64,
    }
}

async fn read_heads(tx: &mut Tx) -> Result<Vec<HeadLine>, StoreError> {
    // A tombstone that names its author had a text once; one of a message that was never seen has none. What came late
    // may never have been in the text, so a chapter that is still to be written anew is skipped, and for a window
    // (overwrite mode) what lies before its chapter.
    let rows: Vec<HeadRow> = on!(&mut *tx, c => query_as(
        "SELECT h.scope, h.scope_id, h.memory_type, h.version, h.step_id, CAST(length(h.content) AS BIGINT) AS letters,
             CASE WHEN s.id IS NULL THEN 'entry'
                  WHEN s.scope <> h.scope OR s.scope_id <> h.scope_id OR s.memory_type <> h.memory_type
                       OR s.version <> h.version THEN 'memory'
                  WHEN s.content <> h.content THEN 'text'
                  WHEN s.source_message_count <> h.source_message_count THEN 'number of messages'
                  WHEN coalesce(s.source_latest_message_ts, 0) <> coalesce(h.source_latest_message_ts, 0)
                       THEN 'newest message'
                  ELSE '' END AS difference,
             (SELECT count(*) FROM messages m
              WHERE h.scope = 'channel' AND h.memory_type = 'short_term' AND m.channel_id = h.scope_id
                AND m.ts > s.from_ts AND m.ts <= s.to_ts AND m.revision > s.read_revision
                AND m.deleted = 1 AND m.user_id <> '' AND m.kind = 'talk'
                AND EXISTS (SELECT 1 FROM chapters k WHERE k.channel_id = h.scope_id
                    AND k.version = h.version AND m.ts > k.from_ts AND k.late_revision <= s.read_revision)) AS gone
         FROM memories h LEFT JOIN memory_steps s ON s.id = h.step_id
         ORDER BY h.scope, h.scope_id, h.memory_type, h.version").fetch_all(c).await)?;
    let line = |row: HeadRow| HeadLine {
        key: MemoryRowKey {
            scope: row.scope,
            scope_id: row.scope_id,
            memory_type: row.memory_type,
            version: row.version,
        },
        step: row.step_id,
        is_empty: row.letters == 0,
        difference: row.difference,
        deleted: unsigned_count(row.gone),
    };
    Ok(rows.into_iter().map(line).collect())
}

row! {
    struct StepRow {
        id: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        kind: String,
        parent_id: Option<i64>,
        through_version: i64,
        through_step: Option<i64>,
        wiped: i64,
    }
}

async fn read_steps(tx: &mut Tx) -> Result<BTreeMap<i64, StepLine>, StoreError> {
    let rows: Vec<StepRow> = on!(&mut *tx, c => query_as(
        "SELECT id, scope, scope_id, memory_type, version, kind, parent_id, through_version, through_step,
             CAST(CASE WHEN content IS NULL THEN 1 ELSE 0 END AS BIGINT) AS wiped
         FROM memory_steps").fetch_all(c).await)?;
    let line = |row: StepRow| {
        let key = MemoryRowKey {
            scope: row.scope,
            scope_id: row.scope_id,
            memory_type: row.memory_type,
            version: row.version,
        };
        let step = StepLine {
            key,
            kind: row.kind,
            parent: row.parent_id,
            mark: row.through_version,
            mark_step: row.through_step,
            is_wiped: row.wiped == 1,
        };
        (row.id, step)
    };
    Ok(rows.into_iter().map(line).collect())
}

async fn read_inputs(tx: &mut Tx) -> Result<BTreeMap<i64, Vec<Input>>, StoreError> {
    let rows: Vec<(i64, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT step_id, input_id, hard FROM step_inputs ORDER BY step_id, input_id").fetch_all(c).await)?;
    let mut inputs: BTreeMap<i64, Vec<Input>> = BTreeMap::new();
    for (step, id, hard) in rows {
        inputs.entry(step).or_default().push(Input { id, is_hard: hard == 1 });
    }
    Ok(inputs)
}

/// A moment as it is shown in a fault.
pub(super) fn shown_moment(micros: i64) -> String {
    let ts = MessageTs::from_micros(micros);
    format!("{ts} ({:.0})", ts.to_timestamp())
}
