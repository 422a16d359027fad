//! Writes memories: each write is a step of the journal, committed only if what it was made from still stands.
//!
//! This file writes the journal, and `holding` keeps others out meanwhile; `read` and `lineage` read it, `by_hand` lets a
//! person write in it, and `corrections` keeps what they put right.

pub(crate) mod by_hand;
pub(crate) mod corrections;
mod holding;
pub(crate) mod lineage;
pub(crate) mod read;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::{ClosedBy, FoldMark, Memory, MemoryDraft, MemoryScope, MemoryType, Origin, StepId, StepKind},
};

use super::{
    calls::{self, CallOutcome, NewCall},
    memories::{self, MemoryHeadRow},
    refold,
};
use crate::{
    MemoryHandle, StoreError,
    archive::Range,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{opt_ts, parse_column, row, signed_count, signed_size},
    },
    recall::UnindexedVersions,
};

use holding::hold_inputs_still;
pub(crate) use holding::hold_still;

/// A memory to be written, with everything that must still hold when it is.
#[derive(Clone, Debug)]
pub struct StepDraft {
    /// The text, what it is about and what it was made from.
    pub memory: MemoryDraft,
    /// Its version; 1 for everything but a channel's short-term memory.
    pub version: u32,
    /// How it came about.
    pub origin: Origin,
    /// The step it replaces, which must still be the memory's newest; `None` if there is no text yet.
    pub parent: Option<StepId>,
    /// Steps whose texts it was made from; each must still be its memory's newest.
    pub hard: Vec<StepId>,
    /// Steps that were shown beside them; none of them may have been wiped.
    pub soft: Vec<StepId>,
    /// The talk it was made from; nothing in this range may have changed since [`Self::read_revision`].
    pub range: Option<Range>,
    /// The channel's revision when its inputs were read.
    pub read_revision: i64,
    /// How far a long-term memory has come with this step.
    pub mark: FoldMark,
    /// The model calls behind it: one, or one for each part of a long chapter and one to join them.
    pub calls: Vec<CallRecord>,
}

/// The model call behind a step.
#[derive(Clone, Debug)]
pub enum CallRecord {
    /// Already recorded.
    Recorded(i64),
    /// To be recorded together with the step: a call of `builtin`.
    With(NewCall, CallOutcome),
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// It is the memory's newest step.
    Written(StepId),
    /// Something it was made from has changed; only the call's cost was recorded.
    Moved,
}

/// One version of a channel's short-term memory, as `myao memory log` shows it.
#[derive(Clone, Debug)]
pub struct VersionLog {
    /// The step of its text.
    pub step: StepId,
    /// The memory.
    pub memory: Memory,
    /// How its text came about.
    pub kind: StepKind,
    /// The chapter's range; `None` for a version without a chapter.
    pub range: Option<Range>,
    /// Its first message that is still there.
    pub source_first_message_ts: Option<MessageTs>,
    /// Why its chapter ended there; empty for a version without a chapter.
    pub closed_by: String,
}

impl VersionLog {
    /// Whether its chapter is still open: it is written anew when that closes.
    pub fn is_provisional(&self) -> bool {
        self.closed_by == ClosedBy::Provisional.as_str()
    }
}

row! {
    /// A version of a short-term memory: its memory, and its chapter with the first message of it.
    struct VersionRow {
        kind: String,
        from_ts: Option<i64>,
        to_ts: Option<i64>,
        first_ts: Option<i64>,
        closed_by: Option<String>,
    } with memory: MemoryHeadRow
}

