//! Takes replies back whose words may no longer be said: something that they were made from was taken back, or may not be
//! seen any more (ADR 85).
//!
//! What the platform never got is dropped. What it has is deleted there: its part is *withdrawing* until that is done. Of
//! what it may have, the words are dropped, and it is looked for; once it is found it is deleted, too. Only when nothing
//! is left there is the reply made anew, under a number of its own: no two posts bear the same mark.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{MessageTs, Place},
    judgment::{Cause, ReplyState},
};

use super::{
    opening, passing,
    reply::{claimed_place, place_of_columns},
    reply_id::ReplyId,
};
use crate::{
    RepliesHandle, StoreError,
    db::{
        Tx,
        claims::Claim,
        query_as,
        values::{parse_column, row, ts_or_zero},
    },
};

/// The reason when a reply is made anew under another number.
const MADE_ANEW: &str =
    "what it was made from no longer stood when it was posted; it was taken back and made anew";

/// The reason when a reply is not made anew.
const JOINED: &str = "what it was made from no longer stood; the next reply answers for it";

/// The reason when nothing is left to answer.
const TAKEN_BACK: &str = "what it answered was taken back, and so was the answer";

/// How much earlier than the noted moment of sending our post may be dated, since clocks differ: microseconds.
pub(crate) const BEFORE_SENDING: i64 = 60_000_000;

/// How much later than that moment our post may be dated, since a server may take it late: microseconds.
pub(crate) const AFTER_SENDING: i64 = 600_000_000;

impl RepliesHandle<'_> {
    /// Notes that a part is deleted on the platform. Once all of the reply is, it is wanted anew if it is to be.
    #[boxed]
    pub async fn note_part_withdrawn(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = 'withdrawn'
                     WHERE reply_id = $1 AND part = $2 AND state = 'withdrawing'")
                    .bind(reply.0).bind(i64::from(part)).execute(c).await.map(drop))?;
                go_on(&mut tx, reply, now).await?;
            }
            tx.commit().await
        })
        .await
    }

    /// Notes that the platform does not let us delete what we posted, for a reason in our own words. The archive holds it
    /// no longer; the reply ends, since another one would be a second answer.
    #[boxed]
    pub async fn note_not_withdrawn(
        &self,
        claim: &Claim,
        reply: ReplyId,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let reason = reason.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = CASE WHEN state = 'withdrawing' THEN 'posted' ELSE 'dropped' END,
                        text = NULL WHERE reply_id = $1 AND state IN ('withdrawing', 'sending', 'ready')")
                    .bind(reply.0).execute(c).await.map(drop))?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET state = 'failed', reason = $2, changed_at = $3
                     WHERE id = $1 AND state = 'written'")
                    .bind(reply.0).bind(&reason).bind(now.as_microsecond()).execute(c).await.map(drop))?;
                passing::wipe_if_answered(&mut tx, reply).await?;
            }
            tx.commit().await
        })
        .await
    }
}

/// Keeps others from changing the parts of a reply until this transaction ends: whoever comes second sees what the first
/// one did. SQLite lets one writer in at a time.
pub(crate) async fn hold_parts(tx: &mut Tx, reply: ReplyId) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(_) => {}
        Tx::Postgres(tx) => {
            sqlx::query("SELECT part FROM reply_parts WHERE reply_id = $1 FOR UPDATE")
                .bind(reply.0)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

/// Drops a part that was taken back and is certainly not on the platform. `false` if it was not taken back.
pub(crate) async fn drop_unsaid(
    tx: &mut Tx,
    reply: ReplyId,
    part: u32,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let dropped = on!(&mut *tx, c => sqlx::query(
        "UPDATE reply_parts SET state = 'dropped', text = NULL WHERE reply_id = $1 AND part = $2 AND text = ''")
        .bind(reply.0).bind(i64::from(part)).execute(c).await.map(|done| done.rows_affected()))?;
    if dropped == 1 {
        go_on(tx, reply, now).await?;
    }
    Ok(dropped == 1)
}

row! {
    /// A reply that was taken back, with the numbers of its parts that are not settled and of its triggers.
    struct TakenBackRow {
        channel_id: String,
        thread_ts: i64,
        cause: String,
        latest_ts: i64,
        made_anew: i64,
        unsettled: i64,
        triggers: i64,
    }
}

/// Has a reply that was taken back made anew, once nothing of it is on the platform any more.
pub(crate) async fn go_on(tx: &mut Tx, reply: ReplyId, now: Timestamp) -> Result<(), StoreError> {
    let row: Option<TakenBackRow> = on!(&mut *tx, c => query_as(
        "SELECT r.channel_id, r.thread_ts, r.cause, r.latest_ts, r.made_anew,
            (SELECT count(*) FROM reply_parts p
             WHERE p.reply_id = r.id AND p.state NOT IN ('posted', 'dropped', 'withdrawn')) AS unsettled,
            (SELECT count(*) FROM reply_triggers t WHERE t.reply_id = r.id) AS triggers
         FROM replies r WHERE r.id = $1 AND r.state = 'written' AND r.taken_back = 1")
        .bind(reply.0).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(()) };
    if row.unsettled > 0 {
        return Ok(());
    }
    let place = place_of_columns(row.channel_id, row.thread_ts);
    let cause = parse_column(&row.cause, "replies.cause", reply.0)?;
    let is_joined = wanted_there(tx, &place).await?;
    let (next, reason) = match cause {
        Cause::Judgment if is_joined => (None, JOINED),
        Cause::Judgment => {
            let about = MessageTs::from_micros(row.latest_ts);
            (Some(opening::open_unasked(tx, &place, about, now, now).await?.0), MADE_ANEW)
        }
        Cause::Mention | Cause::Dm if row.triggers == 0 => (None, TAKEN_BACK),
        Cause::Mention | Cause::Dm => {
            (Some(opening::open_in_place(tx, &place, cause, now).await?), MADE_ANEW)
        }
    };
    if let Some(next) = next {
        on!(&mut *tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $2 WHERE reply_id = $1")
            .bind(reply.0).bind(next).execute(c).await.map(drop))?;
        // The reason to speak goes with what it was made from.
        for moved in [
            "UPDATE verdicts SET reply_id = $2 WHERE reply_id = $1",
            "UPDATE reply_inputs SET reply_id = $2 WHERE reply_id = $1",
        ] {
            on!(&mut *tx, c => sqlx::query(moved).bind(reply.0).bind(next).execute(c).await.map(drop))?;
        }
        on!(&mut *tx, c => sqlx::query(
            "UPDATE replies SET made_anew = CASE WHEN made_anew < $2 THEN $2 ELSE made_anew END WHERE id = $1")
            .bind(next).bind(row.made_anew).execute(c).await.map(drop))?;
    }
    on!(&mut *tx, c => sqlx::query(
        "UPDATE replies SET state = $2, reason = $3, not_before = 0, changed_at = $4 WHERE id = $1")
        .bind(reply.0).bind(ReplyState::Skipped.as_str()).bind(reason).bind(now.as_microsecond())
        .execute(c).await.map(drop))?;
    passing::wipe_if_answered(tx, reply).await
}

/// Whether another reply is wanted in a place.
async fn wanted_there(tx: &mut Tx, place: &Place) -> Result<bool, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT id FROM replies WHERE channel_id = $1 AND thread_ts = $2 AND state = 'wanted'")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_optional(c).await)?;
    Ok(row.is_some())
}
