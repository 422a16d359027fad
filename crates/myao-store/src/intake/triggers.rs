//! Does T1: notes what wants an answer, in the transaction in which it arrives.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Place, UserId},
    judgment::Cause,
};

use super::take_back;
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, ts_or_zero},
    },
    replies::{
        ReplyId, lock_channel_row,
        opening::{end_reply, forget_words, open_in_place, want_again},
        passing,
    },
};

const TOO_OLD: &str = "it was older than response.max_message_age_seconds when it was heard";

const TAKEN_BACK: &str = "what it would have answered was taken back";

/// Whether a message is already the trigger of a reply: it never becomes another reply's.
async fn is_known_trigger(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<bool, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT reply_id FROM reply_triggers WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    Ok(row.is_some())
}

async fn add_to_reply(tx: &mut Tx, message: &Message, reply: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("INSERT INTO reply_triggers (channel_id, ts, reply_id) VALUES ($1, $2, $3)")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(reply)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that a message wants an answer in a place: it joins the reply that is wanted there, or opens one. `false` if the
/// message is a trigger already.
pub(crate) async fn want_answer(
    tx: &mut Tx,
    message: &Message,
    place: &Place,
    cause: Cause,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if is_known_trigger(tx, &message.channel, message.ts).await? {
        return Ok(false);
    }
    let reply = open_in_place(tx, place, cause, now).await?;
    add_to_reply(tx, message, reply).await?;
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
pub(crate) async fn hurry_reply(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE replies AS r SET not_before = 0
         WHERE r.state = 'wanted' AND r.attempts = 0 AND r.not_before > 0 AND r.cause <> 'judgment'
           AND r.id IN (SELECT o.reply_id FROM reply_triggers o WHERE o.channel_id = $1 AND o.ts = $2)")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

/// Records, once, that a message wanted an answer that would come too late.
pub(crate) async fn record_skipped(
    tx: &mut Tx,
    message: &Message,
    place: &Place,
    cause: Cause,
    now: Timestamp,
) -> Result<(), StoreError> {
    if is_known_trigger(tx, &message.channel, message.ts).await? {
        return Ok(());
    }
    let (reply,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                              reason, made_at, changed_at)
         VALUES ($1, $2, $3, 'skipped', 0, 0, 0, 0, $4, $5, $5) RETURNING id")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).bind(cause.as_str()).bind(TOO_OLD)
        .bind(now.as_microsecond()).fetch_one(c).await)?;
    add_to_reply(tx, message, reply).await
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
    lock_channel_row(tx, channel).await?;
    on!(&mut *tx, c => sqlx::query("DELETE FROM reply_triggers WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    passing::wipe_words(tx, channel, ts).await?;
    if given > 0 {
        let (thread,): (i64,) = on!(&mut *tx, c => query_as("SELECT thread_ts FROM replies WHERE id = $1")
            .bind(reply).fetch_one(c).await)?;
        let place = Place { channel: channel.clone(), thread: opt_ts(thread) };
        return take_back::take_back(tx, &place, ReplyId(reply), now).await;
    }
    if state == "written" {
        forget_words(tx, reply).await?;
    }
    let (left,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_triggers WHERE reply_id = $1").bind(reply).fetch_one(c).await)?;
    if left == 0 {
        return end_reply(tx, reply, TAKEN_BACK, now).await;
    }
    if state == "written" { want_again(tx, reply, now).await } else { Ok(()) }
}
