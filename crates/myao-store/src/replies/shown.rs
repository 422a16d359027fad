//! Notes where the platform may show that an answer is being written, so that it is taken away whatever becomes of whoever
//! showed it (ADR 121).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::Place;

use super::reply_id::ReplyId;
use crate::{
    RepliesHandle, StoreError,
    db::{
        claims::{self, Claim},
        query_as,
        values::ts_or_zero,
    },
};

impl RepliesHandle<'_> {
    /// Notes, before it is so, that the platform shows that a reply is being written.
    #[boxed]
    pub async fn note_shown(&self, claim: &Claim, reply: ReplyId, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            on!(&mut tx, c => sqlx::query("UPDATE replies SET shown_since = $2 WHERE id = $1")
                .bind(reply.0).bind(now.as_microsecond()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Notes that the platform no longer shows in a place that anything is being written.
    #[boxed]
    pub async fn note_not_shown(&self, claim: &Claim, place: &Place) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let place = place.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE replies SET shown_since = 0
                 WHERE id IN (SELECT s.id FROM replies s WHERE s.shown_since > 0)
                   AND channel_id = $1 AND thread_ts = $2")
                .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Whether the platform may still show in a place that something is being written.
    #[boxed]
    pub async fn may_be_shown(&self, place: &Place) -> Result<bool, StoreError> {
        let (shown,): (i64,) = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT count(*) FROM replies WHERE shown_since > 0 AND channel_id = $1 AND thread_ts = $2")
            .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_one(c).await)?;
        Ok(shown > 0)
    }
}
