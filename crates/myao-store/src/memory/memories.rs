//! Reads memories as they stand, the newest text of each, and moves them: `journal` writes what they say.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::{
        ChapterState, ClosedBy, FoldMark, Memory, MemoryDraft, MemoryScope, MemoryType, ScopeId, StepId,
        StepKind, create_memory, parse_thread_scope_id,
    },
    text::estimate_tokens,
};

use super::{refold, rewriting::unwritten};
use crate::{
    MemoryHandle, StoreError, archive,
    db::{
        Tx, query_as,
        values::{
            instant_from_micros, opt_ts, parse_column, row, signed_count, signed_size, unsigned_count,
            version_number,
        },
    },
    recall::{self, UnindexedVersions},
};

/// The columns that [`MemoryHeadRow`] holds.
macro_rules! memory_columns {
    () => {
        "h.step_id, h.scope, h.scope_id, h.memory_type, h.version, h.content, h.source_message_count,
         h.source_latest_message_ts, h.created_at, h.updated_at"
    };
}
pub(crate) use memory_columns;

row! {
    /// A row of `memories`.
    pub(crate) struct MemoryHeadRow {
        step_id: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        content: String,
        source_message_count: i64,
        source_latest_message_ts: Option<i64>,
        created_at: i64,
        updated_at: i64,
    }
}

pub(crate) fn memory_of_row(row: MemoryHeadRow) -> Result<Memory, StoreError> {
    let draft = create_memory(
        parse_column(&row.scope, "memories.scope", row.step_id)?,
        ScopeId::new(row.scope_id),
        parse_column(&row.memory_type, "memories.memory_type", row.step_id)?,
        row.content,
        unsigned_count(row.source_message_count),
        row.source_latest_message_ts.and_then(opt_ts),
    )
    .map_err(|e| StoreError::Content(e.to_string()))?;
    let created = instant_from_micros(row.created_at);
    Ok(draft.stored(version_number(row.version), created, instant_from_micros(row.updated_at)))
}

/// A memory with the step that its text is from.
fn head_of_row(row: MemoryHeadRow) -> Result<Head, StoreError> {
    Ok(Head { step: StepId(row.step_id), memory: memory_of_row(row)? })
}

/// A memory and the step its text came from.
#[derive(Clone, Debug)]
pub struct Head {
    /// The step.
    pub step: StepId,
    /// The memory.
    pub memory: Memory,
}

/// More chapters than ever wait.
const MOST_WAITING: usize = 1 << 30;

/// A channel's long-term memory and what waits to be folded into it.
#[derive(Clone, Debug)]
pub struct ChannelFold {
    /// The memory; `None` before the first fold.
    pub head: Option<Head>,
    /// How far the fold has come.
    pub mark: FoldMark,
    /// The written chapters from the mark on, in order, up to the first that has no text.
    pub waiting: Vec<(ChapterState, Memory)>,
    /// Whether no chapter is still to be written, and all that wait have been read.
    pub complete: bool,
    /// Whether more wait than were read.
    pub is_cut: bool,
    /// The channel's revision when this was read.
    pub revision: i64,
}

