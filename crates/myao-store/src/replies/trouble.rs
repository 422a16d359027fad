//! Lists replies that a person may want to look at: put off, or not given.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{chat::Place, judgment::ReplyState};

use super::{
    passing,
    reply::{place_of_columns, unfinished_in_place, wanted_in_place},
    reply_id::ReplyId,
};
use crate::{
    RepliesHandle, StoreError,
    db::{
        query_as,
        values::{instant_from_micros, parse_column, row, unsigned_count},
    },
};

/// A reply that was tried without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TroubledReply {
    /// Its number.
    pub id: ReplyId,
    /// Where it goes.
    pub place: Place,
    /// Wanted or written: it is tried again. Failed: it is not tried again.
    pub state: ReplyState,
    /// How often it was put off in a row.
    pub attempts: u64,
    /// When it is tried again, if it is.
    pub not_before: Timestamp,
    /// Why it was put off or failed the last time.
    pub reason: String,
}

row! {
    /// A reply that was put off or failed.
    struct TroubleRow {
        id: i64,
        channel_id: String,
        thread_ts: i64,
        state: String,
        attempts: i64,
        not_before: i64,
        reason: String,
    }
}

impl RepliesHandle<'_> {
    /// The open replies that were put off, and the replies that failed since an instant; oldest first.
    #[boxed]
    pub async fn failed_and_postponed(&self, since: Timestamp) -> Result<Vec<TroubledReply>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<TroubleRow> = on!(&mut tx, c => query_as(
            "SELECT id, channel_id, thread_ts, state, attempts, not_before, reason FROM replies
             WHERE (state IN ('wanted', 'written') AND attempts > 0) OR (state = 'failed' AND changed_at >= $1)
             ORDER BY id")
            .bind(since.as_microsecond()).fetch_all(c).await)?;
        rows.into_iter()
            .map(|row| {
                Ok(TroubledReply {
                    id: ReplyId(row.id),
                    place: place_of_columns(row.channel_id, row.thread_ts),
                    state: parse_column(&row.state, "replies.state", row.id)?,
                    attempts: unsigned_count(row.attempts),
                    not_before: instant_from_micros(row.not_before),
                    reason: row.reason,
                })
            })
            .collect()
    }

    /// Gives up the open replies whose rows cannot be read, so that nothing waits behind them, and returns their ids.
    /// [`RepliesHandle::failed_and_postponed`] lists them with what is wrong. What is posted of them stays.
    #[boxed]
    pub async fn set_aside_unreadable(&self, now: Timestamp) -> Result<Vec<ReplyId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let wanted =
            wanted_in_place(&mut tx, None, Timestamp::MAX).await?.into_iter().filter_map(Result::err);
        let unfinished = unfinished_in_place(&mut tx, None).await?.into_iter().filter_map(Result::err);
        let unreadable: Vec<_> = wanted.chain(unfinished).collect();
        drop(tx);
        for (reply, error) in &unreadable {
            let store = self.store.clone();
            let id = reply.0;
            let reason = format!("it cannot be read: {error}");
            to_the_end!({
                let mut tx = store.db.begin().await?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET state = 'failed', reason = $2, not_before = 0, changed_at = $3
                     WHERE id = $1 AND state IN ('wanted', 'written')")
                    .bind(id).bind(&reason).bind(now.as_microsecond()).execute(c).await.map(drop))?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = 'dropped', text = NULL
                     WHERE reply_id = $1 AND state <> 'posted'").bind(id).execute(c).await.map(drop))?;
                passing::wipe_if_answered(&mut tx, ReplyId(id)).await?;
                tx.commit().await
            })
            .await?;
        }
        Ok(unreadable.into_iter().map(|(reply, _)| reply).collect())
    }
}
