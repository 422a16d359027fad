//! Reads the journal: what was written, when, by whom and from what (specification §2.2).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::{FoldMark, Memory, MemoryScope, MemoryType, ScopeId, StepId, StepKind, parse_thread_scope_id},
};

use crate::{
    MemoryHandle, StoreError,
    db::{
        Tx, query_as,
        values::{
            instant_from_micros, opt_ts, parse_column, row, signed_size, unsigned_count, version_number,
        },
    },
    memory::memories::{self, MemoryHeadRow},
};

/// Identifies a memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryKey {
    /// What it is about.
    pub scope: MemoryScope,
    /// The id of that scope.
    pub scope_id: ScopeId,
    /// How far back it reaches.
    pub memory_type: MemoryType,
    /// 1 for everything but a channel's short-term memory.
    pub version: u32,
}

impl MemoryKey {
    /// A channel's long-term memory.
    pub fn long_term(channel: &ChannelId) -> Self {
        Self {
            scope: MemoryScope::Channel,
            scope_id: ScopeId::channel(channel),
            memory_type: MemoryType::LongTerm,
            version: 1,
        }
    }

    /// The workspace's.
    pub fn workspace() -> Self {
        Self {
            scope: MemoryScope::Workspace,
            scope_id: ScopeId::workspace(),
            memory_type: MemoryType::LongTerm,
            version: 1,
        }
    }

    /// The memory's channel; `None` for the workspace.
    pub fn channel(&self) -> Option<ChannelId> {
        channel_of(self.scope, &self.scope_id)
    }

    /// The subject that has to be claimed to write it: see [`Claim::subject`](crate::Claim::subject).
    pub fn subject(&self) -> String {
        self.channel().map_or_else(|| "workspace".to_owned(), |channel| format!("channel:{channel}"))
    }
}

/// The channel that a memory belongs to; `None` for the workspace's.
pub(super) fn channel_of(scope: MemoryScope, id: &ScopeId) -> Option<ChannelId> {
    match scope {
        MemoryScope::Workspace => None,
        MemoryScope::Channel => Some(ChannelId::new(id.as_str())),
        MemoryScope::Thread => parse_thread_scope_id(id.as_str()).ok().map(|(channel, _)| channel),
    }
}

/// One write of a memory.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// Its number.
    pub step: StepId,
    /// The memory that was written.
    pub key: MemoryKey,
    /// How the text came about.
    pub kind: StepKind,
    /// The step it replaced.
    pub parent: Option<StepId>,
    /// How far a long-term memory had come with it.
    pub mark: FoldMark,
    /// The talk it was made from: after the first time stamp, up to the second.
    pub range: Option<(MessageTs, MessageTs)>,
    /// The text; `None` if it was wiped or there never was one: see [`Self::is_wiped`].
    pub content: Option<String>,
    /// How many messages it was made from.
    pub source_message_count: u64,
    /// The newest of them.
    pub source_latest_message_ts: Option<MessageTs>,
    /// A model's id, a person's name, or `keeper`.
    pub actor: String,
    /// Why it was written.
    pub reason: String,
    /// When it was written.
    pub at: Timestamp,
    /// What the last model call behind it cost.
    pub call: Option<EntryCall>,
    /// Whether the memory has this text now.
    pub is_current: bool,
    /// The steps it was made from, by number.
    pub hard: Vec<EntryInput>,
    /// The steps that were shown beside them.
    pub soft: Vec<EntryInput>,
}

impl JournalEntry {
    /// Whether its text was wiped, since something it was made from was removed. A refused answer and a note never had
    /// a text.
    pub fn is_wiped(&self) -> bool {
        self.content.is_none() && !matches!(self.kind, StepKind::Refused | StepKind::Dropped)
    }
}

/// A step that another was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryInput {
    /// Its number.
    pub step: StepId,
    /// The memory it belongs to.
    pub key: MemoryKey,
}

/// The model call behind a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryCall {
    /// Its number among all calls.
    pub id: i64,
    /// The model that was called.
    pub model: String,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