impl MemoryHandle<'_> {
    /// The newest version; `None` if there is none or it may not be seen.
    #[boxed]
    pub async fn find_latest(
        &self,
        visibility: &Visibility,
        scope: MemoryScope,
        scope_id: &ScopeId,
        memory_type: MemoryType,
    ) -> Result<Option<Memory>, StoreError> {
        Ok(self.find_history(visibility, scope, scope_id, memory_type, 1).await?.pop())
    }

    /// The newest `limit` versions, newest first; empty if they may not be seen.
    #[boxed]
    pub async fn find_history(
        &self,
        visibility: &Visibility,
        scope: MemoryScope,
        scope_id: &ScopeId,
        memory_type: MemoryType,
        limit: usize,
    ) -> Result<Vec<Memory>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_memory(&mut tx, scope, scope_id).await? {
            return Ok(Vec::new());
        }
        let rows: Vec<MemoryHeadRow> = on!(&mut tx, c => query_as(concat!("SELECT ", memory_columns!(),
            " FROM memories h WHERE h.scope = $1 AND h.scope_id = $2 AND h.memory_type = $3
              ORDER BY h.version DESC LIMIT $4"))
            .bind(scope.as_str()).bind(scope_id.as_str()).bind(memory_type.as_str())
            .bind(i64::try_from(limit).unwrap_or(i64::MAX)).fetch_all(c).await)?;
        rows.into_iter().map(memory_of_row).collect()
    }

    /// A memory with its step; `None` if there is none or it may not be seen.
    #[boxed]
    pub async fn head(
        &self,
        visibility: &Visibility,
        scope: MemoryScope,
        scope_id: &ScopeId,
        memory_type: MemoryType,
    ) -> Result<Option<Head>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_memory(&mut tx, scope, scope_id).await? {
            return Ok(None);
        }
        read_head(&mut tx, scope, scope_id, memory_type).await
    }

    /// A channel's long-term memory and what waits to be folded into it; nothing if the channel may not be seen.
    #[boxed]
    pub async fn channel_fold(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
    ) -> Result<ChannelFold, StoreError> {
        self.channel_fold_of_first(visibility, channel, MOST_WAITING).await
    }

    /// The same with only the first `most` chapters that wait: where thousands do, one merge takes few of them.
    #[boxed]
    pub async fn channel_fold_of_first(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        most: usize,
    ) -> Result<ChannelFold, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let revision = archive::channel_revision(&mut tx, channel).await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            let mark = FoldMark::default();
            let waiting = Vec::new();
            return Ok(ChannelFold { head: None, mark, waiting, complete: true, is_cut: false, revision });
        }
        let head = refold::head_to_continue(&mut tx, channel.as_str()).await?;
        let mark = match &head {
            Some(head) => mark_of(&mut tx, head.step).await?,
            None => FoldMark::default(),
        };
        let (unwritten,): (Option<i64>,) = on!(&mut tx, c => query_as(
            concat!("SELECT min(k.version) FROM chapters k
             LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
                  AND h.memory_type = 'short_term' AND h.version = k.version
             LEFT JOIN memory_steps s ON s.id = h.step_id
             WHERE k.channel_id = $1
               AND ", unwritten!()))
            .bind(channel.as_str()).fetch_one(c).await)?;
        let rows: Vec<WaitingRow> = on!(&mut tx, c => query_as(concat!("SELECT ", memory_columns!(),
            ", s.kind, coalesce((SELECT k.closed_by FROM chapters k
                WHERE k.channel_id = h.scope_id AND k.version = h.version), '') AS closed_by
             FROM memories h JOIN memory_steps s ON s.id = h.step_id
             WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'short_term'
               AND h.version >= $2 AND h.version < $3 ORDER BY h.version LIMIT $4"))
            .bind(channel.as_str()).bind(i64::from(mark.version)).bind(unwritten.unwrap_or(i64::MAX))
            .bind(signed_size(most.saturating_add(1))).fetch_all(c).await)?;
        let is_cut = rows.len() > most;
        let waiting = rows.into_iter().take(most).map(chapter_state);
        Ok(ChannelFold {
            head,
            mark,
            waiting: waiting.collect::<Result<_, _>>()?,
            complete: unwritten.is_none() && !is_cut,
            is_cut,
            revision,
        })
    }
}

row! {
    /// A chapter's memory, of which kind its step is, and why the chapter ended.
    struct WaitingRow {
        kind: String,
        closed_by: String,
    } with memory: MemoryHeadRow
}

fn chapter_state(row: WaitingRow) -> Result<(ChapterState, Memory), StoreError> {
    let Head { step, memory } = head_of_row(row.memory)?;
    let kind: StepKind = parse_column(&row.kind, "memory_steps.kind", step.0)?;
    let state = ChapterState {
        version: memory.version(),
        step,
        to: memory.source_latest_message_ts().unwrap_or(MessageTs::MIN),
        tokens: estimate_tokens(memory.content()),
        verbatim: kind == StepKind::Verbatim,
        emptied: memory.content().is_empty(),
        provisional: row.closed_by == ClosedBy::Provisional.as_str(),
    };
    Ok((state, memory))
}

#[boxed]
pub(crate) async fn read_head(
    tx: &mut Tx,
    scope: MemoryScope,
    scope_id: &ScopeId,
    memory_type: MemoryType,
) -> Result<Option<Head>, StoreError> {
    let row: Option<MemoryHeadRow> = on!(tx, c => query_as(concat!("SELECT ", memory_columns!(),
        " FROM memories h WHERE h.scope = $1 AND h.scope_id = $2 AND h.memory_type = $3
          ORDER BY h.version DESC LIMIT 1"))
        .bind(scope.as_str()).bind(scope_id.as_str()).bind(memory_type.as_str())
        .fetch_optional(c).await)?;
    row.map(head_of_row).transpose()
}

async fn mark_of(tx: &mut Tx, step: StepId) -> Result<FoldMark, StoreError> {
    let (through, through_step): (i64, Option<i64>) = on!(tx, c => query_as(
        "SELECT through_version, through_step FROM memory_steps WHERE id = $1")
        .bind(step.0).fetch_one(c).await)?;
    Ok(FoldMark { version: version_number(through), step: through_step.map(StepId) })
}

/// The step of a memory's newest text.
pub(crate) async fn head_step(
    tx: &mut Tx,
    draft: &MemoryDraft,
    number: u32,
) -> Result<Option<StepId>, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT step_id FROM memories
         WHERE scope = $1 AND scope_id = $2 AND memory_type = $3 AND version = $4")
        .bind(draft.scope().as_str()).bind(draft.scope_id().as_str()).bind(draft.memory_type().as_str())
        .bind(i64::from(number)).fetch_optional(c).await)?;
    Ok(row.map(|(step,)| StepId(step)))
}

