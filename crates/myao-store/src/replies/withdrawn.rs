//! Withdraws words that may no longer be said where they were to be said: they were made from what is said elsewhere,
//! and meanwhile people from outside take part there, or it is unknown whether they do (SPEC §6).

use jiff::Timestamp;
use myao_core::{context::Place, judgment::ReplyState};

use super::{ReplyId, triggers};
use crate::{
    Sight, StoreError,
    db::{Tx, query_as},
    passing,
    rows::{parse, ts_or_zero},
    sight,
};

/// The reason when a reply ends half-way.
const CLOSED: &str = "people from outside may read along since it was begun: the rest was not posted";
/// The reason when a reply is not composed anew.
const JOINED: &str =
    "people from outside may read along since it was written; it is answered with what came later";

/// Whether the reply's words may still be said.
pub(super) async fn still_holds(
    tx: &mut Tx,
    place: &Place,
    reply: ReplyId,
    since: i64,
) -> Result<bool, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "SELECT sight FROM replies WHERE id = $1 AND state = 'written'")
        .bind(reply.0).fetch_optional(c).await)?;
    let is_open = row.is_some_and(|(sight,)| sight == Sight::Open.as_str());
    Ok(!is_open || sight::holds(tx, &place.channel, (Sight::Open, since)).await?)
}

/// Takes back a written reply's words, so that it is composed anew; if another reply is wanted there by now, that one
/// answers for both. A reply that is posted in part ends.
pub(crate) async fn compose(
    tx: &mut Tx,
    place: &Place,
    reply: ReplyId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (posted,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_parts WHERE reply_id = $1 AND state = 'posted'")
        .bind(reply.0).fetch_one(c).await)?;
    if posted > 0 {
        on!(tx, c => sqlx::query(
            "UPDATE reply_parts SET state = 'dropped', text = NULL WHERE reply_id = $1 AND state <> 'posted'")
            .bind(reply.0).execute(c).await.map(drop))?;
        return end(tx, reply, (ReplyState::Failed, CLOSED), now).await;
    }
    on!(tx, c => sqlx::query("DELETE FROM reply_parts WHERE reply_id = $1")
        .bind(reply.0).execute(c).await.map(drop))?;
    let later: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT id FROM replies WHERE channel_id = $1 AND thread_ts = $2 AND state = 'wanted'")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_optional(c).await)?;
    let (cause,): (String,) = on!(tx, c => query_as("SELECT cause FROM replies WHERE id = $1")
        .bind(reply.0).fetch_one(c).await)?;
    if later.is_none() {
        on!(tx, c => sqlx::query(
            "UPDATE replies SET state = 'wanted', excuse = 0, not_before = 0, attempts = 0, changed_at = $2
             WHERE id = $1").bind(reply.0).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        return Ok(());
    }
    let (triggers,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_triggers WHERE reply_id = $1").bind(reply.0).fetch_one(c).await)?;
    if triggers > 0 {
        let next = triggers::open(tx, place, parse(&cause, "replies.cause")?, now).await?;
        on!(tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $2 WHERE reply_id = $1")
            .bind(reply.0).bind(next).execute(c).await.map(drop))?;
    }
    end(tx, reply, (ReplyState::Skipped, JOINED), now).await
}

async fn end(
    tx: &mut Tx,
    reply: ReplyId,
    (state, reason): (ReplyState, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE replies SET state = $2, reason = $3, changed_at = $4 WHERE id = $1")
        .bind(reply.0).bind(state.as_str()).bind(reason).bind(now.as_microsecond())
        .execute(c).await.map(drop))?;
    passing::leave(tx, reply).await
}
