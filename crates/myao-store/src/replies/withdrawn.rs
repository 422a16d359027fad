//! Takes replies back whose words may no longer be said: something that they were made from was taken back, or may not be
//! seen any more (ADR 85).
//!
//! What the platform never got is dropped. What it has is deleted there: its part is *withdrawing* until that is done. Of
//! what it may have, the words are dropped, and it is looked for; once it is found it is deleted, too. Only when nothing
//! is left there is the reply made anew, under a number of its own: no two posts bear the same mark.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    judgment::{Cause, ReplyState},
};

use super::{ReplyId, place, take, triggers};
use crate::{
    Claim, Store, StoreError,
    archive::{EventGrounds, delete_within},
    db::{Tx, query_as},
    passing,
    rows::{parse, ts_or_zero},
    team,
};

/// The reason when a reply is made anew under another number.
const MADE_ANEW: &str =
    "what it was made from no longer stood when it was posted; it was taken back and made anew";
/// The reason when a reply is not made anew.
const JOINED: &str = "what it was made from no longer stood; the next reply answers for it";
/// The reason when nothing is left to answer.
const TAKEN_BACK: &str = "what it answered was taken back, and so was the answer";
/// How much earlier than the noted moment of sending our post may be dated, since clocks differ: microseconds.
const BEFORE_SENDING: i64 = 60_000_000;
/// How much later than that moment our post may be dated, since a server may take it late: microseconds.
const AFTER_SENDING: i64 = 600_000_000;

impl Store {
    /// Notes that a part is deleted on the platform. Once all of the reply is, it is wanted anew if it is to be.
    #[boxed]
    pub async fn withdrawn(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (store, claim) = (self.clone(), claim.clone());
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if take(&mut tx, &claim, reply).await?.is_some() {
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
    pub async fn not_withdrawn(
        &self,
        claim: &Claim,
        reply: ReplyId,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (store, claim, reason) = (self.clone(), claim.clone(), reason.to_owned());
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if take(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = CASE WHEN state = 'withdrawing' THEN 'posted' ELSE 'dropped' END,
                        text = NULL WHERE reply_id = $1 AND state IN ('withdrawing', 'sending', 'ready')")
                    .bind(reply.0).execute(c).await.map(drop))?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET state = 'failed', reason = $2, changed_at = $3
                     WHERE id = $1 AND state = 'written'")
                    .bind(reply.0).bind(&reason).bind(now.as_microsecond()).execute(c).await.map(drop))?;
                passing::leave(&mut tx, reply).await?;
            }
            tx.commit().await
        })
        .await
    }
}

/// Keeps others from changing the parts of a reply until this transaction ends: whoever comes second sees what the first
/// one did. SQLite lets one writer in at a time.
pub(super) async fn hold_parts(tx: &mut Tx, reply: ReplyId) -> Result<(), StoreError> {
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
        return triggers::write_anew(tx, reply.0, now).await;
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
    let Some(own) = team::own(&mut *tx).await? else { return Ok(Vec::new()) };
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

/// Whether a message of ours may be a part that was taken back while the platform had it: it is not archived.
pub(crate) async fn may_be_taken_back(
    tx: &mut Tx,
    channel: &ChannelId,
    thread: Option<MessageTs>,
    ts: MessageTs,
) -> Result<bool, StoreError> {
    let (found,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM replies r JOIN reply_parts p ON p.reply_id = r.id
         WHERE r.state = 'written' AND r.taken_back = 1 AND r.channel_id = $1 AND r.thread_ts = $2
           AND p.state = 'sending' AND p.sent_at + $5 >= $3 AND p.sent_at - $4 <= $3
           AND NOT EXISTS (SELECT 1 FROM reply_parts o WHERE o.ts = $3)")
        .bind(channel.as_str()).bind(ts_or_zero(thread)).bind(ts.as_micros()).bind(BEFORE_SENDING)
        .bind(AFTER_SENDING).fetch_one(c).await)?;
    Ok(found > 0)
}

/// Drops a part that was taken back and is certainly not on the platform. `false` if it was not taken back.
pub(super) async fn drop_unsaid(
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

/// Channel, thread, cause, about, made anew, parts that are not settled, triggers.
type TakenBackRow = (String, i64, String, i64, i64, i64, i64);

/// Has a reply that was taken back made anew, once nothing of it is on the platform any more.
async fn go_on(tx: &mut Tx, reply: ReplyId, now: Timestamp) -> Result<(), StoreError> {
    let row: Option<TakenBackRow> = on!(&mut *tx, c => query_as(
        "SELECT r.channel_id, r.thread_ts, r.cause, r.latest_ts, r.made_anew,
            (SELECT count(*) FROM reply_parts p
             WHERE p.reply_id = r.id AND p.state NOT IN ('posted', 'dropped', 'withdrawn')),
            (SELECT count(*) FROM reply_triggers t WHERE t.reply_id = r.id)
         FROM replies r WHERE r.id = $1 AND r.state = 'written' AND r.taken_back = 1")
        .bind(reply.0).fetch_optional(c).await)?;
    let Some((channel, thread, cause, about, made_anew, unsettled, triggers)) = row else { return Ok(()) };
    if unsettled > 0 {
        return Ok(());
    }
    let (place, cause) = (place(channel, thread), parse(&cause, "replies.cause")?);
    let is_joined = wanted_there(tx, &place).await?;
    let (next, reason) = match cause {
        Cause::Judgment if is_joined => (None, JOINED),
        Cause::Judgment => {
            let about = MessageTs::from_micros(about);
            (Some(triggers::open_unasked(tx, &place, about, now, now).await?.0), MADE_ANEW)
        }
        Cause::Mention | Cause::Dm if triggers == 0 => (None, TAKEN_BACK),
        Cause::Mention | Cause::Dm => (Some(triggers::open(tx, &place, cause, now).await?), MADE_ANEW),
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
            .bind(next).bind(made_anew).execute(c).await.map(drop))?;
    }
    on!(&mut *tx, c => sqlx::query(
        "UPDATE replies SET state = $2, reason = $3, not_before = 0, changed_at = $4 WHERE id = $1")
        .bind(reply.0).bind(ReplyState::Skipped.as_str()).bind(reason).bind(now.as_microsecond())
        .execute(c).await.map(drop))?;
    passing::leave(tx, reply).await
}

/// Whether another reply is wanted in a place.
async fn wanted_there(tx: &mut Tx, place: &Place) -> Result<bool, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT id FROM replies WHERE channel_id = $1 AND thread_ts = $2 AND state = 'wanted'")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_optional(c).await)?;
    Ok(row.is_some())
}