row! {
    struct JournalRow {
        id: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        kind: String,
        parent_id: Option<i64>,
        through_version: i64,
        through_step: Option<i64>,
        from_ts: Option<i64>,
        to_ts: Option<i64>,
        content: Option<String>,
        source_message_count: i64,
        source_latest_message_ts: Option<i64>,
        actor: String,
        reason: String,
        at: i64,
        current: i64,
        call_id: Option<i64>,
        model: Option<String>,
        tokens_in: Option<i64>,
        tokens_out: Option<i64>,
        millis: Option<i64>,
    }
}

/// The beginning of a query for the journal, to be completed by a condition on `s`.
macro_rules! entries {
    () => {
        "SELECT s.id, s.scope, s.scope_id, s.memory_type, s.version, s.kind, s.parent_id, s.through_version,
             s.through_step, s.from_ts, s.to_ts, s.content, s.source_message_count,
             s.source_latest_message_ts, s.actor, s.reason, s.at, c.id AS call_id, c.model, c.tokens_in,
             c.tokens_out, c.millis,
             CAST(CASE WHEN h.step_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS current
         FROM memory_steps s LEFT JOIN model_calls c ON c.id = s.call_id
         LEFT JOIN memories h ON h.scope = s.scope AND h.scope_id = s.scope_id
             AND h.memory_type = s.memory_type AND h.version = s.version AND h.step_id = s.id "
    };
}

row! {
    /// What a step was made from.
    struct InputRow {
        step_id: i64,
        input_id: i64,
        hard: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
    }
}

/// The beginning of a query for inputs, to be completed by a condition on `i`, or on the step `s` made from them.
macro_rules! inputs {
    () => {
        "SELECT i.step_id, i.input_id, i.hard, n.scope, n.scope_id, n.memory_type, n.version
         FROM step_inputs i JOIN memory_steps n ON n.id = i.input_id
         JOIN memory_steps s ON s.id = i.step_id "
    };
}

/// A part of a memory's journal, and how many texts lie before and after it.
#[derive(Clone, Debug, Default)]
pub struct JournalWindow {
    /// Oldest first.
    pub entries: Vec<JournalEntry>,
    /// How many texts the memory has before these.
    pub texts_before: u64,
    /// How many texts the memory has after these.
    pub texts_behind: u64,
}

/// Hard and soft inputs, by step.
type Inputs = BTreeMap<i64, (Vec<EntryInput>, Vec<EntryInput>)>;

impl MemoryHandle<'_> {
    /// The journal of one memory, oldest first; empty if it may not be seen.
    #[boxed]
    pub async fn journal_of_memory(
        &self,
        visibility: &Visibility,
        key: &MemoryKey,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self
            .store
            .hearing()
            .shown_channels(visibility)
            .shows_memory(&mut tx, key.scope, &key.scope_id)
            .await?
        {
            return Ok(Vec::new());
        }
        let rows: Vec<JournalRow> = on!(&mut tx, c => query_as(concat!(entries!(),
            "WHERE s.scope = $1 AND s.scope_id = $2 AND s.memory_type = $3 AND s.version = $4 ORDER BY s.id"))
            .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
            .bind(i64::from(key.version)).fetch_all(c).await)?;
        let inputs: Vec<InputRow> = on!(&mut tx, c => query_as(concat!(inputs!(),
            "WHERE s.scope = $1 AND s.scope_id = $2 AND s.memory_type = $3 AND s.version = $4
             ORDER BY i.input_id"))
            .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
            .bind(i64::from(key.version)).fetch_all(c).await)?;
        join_entries_with_inputs(rows, inputs)
    }

    /// At most `most` steps of the journal of one memory: those around `around`, or else around the step whose text the
    /// memory has now, half of them after it if there are that many. Empty if the memory may not be seen.
    #[boxed]
    pub async fn journal_window_around(
        &self,
        visibility: &Visibility,
        key: &MemoryKey,
        around: Option<StepId>,
        most: usize,
    ) -> Result<JournalWindow, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self
            .store
            .hearing()
            .shown_channels(visibility)
            .shows_memory(&mut tx, key.scope, &key.scope_id)
            .await?
        {
            return Ok(JournalWindow::default());
        }
        let end = window_end(&mut tx, key, around, most / 2).await?;
        let mut rows: Vec<JournalRow> = on!(&mut tx, c => query_as(concat!(entries!(),
            "WHERE s.scope = $1 AND s.scope_id = $2 AND s.memory_type = $3 AND s.version = $4 AND s.id <= $5
             ORDER BY s.id DESC LIMIT $6"))
            .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
            .bind(i64::from(key.version)).bind(end).bind(signed_size(most)).fetch_all(c).await)?;
        rows.reverse();
        let Some(first) = rows.first().map(|row| row.id) else { return Ok(JournalWindow::default()) };
        let inputs: Vec<InputRow> = on!(&mut tx, c => query_as(concat!(inputs!(),
            "WHERE s.scope = $1 AND s.scope_id = $2 AND s.memory_type = $3 AND s.version = $4
                AND s.id >= $5 AND s.id <= $6 ORDER BY i.input_id"))
            .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
            .bind(i64::from(key.version)).bind(first).bind(end).fetch_all(c).await)?;
        let (before, behind): (i64, i64) = on!(&mut tx, c => query_as(
            "SELECT coalesce(sum(CASE WHEN s.id < $5 THEN 1 ELSE 0 END), 0),
                coalesce(sum(CASE WHEN s.id > $6 THEN 1 ELSE 0 END), 0)
             FROM memory_steps s WHERE s.scope = $1 AND s.scope_id = $2 AND s.memory_type = $3 AND s.version = $4
                AND (s.id < $5 OR s.id > $6) AND s.content <> '' AND s.kind NOT IN ('refused', 'dropped', 'emptied')")
            .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
            .bind(i64::from(key.version)).bind(first).bind(end).fetch_one(c).await)?;
        Ok(JournalWindow {
            entries: join_entries_with_inputs(rows, inputs)?,
            texts_before: unsigned_count(before),
            texts_behind: unsigned_count(behind),
        })
    }

    /// One page of the journal: the visible ones among the first `limit` steps after `after`. If none of these is
    /// visible, the visible ones of the next `limit` steps, and so on. Empty at the end.
    #[boxed]
    pub async fn journal_page_after(
        &self,
        visibility: &Visibility,
        mut after: StepId,
        limit: usize,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        loop {
            let rows: Vec<JournalRow> = on!(&mut tx, c => query_as(concat!(entries!(),
                "WHERE s.id > $1 ORDER BY s.id LIMIT $2"))
                .bind(after.0).bind(signed_size(limit)).fetch_all(c).await)?;
            let Some(last) = rows.last().map(|row| row.id) else { return Ok(Vec::new()) };
            let inputs: Vec<InputRow> = on!(&mut tx, c => query_as(concat!(inputs!(),
                "WHERE i.step_id > $1 AND i.step_id <= $2 ORDER BY i.input_id"))
                .bind(after.0).bind(last).fetch_all(c).await)?;
            let mut page = Vec::new();
            for entry in join_entries_with_inputs(rows, inputs)? {
                if shown.shows_memory(&mut tx, entry.key.scope, &entry.key.scope_id).await? {
                    page.push(entry);
                }
            }
            if !page.is_empty() {
                return Ok(page);
            }
            after = StepId(last);
        }
    }

    /// One step of the journal; `None` if there is none or its memory may not be seen.
    #[boxed]
    pub async fn find_journal_entry(
        &self,
        visibility: &Visibility,
        step: StepId,
    ) -> Result<Option<JournalEntry>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(entry) = entry_of_step(&mut tx, step).await? else { return Ok(None) };
        let is_shown = self
            .store
            .hearing()
            .shown_channels(visibility)
            .shows_memory(&mut tx, entry.key.scope, &entry.key.scope_id)
            .await?;
        Ok(Some(entry).filter(|_| is_shown))
    }

    /// Every memory that may be seen, as it stands, with its step, ordered by scope, scope id, type and version. Rows
    /// of the retired combination (specification §1) are left out.
    #[boxed]
    pub async fn all_memories(&self, visibility: &Visibility) -> Result<Vec<(StepId, Memory)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<MemoryHeadRow> = on!(&mut tx, c => query_as(concat!("SELECT ",
            memories::memory_columns!(), " FROM memories h
             WHERE NOT (h.scope = 'workspace' AND h.memory_type = 'short_term')
             ORDER BY h.scope, h.scope_id, h.memory_type, h.version")).fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut seen = Vec::new();
        for row in rows {
            let step = StepId(row.step_id);
            let memory = memories::memory_of_row(row)?;
            if shown.shows_memory(&mut tx, memory.scope(), memory.scope_id()).await? {
                seen.push((step, memory));
            }
        }
        Ok(seen)
    }
}

/// The last step of a window: the one that comes `behind` steps after the middle.
async fn window_end(
    tx: &mut Tx,
    key: &MemoryKey,
    around: Option<StepId>,
    behind: usize,
) -> Result<i64, StoreError> {
    let current: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT step_id FROM memories WHERE scope = $1 AND scope_id = $2 AND memory_type = $3 AND version = $4")
        .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
        .bind(i64::from(key.version)).fetch_optional(c).await)?;
    let Some(middle) = around.map(|step| step.0).or(current.map(|(step,)| step)) else { return Ok(i64::MAX) };
    let Some(offset) = behind.checked_sub(1) else { return Ok(middle) };
    let next: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT id FROM memory_steps WHERE scope = $1 AND scope_id = $2 AND memory_type = $3 AND version = $4
            AND id > $5 ORDER BY id LIMIT 1 OFFSET $6")
        .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
        .bind(i64::from(key.version)).bind(middle).bind(signed_size(offset)).fetch_optional(c).await)?;
    Ok(next.map_or(i64::MAX, |(id,)| id))
}

/// One step, within a transaction.
pub(crate) async fn entry_of_step(tx: &mut Tx, step: StepId) -> Result<Option<JournalEntry>, StoreError> {
    let rows: Vec<JournalRow> = on!(&mut *tx, c => query_as(concat!(entries!(), "WHERE s.id = $1"))
        .bind(step.0).fetch_all(c).await)?;
    let inputs: Vec<InputRow> = on!(&mut *tx, c => query_as(concat!(inputs!(),
        "WHERE i.step_id = $1 ORDER BY i.input_id"))
        .bind(step.0).fetch_all(c).await)?;
    Ok(join_entries_with_inputs(rows, inputs)?.pop())
}

fn join_entries_with_inputs(
    rows: Vec<JournalRow>,
    inputs: Vec<InputRow>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let mut by_step = Inputs::new();
    for row in inputs {
        let (hards, softs) = by_step.entry(row.step_id).or_default();
        let key = key_of_columns(row.input_id, &row.scope, row.scope_id, &row.memory_type, row.version)?;
        if row.hard == 1 { hards } else { softs }.push(EntryInput { step: StepId(row.input_id), key });
    }
    rows.into_iter().map(|row| entry_of_row(row, &mut by_step)).collect()
}

fn key_of_columns(
    step: i64,
    scope: &str,
    scope_id: String,
    memory_type: &str,
    number: i64,
) -> Result<MemoryKey, StoreError> {
    Ok(MemoryKey {
        scope: parse_column(scope, "memory_steps.scope", step)?,
        scope_id: ScopeId::new(scope_id),
        memory_type: parse_column(memory_type, "memory_steps.memory_type", step)?,
        version: version_number(number),
    })
}

fn entry_of_row(row: JournalRow, inputs: &mut Inputs) -> Result<JournalEntry, StoreError> {
    let (hard, soft) = inputs.remove(&row.id).unwrap_or_default();
    let call = row.call_id.map(|id| EntryCall {
        id,
        model: row.model.unwrap_or_default(),
        tokens_in: unsigned_count(row.tokens_in.unwrap_or(0)),
        tokens_out: unsigned_count(row.tokens_out.unwrap_or(0)),
        millis: unsigned_count(row.millis.unwrap_or(0)),
    });
    Ok(JournalEntry {
        step: StepId(row.id),
        key: key_of_columns(row.id, &row.scope, row.scope_id, &row.memory_type, row.version)?,
        kind: parse_column(&row.kind, "memory_steps.kind", row.id)?,
        parent: row.parent_id.map(StepId),
        mark: FoldMark { version: version_number(row.through_version), step: row.through_step.map(StepId) },
        range: row
            .from_ts
            .zip(row.to_ts)
            .map(|(from, to)| (MessageTs::from_micros(from), MessageTs::from_micros(to))),
        content: row.content,
        source_message_count: unsigned_count(row.source_message_count),
        source_latest_message_ts: row.source_latest_message_ts.and_then(opt_ts),
        actor: row.actor,
        reason: row.reason,
        at: instant_from_micros(row.at),
        call,
        is_current: row.current > 0,
        hard,
        soft,
    })
}