/// Drops the versions of a memory from `first` on; 1 drops all. The journal still says that they existed.
pub(crate) async fn delete_versions(
    tx: &mut Tx,
    scope: MemoryScope,
    scope_id: &ScopeId,
    memory_type: MemoryType,
    first: u32,
) -> Result<(), StoreError> {
    let gone: Vec<(String, i64)> = on!(tx, c => query_as(
        "DELETE FROM memories WHERE scope = $1 AND scope_id = $2 AND memory_type = $3 AND version >= $4
         RETURNING scope_id, step_id")
        .bind(scope.as_str()).bind(scope_id.as_str()).bind(memory_type.as_str()).bind(i64::from(first))
        .fetch_all(c).await)?;
    recall::drop_memories(tx, &gone).await
}

/// Moves a memory to the text of a step. A version that is new waits in `unindexed` to be indexed, which the caller has
/// done before the transaction ends.
pub(crate) async fn put_head(
    tx: &mut Tx,
    draft: &MemoryDraft,
    number: u32,
    step: StepId,
    now: Timestamp,
    unindexed: &mut UnindexedVersions,
) -> Result<(), StoreError> {
    if draft.scope() == MemoryScope::Channel {
        let channel = draft.scope_id().as_str();
        let before = head_step(tx, draft, number).await?.map(|step| (channel.to_owned(), step.0));
        let is_short_term = draft.memory_type() == MemoryType::ShortTerm;
        let version = is_short_term.then_some((i64::from(number), draft.source_latest_message_ts()));
        if let Some(version) = version.filter(|_| before.is_none()) {
            unindexed.add(channel, step, version, draft.content());
        } else {
            unindexed.write(tx).await?;
            recall::drop_memories(tx, before.as_slice()).await?;
            recall::put_memory(tx, channel, step, draft.content(), version).await?;
        }
    }
    let is_thread = draft.scope() == MemoryScope::Thread;
    let thread_of = parse_thread_scope_id(draft.scope_id().as_str()).ok().filter(|_| is_thread);
    let thread_of = thread_of.map(|(channel, _)| channel);
    on!(tx, c => sqlx::query(
        "INSERT INTO memories (scope, scope_id, memory_type, version, step_id, content,
                source_message_count, source_latest_message_ts, created_at, updated_at, channel_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)
         ON CONFLICT (scope, scope_id, memory_type, version) DO UPDATE
         SET step_id = excluded.step_id, content = excluded.content,
             source_message_count = excluded.source_message_count,
             source_latest_message_ts = excluded.source_latest_message_ts,
             updated_at = excluded.updated_at")
        .bind(draft.scope().as_str()).bind(draft.scope_id().as_str()).bind(draft.memory_type().as_str())
        .bind(i64::from(number)).bind(step.0).bind(draft.content())
        .bind(signed_count(draft.source_message_count()))
        .bind(draft.source_latest_message_ts().map(MessageTs::as_micros)).bind(now.as_microsecond())
        .bind(thread_of.as_ref().map(ChannelId::as_str)).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes what was made from wiped steps, and so on until nothing more is found; then moves heads back. A text that only
/// had a wiped step beside it holds no words of it: that was checked when the text was written
/// ([`myao_core::text::terms_borrowed_from`]).
#[boxed]
pub(crate) async fn spread_wiping(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE memory_steps SET content = NULL, wiped_at = $1
         WHERE content IS NOT NULL AND id IN (
            WITH RECURSIVE gone (id) AS (
                SELECT id FROM memory_steps WHERE wiped_at = $1
                UNION SELECT i.step_id FROM step_inputs i JOIN gone g ON i.input_id = g.id
                WHERE i.hard = 1)
            SELECT id FROM gone)")
        .bind(now.as_microsecond()).execute(c).await.map(drop))?;
    // What a wiped correction replaced is not to be known either.
    on!(&mut *tx, c => sqlx::query(
        "DELETE FROM corrections WHERE step_id IN (SELECT id FROM memory_steps WHERE wiped_at = $1)")
        .bind(now.as_microsecond()).execute(c).await.map(drop))?;
    leave_wiped_steps(tx, now).await
}

/// Moves back every memory whose text was wiped at `now`: a long-term memory to the newest step of its chain that still
/// has its words; any other memory is dropped, so that it is written anew.
///
/// A version is written anew even if only an earlier text of it was wiped: in overwrite mode only the long-term memory
/// still held what had left the window, and it moves back as well.
pub(crate) async fn leave_wiped_steps(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    let gone: Vec<(String, i64)> = on!(tx, c => query_as(
        "DELETE FROM memories WHERE memory_type = 'short_term' AND EXISTS (
            SELECT 1 FROM memory_steps s
            WHERE s.wiped_at = $1 AND s.scope = memories.scope AND s.scope_id = memories.scope_id
              AND s.memory_type = memories.memory_type AND s.version = memories.version)
         RETURNING scope_id, step_id")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    recall::drop_memories(tx, &gone).await?;
    let heads: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT h.step_id FROM memories h JOIN memory_steps s ON s.id = h.step_id
         WHERE h.memory_type = 'long_term' AND s.wiped_at = $1")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    for (head,) in heads {
        move_back(tx, StepId(head), None, now).await?;
    }
    refold::leave_wiped_steps(tx, now).await
}

/// Moves the long-term memory whose newest step is `head` back along its chain to the newest step before `before` that
/// has its words. Drops the memory if there is none.
pub(crate) async fn move_back(
    tx: &mut Tx,
    head: StepId,
    before: Option<StepId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(StepId(clean)) = clean_before(tx, head, before).await? else {
        let gone: Vec<(String, i64)> = on!(tx, c => query_as(
            "DELETE FROM memories WHERE step_id = $1 RETURNING scope_id, step_id")
            .bind(head.0).fetch_all(c).await)?;
        return recall::drop_memories(tx, &gone).await;
    };
    let moved: Vec<(String, String, String)> = on!(tx, c => query_as(
        "UPDATE memories SET step_id = $2, updated_at = $3,
            content = (SELECT content FROM memory_steps WHERE id = $2),
            source_message_count = (SELECT source_message_count FROM memory_steps WHERE id = $2),
            source_latest_message_ts = (SELECT source_latest_message_ts FROM memory_steps WHERE id = $2)
         WHERE step_id = $1 RETURNING scope, scope_id, content")
        .bind(head.0).bind(clean).bind(now.as_microsecond()).fetch_all(c).await)?;
    for (_, channel, content) in moved.iter().filter(|(scope, ..)| scope == MemoryScope::Channel.as_str()) {
        recall::drop_memories(tx, &[(channel.clone(), head.0)]).await?;
        recall::put_memory(tx, channel, StepId(clean), content, None).await?;
    }
    Ok(())
}

/// The newest step before `before`, in the chain of the long-term memory whose newest step is `head`, that has its words.
pub(crate) async fn clean_before(
    tx: &mut Tx,
    head: StepId,
    before: Option<StepId>,
) -> Result<Option<StepId>, StoreError> {
    let clean: Option<(i64,)> = on!(tx, c => query_as(
        "WITH RECURSIVE chain (id, parent_id) AS (
            SELECT id, parent_id FROM memory_steps WHERE id = $1
            UNION ALL
            SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id)
         SELECT s.id FROM chain JOIN memory_steps s ON s.id = chain.id
         WHERE s.content IS NOT NULL AND s.kind <> 'refused' AND s.id < $2 ORDER BY s.id DESC LIMIT 1")
        .bind(head.0).bind(before.map_or(i64::MAX, |step| step.0)).fetch_optional(c).await)?;
    Ok(clean.map(|(step,)| StepId(step)))
}

/// Moves a channel's long-term memory to the text of a step that was folded beside it.
pub(crate) async fn show_step(
    tx: &mut Tx,
    channel: &str,
    step: StepId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (content, messages, latest): (String, i64, Option<i64>) = on!(&mut *tx, c => query_as(
        "SELECT coalesce(content, ''), source_message_count, source_latest_message_ts FROM memory_steps WHERE id = $1")
        .bind(step.0).fetch_one(c).await)?;
    let draft = create_memory(
        MemoryScope::Channel,
        ScopeId::new(channel),
        MemoryType::LongTerm,
        content,
        unsigned_count(messages),
        latest.and_then(opt_ts),
    );
    let draft = draft.map_err(|e| StoreError::Content(e.to_string()))?;
    let mut unindexed = UnindexedVersions::default();
    put_head(tx, &draft, 1, step, now, &mut unindexed).await?;
    unindexed.write(tx).await
}