impl MemoryHandle<'_> {
    /// Saves memories made under a claim in one transaction, each as the text of its version: 1 for everything but a
    /// channel's short-term memory, whose chapters have numbers ([`MemoryHandle::save_as_new_version`]). Each is
    /// written or not on its own conditions. A text that is replaced keeps its `created_at`, and `updated_at` moves.
    ///
    /// # Errors
    /// [`StoreError::ClaimLost`] if another process works on the subject now; then nothing is written.
    #[boxed]
    pub async fn save_steps(
        &self,
        claim: &Claim,
        steps: Vec<StepDraft>,
        now: Timestamp,
    ) -> Result<Vec<StepOutcome>, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            let mut outcomes = Vec::with_capacity(steps.len());
            let mut unindexed = UnindexedVersions::default();
            for step in steps.clone() {
                outcomes.push(save_one(&mut tx, step, now, &mut unindexed).await?);
            }
            unindexed.write(&mut tx).await?;
            tx.commit().await?;
            Ok(outcomes)
        })
        .await
    }

    /// Records that a text for a memory was refused, with the calls it cost; the memory stays as it is.
    #[boxed]
    pub async fn record_refusal(&self, refused: StepDraft, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let call_id = record_calls(&mut tx, &refused.calls).await?;
            insert_step(&mut tx, &refused, None, call_id, now).await?;
            tx.commit().await
        })
        .await
    }

    /// Whether a step still has its text: it was not wiped, as it is when words it was made from are removed or their
    /// place is closed.
    #[boxed]
    pub async fn has_text(&self, step: StepId) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (kept,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM memory_steps WHERE id = $1 AND content IS NOT NULL")
            .bind(step.0).fetch_one(c).await)?;
        Ok(kept == 1)
    }

    /// Does what [`MemoryHandle::record_refusal`] does, for a text that said what was only in its auxiliary
    /// information. Its calls are marked, so that the cost of such refusals can be told
    /// ([`crate::CallTotals::borrowed`]).
    #[boxed]
    pub async fn record_borrowed(&self, mut refused: StepDraft, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for call in &mut refused.calls {
                if let CallRecord::With(_, end) = call {
                    end.outcome = calls::BORROWED;
                }
            }
            let call_id = record_calls(&mut tx, &refused.calls).await?;
            for call in &refused.calls {
                let CallRecord::Recorded(id) = call else { continue };
                on!(&mut tx, c => sqlx::query("UPDATE model_calls SET outcome = $2 WHERE id = $1 AND outcome = 'ok'")
                    .bind(*id).bind(calls::BORROWED).execute(c).await.map(drop))?;
            }
            insert_step(&mut tx, &refused, None, call_id, now).await?;
            tx.commit().await
        })
        .await
    }

    /// The first message of a version that is not deleted.
    #[boxed]
    pub async fn first_of_version(
        &self,
        channel: &ChannelId,
        version: u32,
    ) -> Result<Option<MessageTs>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT m.ts FROM chapters k JOIN messages m ON m.channel_id = k.channel_id
                AND m.ts > k.from_ts AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted <> 1
             WHERE k.channel_id = $1 AND k.version = $2 ORDER BY m.ts LIMIT 1")
            .bind(channel.as_str()).bind(i64::from(version)).fetch_optional(c).await)?;
        Ok(row.map(|(ts,)| MessageTs::from_micros(ts)))
    }

    /// The versions of a channel's short-term memory, oldest first; empty if the channel may not be seen.
    #[boxed]
    pub async fn version_log(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
    ) -> Result<Vec<VersionLog>, StoreError> {
        let mut versions = self.version_page(visibility, channel, u32::MAX, usize::MAX).await?;
        versions.reverse();
        Ok(versions)
    }

    /// The last `limit` versions of a channel's short-term memory before version `before`, newest first; empty if the
    /// channel may not be seen.
    #[boxed]
    pub async fn version_page(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        before: u32,
        limit: usize,
    ) -> Result<Vec<VersionLog>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(Vec::new());
        }
        let rows: Vec<VersionRow> = on!(&mut tx, c => query_as(concat!("SELECT ", memories::memory_columns!(),
            ", s.kind, k.from_ts, k.to_ts, (SELECT min(m.ts) FROM messages m
                     WHERE m.channel_id = k.channel_id AND m.ts > k.from_ts AND m.ts <= k.to_ts
                       AND m.kind = 'talk' AND m.deleted <> 1) AS first_ts, k.closed_by
             FROM memories h JOIN memory_steps s ON s.id = h.step_id
             LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
             WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'short_term' AND h.version < $2
             ORDER BY h.version DESC LIMIT $3"))
            .bind(channel.as_str()).bind(i64::from(before)).bind(signed_size(limit)).fetch_all(c).await)?;
        rows.into_iter().map(|row| version_of(channel, row)).collect()
    }
}

fn version_of(channel: &ChannelId, row: VersionRow) -> Result<VersionLog, StoreError> {
    Ok(VersionLog {
        step: StepId(row.memory.step_id),
        kind: parse_column(&row.kind, "memory_steps.kind", row.memory.step_id)?,
        memory: memories::memory_of_row(row.memory)?,
        range: row.from_ts.zip(row.to_ts).map(|(from, to)| Range {
            channel: channel.clone(),
            from: MessageTs::from_micros(from),
            to: MessageTs::from_micros(to),
        }),
        source_first_message_ts: row.first_ts.and_then(opt_ts),
        closed_by: row.closed_by.unwrap_or_default(),
    })
}

