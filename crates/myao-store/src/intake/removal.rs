//! Moves back what was made from removed words, in the transaction that removes them (specification §6, design §4). The
//! keeper writes anew what is missing afterwards; there is no second mechanism.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::ChannelId;

use super::follow;
use crate::{
    StoreError,
    db::Tx,
    hearing::removals::Removed,
    memory::{journal::corrections, memories},
    memos,
    replies::judgments,
};

/// Wipes every step made from the removed words, moves back the memories that showed them, and removes memos that were
/// made from them.
#[boxed]
pub(crate) async fn wipe_derived_steps(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<(), StoreError> {
    for one in removed {
        wipe_made_from(tx, one, now).await?;
    }
    spread_wiping(tx, now).await?;
    if corrections::removed::wipe_removed(tx, removed, now).await? {
        spread_wiping(tx, now).await?;
    }
    for one in removed {
        judgments::wipe_reasons(tx, one, now).await?;
    }
    memos::removal::remove_derived_memos(tx, removed, now).await?;
    follow::remove_words_from_copies(tx, removed, now).await?;
    for channel in removed.iter().map(|one| &one.channel).collect::<BTreeSet<_>>() {
        mark_words_removed(tx, channel, now).await?;
    }
    Ok(())
}

/// Takes a channel that is no longer open out of the workspace's memory. Texts that were written with that memory
/// beside them hold no words of the channel.
pub(crate) async fn close_channel(
    tx: &mut Tx,
    channel: &ChannelId,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE memory_steps SET content = NULL, wiped_at = $2
         WHERE scope = 'workspace' AND content IS NOT NULL AND id IN (
            SELECT i.step_id FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
            WHERE i.hard = 1 AND s.scope = 'channel' AND s.scope_id = $1)")
        .bind(channel.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    spread_wiping(tx, now).await
}

/// Wipes the steps that were made from the message itself: chapters whose range holds it, and its thread's memory.
async fn wipe_made_from(tx: &mut Tx, removed: &Removed, now: Timestamp) -> Result<(), StoreError> {
    let thread = myao_core::memory::make_thread_scope_id(&removed.channel, removed.thread);
    on!(tx, c => sqlx::query(
        "UPDATE memory_steps SET content = NULL, wiped_at = $5
         WHERE content IS NOT NULL AND memory_type = 'short_term' AND read_revision >= $4
           AND ((scope = 'channel' AND scope_id = $1 AND from_ts < $2 AND to_ts >= $2)
             OR (scope = 'thread' AND scope_id = $3))")
        .bind(removed.channel.as_str()).bind(removed.ts.as_micros()).bind(thread.as_str())
        .bind(removed.revision).bind(now.as_microsecond())
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes what was made from wiped steps ([`memories::spread_wiping`]), and lists texts by people among it.
#[boxed]
pub(crate) async fn spread_wiping(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    memories::spread_wiping(tx, now).await?;
    list_dropped_edits(tx, now).await
}

/// Lists texts by people that were wiped with the words they were based on, for their authors.
async fn list_dropped_edits(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged)
         SELECT 'entry:' || id, 1, 0, 'the text written by ' || actor || ' was made from words that are gone', 1
         FROM memory_steps WHERE wiped_at = $1 AND kind IN ('edit', 'revert')
         ON CONFLICT (subject) DO NOTHING")
        .bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

pub(crate) async fn mark_words_removed(
    tx: &mut Tx,
    channel: &ChannelId,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE channels SET removed_since = coalesce(removed_since, $2), removed_at = $2, look_at = 0
         WHERE id = $1")
        .bind(channel.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}
