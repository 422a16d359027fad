//! Takes a reply back whose words may no longer be said (ADR 85): what the platform has of it leaves the archive.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{MessageTs, Place};

use super::arrive::delete_within;
use crate::{
    StoreError,
    archive::{EventGrounds, team},
    db::{Tx, query_as, values::ts_or_zero},
    replies::{
        ReplyId, opening,
        withdrawn::{AFTER_SENDING, BEFORE_SENDING, go_on, hold_parts},
    },
};

/// Takes a written reply back, so that it is made anew from what is there.
#[boxed]
pub(crate) async fn take_back(
    tx: &mut Tx,
    place: &Place,
    reply: ReplyId,
    now: Timestamp,
) -> Result<(), StoreError> {
    hold_parts(tx, reply).await?;
    let (given,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM reply_parts
         WHERE reply_id = $1 AND (sent_at IS NOT NULL OR state NOT IN ('ready', 'dropped'))")
        .bind(reply.0).fetch_one(c).await)?;
    if given == 0 {
        return opening::write_anew(tx, reply.0, now).await;
    }
    let begun = on!(&mut *tx, c => sqlx::query(
        "UPDATE replies SET taken_back = 1, made_anew = made_anew + 1, not_before = 0, attempts = 0, changed_at = $2
         WHERE id = $1 AND state = 'written' AND taken_back = 0")
        .bind(reply.0).bind(now.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?;
    if begun == 0 {
        return Ok(());
    }
    let echoes = unclaimed_echoes(tx, place, reply).await?;
    on!(&mut *tx, c => sqlx::query(
        "UPDATE reply_parts SET
            text = CASE WHEN state = 'sending' THEN '' END,
            state = CASE WHEN state = 'posted' AND reacts_to IS NULL THEN 'withdrawing'
                WHEN state = 'ready' THEN 'dropped' ELSE state END
         WHERE reply_id = $1").bind(reply.0).execute(c).await.map(drop))?;
    let posts: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT ts FROM reply_parts WHERE reply_id = $1 AND state = 'withdrawing' AND ts IS NOT NULL")
        .bind(reply.0).fetch_all(c).await)?;
    let posts = posts.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).chain(echoes);
    let posts: Vec<_> = posts.map(|ts| (place.channel.clone(), ts)).collect();
    if !posts.is_empty() {
        delete_within(tx, posts, EventGrounds::Told, now).await?;
    }
    go_on(tx, reply, now).await
}

/// Our messages in a place that may be parts of a reply of which it is not known yet that they are posted: the platform
/// told us of them first.
async fn unclaimed_echoes(tx: &mut Tx, place: &Place, reply: ReplyId) -> Result<Vec<MessageTs>, StoreError> {
    let Some(own) = team::own_identity(&mut *tx).await? else { return Ok(Vec::new()) };
    let bot = own.bot.as_ref().unwrap_or(&own.user);
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT m.ts FROM reply_parts p JOIN messages m
            ON m.channel_id = $2 AND m.ts >= p.sent_at - $6 AND m.ts <= p.sent_at + $7
         WHERE p.reply_id = $1 AND p.state = 'sending' AND p.reacts_to IS NULL AND m.thread_ts = $3
           AND m.user_id IN ($4, $5) AND m.deleted = 0
           AND NOT EXISTS (SELECT 1 FROM reply_parts o WHERE o.ts = m.ts)")
        .bind(reply.0).bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).bind(own.user.as_str())
        .bind(bot.as_str()).bind(BEFORE_SENDING).bind(AFTER_SENDING).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
}
