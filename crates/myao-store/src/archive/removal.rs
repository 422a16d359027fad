//! Removal: what was made from words that are gone moves back, in the transaction that removes them
//! (SPEC §6, DESIGN C). What is missing afterwards the keeper writes anew; there is no second mechanism.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{gives_away, terms},
};

use crate::{StoreError, db::Tx, judgments, memories, memos};

/// Words that are no longer said.
#[derive(Clone, Debug)]
pub(crate) struct Removed {
    pub(crate) channel: ChannelId,
    pub(crate) ts: MessageTs,
    /// The thread the message belongs to: its root.
    pub(crate) thread: MessageTs,
    /// The channel's revision when the words were said.
    pub(crate) revision: i64,
    /// The message was deleted, not edited.
    pub(crate) is_gone: bool,
    /// Terms of them that no longer stand in the message.
    pub(crate) terms: BTreeSet<String>,
}

impl Removed {
    /// The terms of `before` that are not in `after`.
    pub(crate) fn terms(before: &str, after: &str) -> BTreeSet<String> {
        let kept = terms(after);
        terms(before).into_iter().filter(|term| !kept.contains(term)).collect()
    }
}

/// Wipes every journal entry made from the removed words, moves the memories that stood on them back, and takes
/// memos with them.
pub(crate) async fn abandon(tx: &mut Tx, removed: &[Removed], now: Timestamp) -> Result<(), StoreError> {
    for one in removed {
        wipe_made_from(tx, one, now).await?;
    }
    let words: BTreeSet<String> = removed.iter().flat_map(|one| one.terms.iter().cloned()).collect();
    spread(tx, &words, None, now).await?;
    for one in removed {
        judgments::wipe_reasons(tx, one, now).await?;
    }
    memos::removal::forget(tx, removed, &words, now).await?;
    for channel in removed.iter().map(|one| &one.channel).collect::<BTreeSet<_>>() {
        note_removal(tx, channel, now).await?;
    }
    Ok(())
}

/// A channel that is no longer open leaves the workspace's memory, and what was written beside it.
pub(crate) async fn close_channel(
    tx: &mut Tx,
    channel: &ChannelId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let texts: Vec<(String,)> = on!(tx, c => sqlx::query_as(
        "SELECT content FROM memory_steps
         WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'long_term' AND content IS NOT NULL")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let words: BTreeSet<String> = texts.iter().flat_map(|(text,)| terms(text)).collect();
    on!(tx, c => sqlx::query(
        "UPDATE memory_steps SET content = NULL, wiped_at = $2
         WHERE scope = 'workspace' AND content IS NOT NULL AND id IN (
            SELECT i.step_id FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
            WHERE i.hard = 1 AND s.scope = 'channel' AND s.scope_id = $1)")
        .bind(channel.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    spread(tx, &words, Some(channel), now).await
}

/// The entries that were made from the message itself: chapters whose range holds it, and its thread's.
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

/// Carries the wiping on to what was made from wiped entries, until nothing more is; then moves heads back.
///
/// `own` is a channel that may go on holding the words: they are its own.
async fn spread(
    tx: &mut Tx,
    words: &BTreeSet<String>,
    own: Option<&ChannelId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    loop {
        on!(tx, c => sqlx::query(
            "UPDATE memory_steps SET content = NULL, wiped_at = $1
             WHERE content IS NOT NULL AND id IN (
                WITH RECURSIVE gone (id) AS (
                    SELECT id FROM memory_steps WHERE wiped_at = $1
                    UNION SELECT i.step_id FROM step_inputs i JOIN gone g ON i.input_id = g.id
                    WHERE i.hard = 1)
                SELECT id FROM gone)")
            .bind(now.as_microsecond()).execute(c).await.map(drop))?;
        if !wipe_what_gives_away(tx, words, own, now).await? {
            break;
        }
    }
    list_dropped_edits(tx, now).await?;
    memories::leave_wiped_steps(tx, now).await
}

/// An entry with wiped ones beside it: id, content, scope id, range.
type Beside = (i64, String, String, Option<i64>, Option<i64>);

/// Entries that only had wiped ones beside them stay unless they hold a removed word that their own sources
/// do not hold. True when one did.
async fn wipe_what_gives_away(
    tx: &mut Tx,
    words: &BTreeSet<String>,
    own: Option<&ChannelId>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let rows: Vec<Beside> = on!(tx, c => sqlx::query_as(
        "SELECT s.id, s.content, s.scope_id, s.from_ts, s.to_ts FROM memory_steps s
         WHERE s.content IS NOT NULL AND s.id IN (
            SELECT i.step_id FROM step_inputs i JOIN memory_steps g ON g.id = i.input_id
            WHERE i.hard = 0 AND g.wiped_at = $1)")
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    let mut wiped = false;
    for (id, content, scope_id, from, to) in rows {
        let channel = scope_id.split(':').next().unwrap_or_default();
        if own.is_some_and(|own| own.as_str() == channel) {
            continue;
        }
        let sources: Vec<(String,)> = on!(tx, c => sqlx::query_as(
            "SELECT m.text FROM messages m WHERE m.channel_id = $2 AND m.ts > $3 AND m.ts <= $4
             UNION ALL
             SELECT s.content FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
             WHERE i.step_id = $1 AND i.hard = 1 AND s.content IS NOT NULL")
            .bind(id).bind(channel).bind(from.unwrap_or(0)).bind(to.unwrap_or(0)).fetch_all(c).await)?;
        let sources: Vec<String> = sources.into_iter().map(|(text,)| text).collect();
        if gives_away(&content, words, &sources) {
            wiped = true;
            on!(tx, c => sqlx::query(
                "UPDATE memory_steps SET content = NULL, wiped_at = $2 WHERE id = $1")
                .bind(id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        }
    }
    Ok(wiped)
}

/// A person's text that stood on removed words goes with them; it is listed for its author.
async fn list_dropped_edits(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged)
         SELECT 'entry:' || id, 1, 0, 'the text written by ' || actor || ' was made from words that are gone', 1
         FROM memory_steps WHERE wiped_at = $1 AND kind IN ('edit', 'revert')
         ON CONFLICT (subject) DO NOTHING")
        .bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

async fn note_removal(tx: &mut Tx, channel: &ChannelId, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE channels SET removed_since = coalesce(removed_since, $2), removed_at = $2 WHERE id = $1")
        .bind(channel.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}
