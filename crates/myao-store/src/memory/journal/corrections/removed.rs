//! Removes what people put right, with the words that it repeats, with its author or with its channel.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    text::{key_of_term, terms_of_text},
};

use super::found::kept_in;
use crate::{StoreError, db::Tx, hearing::removals::Removed, recall::word_counts};

async fn wipe(tx: &mut Tx, correction: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE memory_steps SET content = NULL, wiped_at = $2 WHERE id = $1 AND content IS NOT NULL")
        .bind(correction).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes the corrections that a removed message said, and those that hold a term of removed words which nobody says in their channel any more, and unlearns what
/// others replaced that held one. `true` if one was wiped.
pub(crate) async fn wipe_removed(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<bool, StoreError> {
    let mut is_wiped = false;
    let channels: BTreeSet<&ChannelId> = removed.iter().map(|one| &one.channel).collect();
    for channel in channels {
        for standing in kept_in(tx, channel).await? {
            let row = &standing.row;
            let is_own =
                |one: &Removed| one.channel == *channel && Some(one.ts.as_micros()) == row.message_ts;
            if removed.iter().any(is_own) {
                // Its own message is gone, or says something else.
                wipe(tx, row.step_id, now).await?;
                is_wiped = true;
                continue;
            }
            let read =
                removed.iter().filter(|one| one.channel == *channel && one.revision <= row.read_revision);
            let lost: BTreeSet<String> = read.flat_map(|one| one.terms.iter().cloned()).collect();
            let held = terms_of_text(&row.content);
            let replaced: BTreeSet<i64> = serde_json::from_str(&row.replaced_terms)?;
            let is_in = |term: &String| held.contains(term) || replaced.contains(&key_of_term(term));
            let lost: BTreeSet<String> = lost.into_iter().filter(is_in).collect();
            if lost.is_empty() {
                continue;
            }
            let unsaid = word_counts::terms_no_longer_said(tx, channel, &lost).await?;
            if !unsaid.is_disjoint(&held) {
                wipe(tx, row.step_id, now).await?;
                is_wiped = true;
            } else if !unsaid.is_empty() {
                unlearn(tx, row.step_id).await?;
            }
        }
    }
    Ok(is_wiped)
}

/// Drops what is known of what a correction replaced.
async fn unlearn(tx: &mut Tx, correction: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE corrections SET replaced = 0, replaced_terms = '[]' WHERE step_id = $1")
        .bind(correction).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes what a person put right in a time, in this channel or in all; what was made from it is wiped by the caller.
pub(crate) async fn forget_person(
    tx: &mut Tx,
    person: &UserId,
    channel: Option<&ChannelId>,
    (from, to): (MessageTs, MessageTs),
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE memory_steps SET content = NULL, wiped_at = $5
         WHERE content IS NOT NULL AND at >= $3 AND at <= $4 AND id IN (
            SELECT k.step_id FROM corrections k WHERE k.user_id = $1 AND ($2 = '' OR k.channel_id = $2))")
        .bind(person.as_str()).bind(channel.map_or("", ChannelId::as_str)).bind(from.as_micros())
        .bind(to.as_micros()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes what anybody put right in a channel up to then; what was made from it is wiped by the caller.
pub(crate) async fn forget_channel(
    tx: &mut Tx,
    channel: &ChannelId,
    to: MessageTs,
    now: Timestamp,
) -> Result<(), StoreError> {
    for standing in kept_in(tx, channel).await? {
        if standing.row.at <= to.as_micros() {
            wipe(tx, standing.row.step_id, now).await?;
        }
    }
    Ok(())
}
