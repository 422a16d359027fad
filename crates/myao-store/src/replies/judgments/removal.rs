//! Wipes reasons: they are a model's words about what people said, so removed words must not stay in them
//! (specification §6).

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::is_telling,
    text::terms_of_text,
};

use crate::{
    StoreError,
    db::{Tx, query_as},
    hearing::removals::Removed,
    recall::word_counts,
};

/// Wipes the reason of every verdict about the channel that was given since the words were said, if it holds one of
/// their terms that nobody says there any more. No reason holds words of other places: that was checked when it was
/// written.
pub(crate) async fn wipe_reasons(tx: &mut Tx, removed: &Removed, now: Timestamp) -> Result<(), StoreError> {
    let reasons: Vec<(i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, reason FROM verdicts WHERE channel_id = $1 AND at >= $2 AND reason <> ''")
        .bind(removed.channel.as_str()).bind(removed.ts.as_micros()).fetch_all(c).await)?;
    if reasons.is_empty() {
        return Ok(());
    }
    if removed.is_expired {
        // What the words were is unknown, and so is which reasons hold them.
        for (id, _) in &reasons {
            wipe_reason(tx, *id, now).await?;
        }
        return Ok(());
    }
    // Grammar and dates stand in every reason.
    let telling_terms = |reason: &str| terms_of_text(reason).into_iter().filter(|term| is_telling(term));
    let held: BTreeSet<String> = reasons.iter().flat_map(|(_, reason)| telling_terms(reason)).collect();
    let held = removed.terms.intersection(&held).cloned().collect();
    let telling = word_counts::terms_no_longer_said(tx, &removed.channel, &held).await?;
    for (id, _) in reasons.iter().filter(|(_, reason)| !terms_of_text(reason).is_disjoint(&telling)) {
        wipe_reason(tx, *id, now).await?;
    }
    Ok(())
}

/// Wipes the reasons of the verdicts about one message, whatever they say.
pub(crate) async fn wipe_about(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE verdicts SET reason = '', wiped_at = $3 WHERE channel_id = $1 AND latest_ts = $2 AND reason <> ''")
        .bind(channel.as_str()).bind(ts.as_micros()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes the reasons of the verdicts about a channel that were given up to `until`: the words they speak of have
/// expired.
pub(crate) async fn expire_reasons(
    tx: &mut Tx,
    channel: &ChannelId,
    until: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE verdicts SET reason = '', wiped_at = $3 WHERE channel_id = $1 AND at <= $2 AND reason <> ''")
        .bind(channel.as_str()).bind(until).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes the reason of a verdict; the record that it had one stays.
pub(crate) async fn wipe_reason(tx: &mut Tx, id: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE verdicts SET reason = '', wiped_at = $2 WHERE id = $1")
        .bind(id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}
