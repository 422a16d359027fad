//! Does T3 and T4: marks parts as being sent to the platform, and as posted.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;

use super::{passing, reply::claimed_place, reply_id::ReplyId, withdrawn};
use crate::{
    RepliesHandle, StoreError,
    db::{Tx, claims::Claim, query_as},
};

impl RepliesHandle<'_> {
    /// Notes that the platform certainly did not accept a part: it counts as never given.
    #[boxed]
    pub async fn not_sent(
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
                let kept = on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = 'ready', sent_at = NULL
                     WHERE reply_id = $1 AND part = $2 AND state = 'sending' AND text <> ''")
                    .bind(reply.0).bind(i64::from(part)).execute(c).await.map(|done| done.rows_affected()))?;
                if kept == 0 {
                    withdrawn::drop_unsaid(&mut tx, reply, part, now).await?;
                }
            }
            tx.commit().await
        })
        .await
    }

    /// Notes that a part was added as the reaction it is (T4). `true` if that was the last part.
    #[boxed]
    pub async fn note_part_reacted(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_none() {
                return Ok(false);
            }
            on!(&mut tx, c => sqlx::query(
                "UPDATE reply_parts SET state = 'posted', text = NULL
                 WHERE reply_id = $1 AND part = $2 AND state = 'sending' AND reacts_to IS NOT NULL")
                .bind(reply.0).bind(i64::from(part)).execute(c).await.map(drop))?;
            let done = finish_if_posted(&mut tx, reply, now).await?;
            tx.commit().await?;
            Ok(done)
        })
        .await
    }

    /// Puts several parts in the place of one that the platform finds too long; those after it follow.
    #[boxed]
    pub async fn split_part(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        pieces: Vec<String>,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let is_unposted = claimed_place(&mut tx, &claim, reply).await?.is_some()
                && may_be_given(&mut tx, reply, part).await?;
            let more = i64::try_from(pieces.len()).unwrap_or(i64::MAX).saturating_sub(1);
            if is_unposted && more > 0 {
                // By way of negative numbers, so that no two are the same in between.
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET part = -(part + $3) WHERE reply_id = $1 AND part > $2")
                    .bind(reply.0).bind(i64::from(part)).bind(more).execute(c).await.map(drop))?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET part = -part WHERE reply_id = $1 AND part < 0")
                    .bind(reply.0).execute(c).await.map(drop))?;
                for (number, text) in (i64::from(part)..).zip(&pieces) {
                    on!(&mut tx, c => sqlx::query(
                        "INSERT INTO reply_parts (reply_id, part, text, state) VALUES ($1, $2, $3, 'ready')
                         ON CONFLICT (reply_id, part) DO UPDATE
                         SET text = excluded.text, state = 'ready', sent_at = NULL")
                        .bind(reply.0).bind(number).bind(text).execute(c).await.map(drop))?;
                }
            }
            tx.commit().await
        })
        .await
    }

    /// Notes that the platform does not accept a part as a reaction: from now on it is a post of the same emoji that
    /// was never given to the platform.
    #[boxed]
    pub async fn post_instead(&self, claim: &Claim, reply: ReplyId, part: u32) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = 'ready', sent_at = NULL, reacts_to = NULL
                     WHERE reply_id = $1 AND part = $2 AND state = 'sending'")
                    .bind(reply.0).bind(i64::from(part)).execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }
}

/// Whether a part has words that are still to be posted: none that were taken back while they were being sent.
async fn may_be_given(tx: &mut Tx, reply: ReplyId, part: u32) -> Result<bool, StoreError> {
    let (unposted,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         WHERE p.reply_id = $1 AND p.part = $2 AND p.state IN ('ready', 'sending') AND p.text <> ''
           AND r.taken_back = 0").bind(reply.0).bind(i64::from(part)).fetch_one(c).await)?;
    Ok(unposted > 0)
}

/// Ends a reply whose parts are all posted or dropped; an excuse does not count as an answer. Why the reply was late is
/// cleared then, but what an excuse was for is kept.
pub(crate) async fn finish_if_posted(
    tx: &mut Tx,
    reply: ReplyId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let done = on!(tx, c => sqlx::query(
        "UPDATE replies SET state = CASE WHEN excuse = 1 THEN 'failed' ELSE 'done' END,
            reason = CASE WHEN excuse = 1 THEN reason ELSE '' END, changed_at = $2
         WHERE id = $1 AND state = 'written' AND taken_back = 0 AND NOT EXISTS (
            SELECT 1 FROM reply_parts p WHERE p.reply_id = $1 AND p.state NOT IN ('posted', 'dropped'))")
        .bind(reply.0).bind(now.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?;
    if done == 1 {
        passing::wipe_if_answered(tx, reply).await?;
    }
    Ok(done == 1)
}
