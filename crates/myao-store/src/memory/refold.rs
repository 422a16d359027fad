//! Folds a channel's long-term memory anew behind the one that is shown (ADR 80).
//!
//! A chapter that was written anew is in the long-term memory with its old text. Nothing of that was taken back, so the
//! memory stays as it is until another one, folded from the chapters as they are now, has come as far; then that one takes
//! its place. A model may need days for it, as far as the budget goes.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::memory::{MemoryScope, MemoryType, ScopeId, StepId};

use super::memories::{self, Head, MemoryHeadRow};
use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// How far a memory that is folded anew has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refold {
    /// Its newest step; `None` before the first.
    pub(crate) step: Option<StepId>,
}

/// The memory of a channel that is folded anew; `None` if none is.
pub(crate) async fn refold_in_progress(tx: &mut Tx, channel: &str) -> Result<Option<Refold>, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as("SELECT step_id FROM refolds WHERE channel_id = $1")
        .bind(channel).fetch_optional(c).await)?;
    Ok(row.map(|(step,)| Refold { step: (step > 0).then_some(StepId(step)) }))
}

/// What a fold of the channel goes on from: the memory that is folded anew, or else the one that is shown.
#[boxed]
pub(crate) async fn head_to_continue(tx: &mut Tx, channel: &str) -> Result<Option<Head>, StoreError> {
    let Some(refold) = refold_in_progress(tx, channel).await? else {
        let id = ScopeId::new(channel);
        return memories::read_head(tx, MemoryScope::Channel, &id, MemoryType::LongTerm).await;
    };
    let Some(step) = refold.step else { return Ok(None) };
    let row: MemoryHeadRow = on!(tx, c => query_as(
        "SELECT s.id AS step_id, s.scope, s.scope_id, s.memory_type, s.version, coalesce(s.content, '') AS content,
                s.source_message_count, s.source_latest_message_ts, s.at AS created_at, s.at AS updated_at
         FROM memory_steps s WHERE s.id = $1").bind(step.0).fetch_one(c).await)?;
    Ok(Some(Head { step, memory: memories::memory_of_row(row)? }))
}

/// Begins, or takes back as far as needed, a memory without the text of the chapter's step `old`, if the one that a fold
/// goes on from holds it.
pub(crate) async fn begin_without(tx: &mut Tx, channel: &str, old: StepId) -> Result<(), StoreError> {
    let Some(head) = fold_head(tx, channel).await? else { return Ok(()) };
    let (fold,): (Option<i64>,) = on!(&mut *tx, c => query_as(
        "WITH RECURSIVE chain (id, parent_id) AS (
            SELECT id, parent_id FROM memory_steps WHERE id = $1
            UNION ALL
            SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id)
         SELECT min(l.id) FROM chain JOIN memory_steps l ON l.id = chain.id
         WHERE EXISTS (SELECT 1 FROM step_inputs i WHERE i.step_id = l.id AND i.input_id = $2 AND i.hard = 1)
            -- Of an emptied chapter no merge has anything; the mark went past it.
            OR EXISTS (SELECT 1 FROM memory_steps old WHERE old.id = $2 AND old.content = ''
                       AND l.through_version >= old.version)")
        .bind(head.0).bind(old.0).fetch_one(c).await)?;
    let Some(fold) = fold else { return Ok(()) };
    let clean = memories::clean_before(tx, head, Some(StepId(fold))).await?;
    set_refold_step(tx, channel, clean).await
}

async fn set_refold_step(tx: &mut Tx, channel: &str, step: Option<StepId>) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO refolds (channel_id, step_id) VALUES ($1, $2)
         ON CONFLICT (channel_id) DO UPDATE SET step_id = excluded.step_id")
        .bind(channel).bind(step.map_or(0, |step| step.0)).execute(c).await.map(drop))?;
    Ok(())
}

/// The step that a fold goes on from.
pub(crate) async fn fold_head(tx: &mut Tx, channel: &str) -> Result<Option<StepId>, StoreError> {
    if let Some(refold) = refold_in_progress(tx, channel).await? {
        return Ok(refold.step);
    }
    shown_step(tx, channel).await
}

async fn shown_step(tx: &mut Tx, channel: &str) -> Result<Option<StepId>, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT step_id FROM memories WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'long_term'")
        .bind(channel).fetch_optional(c).await)?;
    Ok(row.map(|(step,)| StepId(step)))
}

/// Takes a step of the memory that is folded anew. `true` if it is not shown yet.
pub(crate) async fn goes_on(
    tx: &mut Tx,
    channel: &str,
    step: StepId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if refold_in_progress(tx, channel).await?.is_none() {
        return Ok(false);
    }
    set_refold_step(tx, channel, Some(step)).await?;
    show_if_caught_up(tx, channel, now).await?;
    Ok(true)
}

/// Shows the memory that was folded anew, once it has come as far as the one that is shown.
#[boxed]
pub(crate) async fn show_if_caught_up(tx: &mut Tx, channel: &str, now: Timestamp) -> Result<(), StoreError> {
    let Some(refold) = refold_in_progress(tx, channel).await? else { return Ok(()) };
    let before = shown_step(tx, channel).await?;
    let Some(step) = refold.step else {
        // Neither of them has anything.
        return if before.is_none() { end_in_channel(tx, channel).await } else { Ok(()) };
    };
    if let Some(before) = before {
        let (is_behind,): (i64,) = on!(&mut *tx, c => query_as(
            "SELECT count(*) FROM memory_steps a JOIN memory_steps b ON b.id = $2
             WHERE a.id = $1 AND a.through_version < b.through_version")
            .bind(step.0).bind(before.0).fetch_one(c).await)?;
        if is_behind > 0 {
            return Ok(());
        }
    }
    end_in_channel(tx, channel).await?;
    memories::show_step(tx, channel, step, now).await
}

/// Shows the memory that is folded anew, however far it has come.
pub(crate) async fn show_new_memory(tx: &mut Tx, channel: &str, now: Timestamp) -> Result<(), StoreError> {
    let Some(refold) = refold_in_progress(tx, channel).await? else { return Ok(()) };
    end_in_channel(tx, channel).await?;
    match (refold.step, shown_step(tx, channel).await?) {
        (Some(step), _) => memories::show_step(tx, channel, step, now).await,
        (None, Some(before)) => memories::move_back(tx, before, Some(StepId(0)), now).await,
        (None, None) => Ok(()),
    }
}

/// Ends it: a person said what the memory is to be.
pub(crate) async fn end_in_channel(tx: &mut Tx, channel: &str) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM refolds WHERE channel_id = $1").bind(channel).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes back what was wiped at `now`, and shows what has come far enough after that.
pub(crate) async fn leave_wiped_steps(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<(String, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT r.channel_id, r.step_id, CASE WHEN s.wiped_at = $1 THEN CAST(1 AS BIGINT) ELSE 0 END
         FROM refolds r LEFT JOIN memory_steps s ON s.id = r.step_id ORDER BY r.channel_id")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    for (channel, step, is_wiped) in rows {
        if is_wiped > 0 {
            let clean = memories::clean_before(tx, StepId(step), None).await?;
            set_refold_step(tx, &channel, clean).await?;
        }
        show_if_caught_up(tx, &channel, now).await?;
    }
    Ok(())
}
