//! Keeps who asked that nothing be said to them unasked.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::UserId;

use super::opening;
use crate::{
    RepliesHandle, StoreError,
    db::{Tx, query_as},
};

/// The reason of replies that are not given because of that.
const LEFT_ALONE: &str = "they asked that nothing be said to them unasked";

impl RepliesHandle<'_> {
    /// Notes whether somebody wants nothing said to them unasked. What was about to be said so is not said, unless the
    /// platform was given some of it already.
    #[boxed]
    pub async fn leave_alone(
        &self,
        user: &UserId,
        is_wanted: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let user = user.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if is_wanted {
                on!(&mut tx, c => sqlx::query(
                    "INSERT INTO left_alone (user_id, asked_at) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING")
                    .bind(user.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
                end_unasked_to(&mut tx, &user, now).await?;
            } else {
                on!(&mut tx, c => sqlx::query("DELETE FROM left_alone WHERE user_id = $1")
                    .bind(user.as_str()).execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// Whether somebody asked that nothing be said to them unasked.
    #[boxed]
    pub async fn is_to_be_left_alone(&self, user: &UserId) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (found,): (i64,) = on!(&mut tx, c => query_as("SELECT count(*) FROM left_alone WHERE user_id = $1")
            .bind(user.as_str()).fetch_one(c).await)?;
        Ok(found > 0)
    }
}

/// Ends the unasked replies about words of a person of which nothing was given to the platform.
async fn end_unasked_to(tx: &mut Tx, user: &UserId, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT r.id FROM (SELECT id, cause, channel_id, latest_ts FROM replies WHERE state = 'wanted'
                           UNION ALL
                           SELECT id, cause, channel_id, latest_ts FROM replies WHERE state = 'written') AS r
         JOIN messages m ON m.channel_id = r.channel_id AND m.ts = r.latest_ts
         WHERE r.cause = 'judgment' AND m.user_id = $1 AND NOT EXISTS (SELECT 1 FROM reply_parts p
            WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted'))")
        .bind(user.as_str()).fetch_all(c).await)?;
    for (reply,) in rows {
        opening::end_reply_with_parts(tx, reply, LEFT_ALONE, now).await?;
    }
    Ok(())
}
