//! Keeps which channels' histories the platform changed at once, until they are read again.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs};

use crate::{HearingHandle, StoreError, db::query_as};

impl HearingHandle<'_> {
    /// Notes that a channel's history up to an instant was changed at once. Changes nothing if the channel is unknown.
    #[boxed]
    pub async fn note_changed_history(
        &self,
        channel: &ChannelId,
        until: MessageTs,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET changed_to = $2 WHERE id = $1 AND coalesce(changed_to, 0) < $2")
                .bind(channel.as_str()).bind(until.as_micros()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The channels that we are in whose history has to be read again, and up to where.
    #[boxed]
    pub async fn channels_to_read_again(&self) -> Result<Vec<(ChannelId, MessageTs)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT id, changed_to FROM channels WHERE member = 1 AND changed_to IS NOT NULL ORDER BY id")
            .fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id, until)| (ChannelId::new(id), MessageTs::from_micros(until))).collect())
    }

    /// Notes that a channel's history was read again up to `until`, unless it was changed again meanwhile.
    #[boxed]
    pub async fn history_read_again(&self, channel: &ChannelId, until: MessageTs) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET changed_to = NULL, look_at = 0 WHERE id = $1 AND changed_to = $2")
                .bind(channel.as_str()).bind(until.as_micros()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}
