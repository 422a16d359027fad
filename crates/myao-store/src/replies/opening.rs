//! Opens replies, and has a written one written anew.

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    judgment::Cause,
};

use super::{
    passing,
    reply_id::{ReplyId, latest_put_off},
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, parse_column, ts_or_zero},
    },
};

const JOINED: &str = "what it would have answered is answered by the next reply";

/// The reply that is wanted in a place, opened if there is none. What people ask for goes before what we would say
/// unasked.
pub(crate) async fn open_in_place(
    tx: &mut Tx,
    place: &Place,
    cause: Cause,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let (reply,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                              reason, made_at, changed_at)
         VALUES ($1, $2, $3, 'wanted', 0, 0, 0, 0, '', $4, $4)
         ON CONFLICT (channel_id, thread_ts) WHERE state = 'wanted' DO UPDATE
         SET cause = excluded.cause, latest_ts = 0, changed_at = excluded.changed_at,
             not_before = CASE WHEN replies.cause = 'judgment' THEN 0 ELSE replies.not_before END
         RETURNING id")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).bind(cause.as_str())
        .bind(now.as_microsecond()).fetch_one(c).await)?;
    Ok(reply)
}

/// Deletes what a reply would say: it was made with a message in view that no longer exists.
pub(crate) async fn forget_words(tx: &mut Tx, reply: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM reply_parts WHERE reply_id = $1")
        .bind(reply).execute(c).await.map(drop))?;
    Ok(())
}

/// Has a reply written anew of which nothing was given to the platform yet.
pub(crate) async fn write_anew(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    forget_words(tx, reply).await?;
    want_again(tx, reply, now).await
}

/// Has a written reply written anew; if another reply is wanted there now, that one answers for both.
pub(crate) async fn want_again(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    let (channel, thread, cause): (String, i64, String) = on!(&mut *tx, c => query_as(
        "SELECT channel_id, thread_ts, cause FROM replies WHERE id = $1").bind(reply).fetch_one(c).await)?;
    let other: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT id FROM replies WHERE channel_id = $1 AND thread_ts = $2 AND state = 'wanted'")
        .bind(&channel).bind(thread).fetch_optional(c).await)?;
    if other.is_none() {
        on!(tx, c => sqlx::query(
            "UPDATE replies SET state = 'wanted', excuse = 0, not_before = 0, attempts = 0,
                made_anew = made_anew + 1, changed_at = $2 WHERE id = $1")
            .bind(reply).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        return Ok(());
    }
    let (triggers,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM reply_triggers WHERE reply_id = $1").bind(reply).fetch_one(c).await)?;
    if triggers > 0 {
        let place = Place { channel: ChannelId::new(channel), thread: opt_ts(thread) };
        let next = open_in_place(tx, &place, parse_column(&cause, "replies.cause", reply)?, now).await?;
        on!(&mut *tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $2 WHERE reply_id = $1")
            .bind(reply).bind(next).execute(c).await.map(drop))?;
    }
    end_reply(tx, reply, JOINED, now).await
}

pub(crate) async fn end_reply(
    tx: &mut Tx,
    reply: i64,
    reason: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE replies SET state = 'skipped', reason = $2, changed_at = $3 WHERE id = $1")
        .bind(reply).bind(reason).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    passing::wipe_if_answered(tx, ReplyId(reply)).await
}

/// Ends a reply with what of it is not posted yet; what is posted stays.
pub(crate) async fn end_reply_with_parts(
    tx: &mut Tx,
    reply: i64,
    reason: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE reply_parts SET state = 'dropped', text = NULL
         WHERE reply_id = $1 AND state NOT IN ('posted', 'withdrawing', 'withdrawn')")
        .bind(reply).execute(c).await.map(drop))?;
    end_reply(tx, reply, reason, now).await
}

/// Whether a reply is wanted or on its way in a place.
pub(crate) async fn is_under_way(tx: &mut Tx, place: &Place) -> Result<bool, StoreError> {
    let (open,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM replies
         WHERE channel_id = $1 AND thread_ts = $2 AND state IN ('wanted', 'written')")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_one(c).await)?;
    Ok(open > 0)
}

/// Opens an unasked reply about the newest message of a place (design §6).
pub(crate) async fn open_unasked(
    tx: &mut Tx,
    place: &Place,
    latest_ts: MessageTs,
    not_before: Timestamp,
    now: Timestamp,
) -> Result<ReplyId, StoreError> {
    let not_before = not_before.min(latest_put_off(now));
    let (reply,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                              reason, made_at, changed_at)
         VALUES ($1, $2, 'judgment', 'wanted', $3, 0, $4, 0, '', $5, $5) RETURNING id")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).bind(not_before.as_microsecond())
        .bind(latest_ts.as_micros()).bind(now.as_microsecond()).fetch_one(c).await)?;
    Ok(ReplyId(reply))
}