async fn save_one(
    tx: &mut Tx,
    step: StepDraft,
    now: Timestamp,
    unindexed: &mut UnindexedVersions,
) -> Result<StepOutcome, StoreError> {
    let call_id = record_calls(tx, &step.calls).await?;
    match read::channel_of(step.memory.scope(), step.memory.scope_id()) {
        Some(channel) => hold_still(tx, Some(&channel)).await?,
        None => hold_inputs_still(tx, &step.hard).await?,
    }
    if !still_stands(tx, &step).await? {
        return Ok(StepOutcome::Moved);
    }
    append_step(tx, &step, call_id, now, unindexed).await.map(StepOutcome::Written)
}

/// Records the calls that are not recorded yet. Returns the id of the last call.
pub(crate) async fn record_calls(tx: &mut Tx, calls: &[CallRecord]) -> Result<Option<i64>, StoreError> {
    let mut last = None;
    for call in calls {
        last = Some(match call {
            CallRecord::With(call, end) => calls::insert_ended_call(tx, call, end).await?,
            CallRecord::Recorded(id) => *id,
        });
    }
    Ok(last)
}

/// Whether everything the step was made from is as it was read. What it was made from is held still meanwhile.
async fn still_stands(tx: &mut Tx, step: &StepDraft) -> Result<bool, StoreError> {
    let is_long_term =
        (step.memory.scope(), step.memory.memory_type()) == (MemoryScope::Channel, MemoryType::LongTerm);
    let head = if is_long_term {
        refold::fold_head(tx, step.memory.scope_id().as_str()).await?
    } else {
        memories::head_step(tx, &step.memory, step.version).await?
    };
    if head != step.parent {
        return Ok(false);
    }
    for input in &step.hard {
        let (heads,): (i64,) = on!(tx, c => query_as(
            "SELECT (SELECT count(*) FROM memories WHERE step_id = $1)
                  + (SELECT count(*) FROM refolds WHERE step_id = $1)")
            .bind(input.0).fetch_one(c).await)?;
        if heads == 0 || (step.memory.scope() == MemoryScope::Workspace && is_of_closed(tx, *input).await?) {
            return Ok(false);
        }
    }
    for input in &step.soft {
        let (kept,): (i64,) = on!(tx, c => query_as(
            "SELECT count(*) FROM memory_steps WHERE id = $1 AND content IS NOT NULL")
            .bind(input.0).fetch_one(c).await)?;
        if kept == 0 {
            return Ok(false);
        }
    }
    let Some(range) = &step.range else { return Ok(true) };
    let (changed,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages WHERE channel_id = $1 AND revision > $4 AND ts > $2 AND ts <= $3")
        .bind(range.channel.as_str()).bind(range.from.as_micros()).bind(range.to.as_micros())
        .bind(step.read_revision).fetch_one(c).await)?;
    Ok(changed == 0)
}

/// Whether a step is of a channel that is not open: nothing that everybody sees may be made from it. An open channel
/// stays open until the transaction ends; if it closes after that, its words are wiped from what was written.
async fn is_of_closed(tx: &mut Tx, step: StepId) -> Result<bool, StoreError> {
    let (closed,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM memory_steps s JOIN channels c ON c.id = s.scope_id
         WHERE s.id = $1 AND s.scope = 'channel' AND (c.kind <> 'public' OR c.external <> 0)")
        .bind(step.0).fetch_one(c).await)?;
    Ok(closed > 0)
}

/// Appends the step, moves the memory to it and indexes its text.
pub(crate) async fn write_step(
    tx: &mut Tx,
    step: &StepDraft,
    call_id: Option<i64>,
    now: Timestamp,
) -> Result<StepId, StoreError> {
    let mut unindexed = UnindexedVersions::default();
    let id = append_step(tx, step, call_id, now, &mut unindexed).await?;
    unindexed.write(tx).await?;
    Ok(id)
}

/// Appends the step and moves the memory to it. What waits to be indexed then is indexed by the caller.
async fn append_step(
    tx: &mut Tx,
    step: &StepDraft,
    call_id: Option<i64>,
    now: Timestamp,
    unindexed: &mut UnindexedVersions,
) -> Result<StepId, StoreError> {
    let right = corrections::put_right(tx, step).await?;
    let step = right.as_ref().unwrap_or(step);
    let memory = &step.memory;
    let id = insert_with_inputs(tx, step, call_id, now).await?;
    let is_long_term = (memory.scope(), memory.memory_type()) == (MemoryScope::Channel, MemoryType::LongTerm);
    let is_by_keeper = !matches!(step.origin.kind, StepKind::Edit | StepKind::Revert);
    if is_long_term && !is_by_keeper {
        // A person says what the memory is to be.
        refold::end_in_channel(tx, memory.scope_id().as_str()).await?;
    }
    if is_long_term && refold::goes_on(tx, memory.scope_id().as_str(), StepId(id), now).await? {
        return Ok(StepId(id));
    }
    memories::put_head(tx, memory, step.version, StepId(id), now, unindexed).await?;
    if is_versioned(memory.scope(), memory.memory_type()) {
        fold_back(tx, step).await?;
    }
    Ok(StepId(id))
}

/// Appends a step with its text, and notes what it was made from; no memory moves to it.
async fn insert_with_inputs(
    tx: &mut Tx,
    step: &StepDraft,
    call_id: Option<i64>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let id = insert_step(tx, step, Some(step.memory.content()), call_id, now).await?;
    for (inputs, hard) in [(&step.hard, 1_i64), (&step.soft, 0)] {
        for input in inputs {
            on!(tx, c => sqlx::query(
                "INSERT INTO step_inputs (step_id, input_id, hard) VALUES ($1, $2, $3)
                 ON CONFLICT (step_id, input_id) DO NOTHING")
                .bind(id).bind(input.0).bind(hard).execute(c).await.map(drop))?;
        }
    }
    Ok(id)
}

/// Appends a step without a text; no memory moves to it.
pub(crate) async fn append_empty_step(
    tx: &mut Tx,
    step: &StepDraft,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert_step(tx, step, None, None, now).await.map(drop)
}

/// Appends a step; `content` is `None` for a text that was refused.
async fn insert_step(
    tx: &mut Tx,
    step: &StepDraft,
    content: Option<&str>,
    call_id: Option<i64>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let memory = &step.memory;
    let (id,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, parent_id, through_version,
                through_step, from_ts, to_ts, read_revision, content, source_message_count,
                source_latest_message_ts, call_id, actor, reason, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         RETURNING id")
        .bind(memory.scope().as_str()).bind(memory.scope_id().as_str()).bind(memory.memory_type().as_str())
        .bind(i64::from(step.version)).bind(step.origin.kind.as_str()).bind(step.parent.map(|s| s.0))
        .bind(i64::from(step.mark.version)).bind(step.mark.step.map(|s| s.0))
        .bind(step.range.as_ref().map(|r| r.from.as_micros()))
        .bind(step.range.as_ref().map(|r| r.to.as_micros())).bind(step.read_revision)
        .bind(content).bind(signed_count(memory.source_message_count()))
        .bind(memory.source_latest_message_ts().map(MessageTs::as_micros)).bind(call_id)
        .bind(&step.origin.actor).bind(&step.origin.reason).bind(now.as_microsecond())
        .fetch_one(c).await)?;
    Ok(id)
}

/// Undoes the fold of a chapter that was written anew, since the old text was folded in: the long-term memory is folded
/// anew from before that step, and shown as it is until then (`refold`). (A window that moved on is a new version instead.)
async fn fold_back(tx: &mut Tx, step: &StepDraft) -> Result<(), StoreError> {
    let (Some(parent), Some(range)) = (step.parent, &step.range) else { return Ok(()) };
    let (is_anew,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM memory_steps old
         WHERE old.id = $1 AND (old.to_ts = $2 OR NOT EXISTS (SELECT 1 FROM chapters k
            WHERE k.channel_id = old.scope_id AND k.version = old.version AND k.closed_by = 'window'))")
        .bind(parent.0).bind(range.to.as_micros()).fetch_one(c).await)?;
    if is_anew == 0 {
        return Ok(());
    }
    refold::begin_without(tx, range.channel.as_str(), parent).await
}

/// A step that a person or a tool writes without a model: only its parent is checked.
pub(crate) fn step_without_model(
    memory: MemoryDraft,
    version: u32,
    origin: Origin,
    parent: Option<StepId>,
) -> StepDraft {
    StepDraft {
        memory,
        version,
        origin,
        parent,
        // A person writes with the earlier text in view: what is removed from that text must not live on in this one.
        hard: parent.into_iter().collect(),
        soft: Vec::new(),
        range: None,
        read_revision: 0,
        mark: FoldMark::default(),
        calls: Vec::new(),
    }
}

/// The memories that count versions up.
pub(crate) fn is_versioned(scope: MemoryScope, memory_type: MemoryType) -> bool {
    (scope, memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm)
}
