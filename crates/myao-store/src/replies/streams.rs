//! Notes which message of the platform shows a reply while it is being written (ADR 125), so that it is finished or taken
//! away whatever becomes of whoever began it.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{MessageTs, Place};

use super::reply_id::ReplyId;
use crate::{
    RepliesHandle, StoreError,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{instant_from_micros, opt_ts, row, ts_or_zero},
    },
};

/// A message that shows a reply, or showed it when it was last heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerStream {
    /// The reply.
    pub reply: ReplyId,
    /// When the platform was asked for it.
    pub since: Timestamp,
    /// Its time stamp; `None` if nobody knows whether it is there.
    pub ts: Option<MessageTs>,
}

row! {
    /// A reply with a message that shows it.
    struct StreamRow {
        id: i64,
        stream_since: i64,
        stream_ts: i64,
    }
}

impl RepliesHandle<'_> {
    /// Notes under which time stamp the message stands that shows a reply.
    #[boxed]
    pub async fn note_stream_ts(
        &self,
        claim: &Claim,
        reply: ReplyId,
        ts: MessageTs,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            on!(&mut tx, c => sqlx::query("UPDATE replies SET stream_ts = $2 WHERE id = $1 AND stream_since > 0")
                .bind(reply.0).bind(ts.as_micros()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Notes that no message shows a reply any more.
    #[boxed]
    pub async fn note_stream_gone(&self, claim: &Claim, reply: ReplyId) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE replies SET stream_since = 0, stream_ts = 0 WHERE id = $1 AND stream_since > 0")
                .bind(reply.0).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The messages in a place that show replies and that no written reply will finish: they are to be taken away.
    #[boxed]
    pub async fn streams_left_over(&self, place: &Place) -> Result<Vec<AnswerStream>, StoreError> {
        let rows: Vec<StreamRow> = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT r.id, r.stream_since, r.stream_ts FROM replies r
             WHERE r.stream_since > 0 AND r.channel_id = $1 AND r.thread_ts = $2
               AND NOT (r.state = 'written' AND r.taken_back = 0 AND r.stream_ts > 0 AND EXISTS (
                    SELECT 1 FROM reply_parts p WHERE p.reply_id = r.id AND p.part = 1
                      AND p.state IN ('ready', 'sending') AND p.reacts_to IS NULL))
             ORDER BY r.id")
            .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_all(c).await)?;
        let stream = |row: StreamRow| AnswerStream {
            reply: ReplyId(row.id),
            since: instant_from_micros(row.stream_since),
            ts: opt_ts(row.stream_ts),
        };
        Ok(rows.into_iter().map(stream).collect())
    }
}

/// Notes that a message shows a reply from now on, before it does.
pub(super) async fn begin_stream(tx: &mut Tx, reply: ReplyId, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE replies SET stream_since = $2, stream_ts = 0 WHERE id = $1 AND stream_since = 0")
        .bind(reply.0).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that the message that showed a reply is a post of it from now on, like any other. `false` if it showed none.
pub(crate) async fn become_post(tx: &mut Tx, reply: ReplyId, ts: MessageTs) -> Result<bool, StoreError> {
    let changed = on!(tx, c => sqlx::query(
        "UPDATE replies SET stream_since = 0, stream_ts = 0
         WHERE id = $1 AND stream_since > 0 AND stream_ts = $2")
        .bind(reply.0).bind(ts.as_micros()).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}
