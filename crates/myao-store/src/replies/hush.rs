//! Keeps channels in which somebody asked us to say nothing unasked for a while.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, instant_after},
    mandate::LONGEST_QUIET,
};

use crate::{
    RepliesHandle, StoreError,
    db::{query_as, values::instant_from_micros},
};

impl RepliesHandle<'_> {
    /// Says nothing unasked in a channel until this instant; one that is over lifts it. `false` if the channel is not
    /// known.
    #[boxed]
    pub async fn hush(&self, channel: &ChannelId, until: Timestamp) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let hushed = on!(&mut tx, c => sqlx::query("UPDATE channels SET quiet_until = $2 WHERE id = $1")
                .bind(channel.as_str()).bind(until.as_microsecond()).execute(c).await
                .map(|done| done.rows_affected()))?;
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
