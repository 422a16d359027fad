//! Keeps channels in which somebody asked us to say nothing unasked for a while.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, instant_after},
    mandate::LONGEST_QUIET,
};

use super::opening;
use crate::{
    RepliesHandle, StoreError,
    db::{Tx, query_as, values::instant_from_micros},
};

/// The reason of replies that are not given because of that.
pub const ASKED_FOR_QUIET: &str = "somebody there asked for quiet";

impl RepliesHandle<'_> {
    /// Says nothing unasked in a channel until this instant; one that is over lifts it. What was about to be said unasked
    /// there is not said, unless the platform was given some of it already. `false` if the channel is not known.
    #[boxed]
    pub async fn hush(
        &self,
        channel: &ChannelId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let hushed = on!(&mut tx, c => sqlx::query("UPDATE channels SET quiet_until = $2 WHERE id = $1")
                .bind(channel.as_str()).bind(until.as_microsecond()).execute(c).await
                .map(|done| done.rows_affected()))?;
            if until > now {
                end_unasked(&mut tx, &channel, now).await?;
            }
            tx.commit().await?;
            Ok(hushed == 1)
        })
        .await
    }

    /// The channels in which nothing is said unasked at `now` because somebody there asked for that, and until when. What
    /// lies further ahead than anybody can ask for was noted by a clock that was wrong.
    #[boxed]
    pub async fn hushed_channels(
        &self,
        now: Timestamp,
    ) -> Result<BTreeMap<ChannelId, Timestamp>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT id, quiet_until FROM channels WHERE quiet_until > 0 AND quiet_until > $1 AND quiet_until <= $2")
            .bind(now.as_microsecond()).bind(instant_after(now, LONGEST_QUIET).as_microsecond()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id, until)| (ChannelId::new(id), instant_from_micros(until))).collect())
    }
}

/// Ends the unasked replies of a channel of which nothing was given to the platform.
async fn end_unasked(tx: &mut Tx, channel: &ChannelId, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT r.id FROM (SELECT id, cause FROM replies WHERE state = 'wanted' AND channel_id = $1
                           UNION ALL SELECT id, cause FROM replies WHERE state = 'written' AND channel_id = $1) AS r
         WHERE r.cause = 'judgment' AND NOT EXISTS (SELECT 1 FROM reply_parts p
            WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted'))")
        .bind(channel.as_str()).fetch_all(c).await)?;
    for (reply,) in rows {
        opening::end_reply_with_parts(tx, reply, ASKED_FOR_QUIET, now).await?;
    }
    Ok(())
}
