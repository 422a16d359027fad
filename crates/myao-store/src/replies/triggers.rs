//! Does T1: notes what wants an answer, in the transaction in which it arrives.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, UserId},
    context::Place,
    judgment::{Attention, Cause},
};

use super::{ReplyId, latest_put_off, lock, withdrawn};
use crate::{
    StoreError,
    db::{Tx, query_as},
    passing,
    rows::{opt_ts, parse, ts_or_zero},
};

const TOO_OLD: &str = "it was older than response.max_message_age_seconds when it was heard";
const TAKEN_BACK: &str = "what it would have answered was taken back";
const JOINED: &str = "what it would have answered is answered by the next reply";

/// Whether a message is already the trigger of a reply: it never becomes another reply's.
async fn is_trigger(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<bool, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT reply_id FROM reply_triggers WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    Ok(row.is_some())
}

async fn add(tx: &mut Tx, message: &Message, reply: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("INSERT INTO reply_triggers (channel_id, ts, reply_id) VALUES ($1, $2, $3)")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(reply)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that a message wants an answer: it joins the reply that is wanted in its place, or opens one. `false` if the
/// message is a trigger already.
pub(crate) async fn want(
    tx: &mut Tx,
    message: &Message,
    cause: Cause,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if is_trigger(tx, &message.channel, message.ts).await? {
        return Ok(false);
    }
    let reply = open(tx, &Attention::place(message), cause, now).await?;
    add(tx, message, reply).await?;
    Ok(true)
}

/// Whether a reply `r` is asked for by programs alone.
macro_rules! of_programs_alone {
    () => {
        "NOT EXISTS (SELECT 1 FROM reply_triggers t
            JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
            LEFT JOIN users u ON u.id = m.user_id
            WHERE t.reply_id = r.id AND coalesce(u.is_bot, 0) = 0 AND m.user_id NOT LIKE '%:%')"
    };
}

/// Puts off the reply to a message until its author, a program, has written all of it. What a person asks in the same place
/// is not put off.
pub(crate) async fn put_off(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
    until: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(concat!(
        "UPDATE replies AS r SET not_before = $3
         WHERE r.state = 'wanted' AND r.attempts = 0
           AND r.id IN (SELECT o.reply_id FROM reply_triggers o WHERE o.channel_id = $1 AND o.ts = $2)
           AND ", of_programs_alone!()))
        .bind(channel.as_str()).bind(ts.as_micros()).bind(until.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Puts the reply to a person's message off no longer, if it waits for a program.
pub(crate) async fn hurry(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE replies AS r SET not_before = 0
         WHERE r.state = 'wanted' AND r.attempts = 0 AND r.not_before > 0 AND r.cause <> 'judgment'
           AND r.id IN (SELECT o.reply_id FROM reply_triggers o WHERE o.channel_id = $1 AND o.ts = $2)")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

/// Records, once, that a message wanted an answer that would come too late.
pub(crate) async fn skip(
    tx: &mut Tx,
    message: &Message,
    cause: Cause,
    now: Timestamp,
) -> Result<(), StoreError> {
    if is_trigger(tx, &message.channel, message.ts).await? {
        return Ok(());
    }
    let place = Attention::place(message);
    let (reply,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                              reason, made_at, changed_at)
         VALUES ($1, $2, $3, 'skipped', 0, 0, 0, 0, $4, $5, $5) RETURNING id")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).bind(cause.as_str()).bind(TOO_OLD)
        .bind(now.as_microsecond()).fetch_one(c).await)?;
    add(tx, message, reply).await
}

/// The reply that is wanted in a place, opened if there is none. What people ask for goes before what we would say
/// unasked.
pub(super) async fn open(
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

/// The messages of `user` that wait for an answer.
pub(crate) async fn waiting_of(
    tx: &mut Tx,
    user: &UserId,
) -> Result<Vec<(ChannelId, MessageTs)>, StoreError> {
    let rows: Vec<(String, i64)> = on!(tx, c => query_as(
        "SELECT t.channel_id, t.ts FROM replies r JOIN reply_triggers t ON t.reply_id = r.id
         JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE r.state IN ('wanted', 'written') AND m.user_id = $1 ORDER BY t.channel_id, t.ts")
        .bind(user.as_str()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, ts)| (ChannelId::new(id), MessageTs::from_micros(ts))).collect())
}

/// Notes that a message no longer wants an answer, since it was deleted or edited to something else. What was not given
/// to the platform yet is not given for it; of an answer that is under way, what was given is taken back.
#[boxed]
pub(crate) async fn take_out(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
    now: Timestamp,
) -> Result<(), StoreError> {
    let row: Option<(i64, String, i64)> = on!(tx, c => query_as(
        "SELECT r.id, r.state, (SELECT count(*) FROM reply_parts p
             WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted'))
         FROM reply_triggers t JOIN replies r ON r.id = t.reply_id
         WHERE t.channel_id = $1 AND t.ts = $2 AND r.state IN ('wanted', 'written')")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    let Some((reply, state, given)) = row else { return Ok(()) };
    lock(tx, channel).await?;
    on!(&mut *tx, c => sqlx::query("DELETE FROM reply_triggers WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    passing::forget(tx, channel, ts).await?;
    if given > 0 {
        let (thread,): (i64,) = on!(&mut *tx, c => query_as("SELECT thread_ts FROM replies WHERE id = $1")
            .bind(reply).fetch_one(c).await)?;
        let place = Place { channel: channel.clone(), thread: opt_ts(thread) };
        return withdrawn::take_back(tx, &place, ReplyId(reply), now).await;
    }
    if state == "written" {
        forget_words(tx, reply).await?;
    }
    let (left,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_triggers WHERE reply_id = $1").bind(reply).fetch_one(c).await)?;
    if left == 0 {
        return end(tx, reply, TAKEN_BACK, now).await;
    }
    if state == "written" { want_again(tx, reply, now).await } else { Ok(()) }
}

/// Deletes what a reply would say: it was made with a message in view that no longer exists.
async fn forget_words(tx: &mut Tx, reply: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM reply_parts WHERE reply_id = $1")
        .bind(reply).execute(c).await.map(drop))?;
    Ok(())
}

/// Has a reply written anew of which nothing was given to the platform yet.
pub(super) async fn write_anew(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
    forget_words(tx, reply).await?;
    want_again(tx, reply, now).await
}

/// Has a written reply written anew; if another reply is wanted there now, that one answers for both.
async fn want_again(tx: &mut Tx, reply: i64, now: Timestamp) -> Result<(), StoreError> {
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
        let next = open(tx, &place, parse(&cause, "replies.cause")?, now).await?;
        on!(&mut *tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $2 WHERE reply_id = $1")
            .bind(reply).bind(next).execute(c).await.map(drop))?;
    }
    end(tx, reply, JOINED, now).await
}

async fn end(tx: &mut Tx, reply: i64, reason: &str, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE replies SET state = 'skipped', reason = $2, changed_at = $3 WHERE id = $1")
        .bind(reply).bind(reason).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    passing::leave(tx, ReplyId(reply)).await
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
