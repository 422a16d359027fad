//! Has a channel's memories written anew: from a chapter on, or from the very beginning (specification §2.1, §2.2).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::ChannelId,
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepId, StepKind, SummaryError, create_memory},
};

use super::{due, journal, memories, refold};
use crate::{
    MemoryHandle, StoreError,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
    },
};

/// Where to begin writing memories anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartFrom {
    /// The channel is cut anew, including older messages that were found since; versions are numbered anew.
    Start,
    /// This chapter and all after it; boundaries and numbers stay.
    Chapter(u32),
}

impl MemoryHandle<'_> {
    /// Drops a channel's memories from that point on, and moves back the memories that were made from them; the next
    /// round writes them anew. The journal keeps its steps and records who wanted this.
    #[boxed]
    pub async fn drop_from(
        &self,
        claim: &Claim,
        channel: &ChannelId,
        from: RestartFrom,
        by: Origin,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            let first = match from {
                RestartFrom::Start => 0,
                RestartFrom::Chapter(version) => version,
            };
            workspace_back(&mut tx, &channel, now).await?;
            // What is folded anew has no old texts; the rest of it is written after this.
            refold::show_new_memory(&mut tx, channel.as_str(), now).await?;
            long_term_back(&mut tx, &channel, i64::from(first), now).await?;
            let id = ScopeId::channel(&channel);
            let scope = MemoryScope::Channel;
            let memory_type = MemoryType::ShortTerm;
            memories::delete_versions(&mut tx, scope, &id, memory_type, first).await?;
            if from == RestartFrom::Start {
                forget_chapters(&mut tx, &channel).await?;
            }
            note_as_step(&mut tx, &channel, by.clone(), now).await?;
            due::look_at(&mut tx, &channel).await?;
            tx.commit().await
        })
        .await
    }
}

/// Moves the long-term memory back to before the first merge of one of these chapters.
async fn long_term_back(
    tx: &mut Tx,
    channel: &ChannelId,
    first: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let row: Option<(i64, Option<i64>)> = on!(tx, c => query_as(
        "SELECT h.step_id, (SELECT min(l.id) FROM memory_steps l
             JOIN step_inputs i ON i.step_id = l.id JOIN memory_steps s ON s.id = i.input_id
             WHERE l.scope = 'channel' AND l.scope_id = $1 AND l.memory_type = 'long_term'
               AND s.memory_type = 'short_term' AND s.version >= $2 AND i.hard = 1)
         FROM memories h WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'long_term'")
        .bind(channel.as_str()).bind(first).fetch_optional(c).await)?;
    match row {
        Some((head, Some(fold))) => memories::move_back(tx, StepId(head), Some(StepId(fold)), now).await,
        Some((head, None)) if first == 0 => memories::move_back(tx, StepId(head), Some(StepId(0)), now).await,
        Some((_, None)) | None => Ok(()),
    }
}

/// Moves the workspace's memory back to before the first merge of one of the channel's long-term memories.
pub(crate) async fn workspace_back(
    tx: &mut Tx,
    channel: &ChannelId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let row: Option<(i64, Option<i64>)> = on!(tx, c => query_as(
        "SELECT h.step_id, (SELECT min(w.id) FROM memory_steps w
             JOIN step_inputs i ON i.step_id = w.id JOIN memory_steps s ON s.id = i.input_id
             WHERE w.scope = 'workspace' AND s.scope = 'channel' AND s.scope_id = $1 AND i.hard = 1)
         FROM memories h WHERE h.scope = 'workspace' AND h.memory_type = 'long_term'")
        .bind(channel.as_str()).fetch_optional(c).await)?;
    match row {
        Some((head, Some(fold))) => memories::move_back(tx, StepId(head), Some(StepId(fold)), now).await,
        Some((_, None)) | None => Ok(()),
    }
}

async fn forget_chapters(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM chapters WHERE channel_id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))?;
    let id = ScopeId::channel(channel);
    memories::delete_versions(tx, MemoryScope::Channel, &id, MemoryType::LongTerm, 1).await?;
    on!(tx, c => sqlx::query(
        "DELETE FROM memories WHERE scope = 'thread' AND channel_id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("UPDATE channels SET memory_from = NULL WHERE id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))?;
    Ok(())
}

/// Appends a step without a text that records the restart.
async fn note_as_step(
    tx: &mut Tx,
    channel: &ChannelId,
    by: Origin,
    now: Timestamp,
) -> Result<(), StoreError> {
    let id = ScopeId::channel(channel);
    let nothing = create_memory(MemoryScope::Channel, id, MemoryType::LongTerm, "", 0, None)
        .map_err(|e| StoreError::Content(SummaryError::from(e).to_string()))?;
    let by = Origin { kind: StepKind::Dropped, ..by };
    journal::append_empty_step(tx, &journal::step_without_model(nothing, 1, by, None), now).await
}
