//! Notes what people ask, before the platform is told that it arrived.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Interaction};

use super::row;
use crate::{InteractionsHandle, StoreError};

impl InteractionsHandle<'_> {
    /// Notes interactions that arrived, all or none, and returns how many are new: one that was told before is left as it
    /// is. One that is refused is over at once.
    #[boxed]
    pub async fn take_in(&self, arrived: Vec<Interaction>, now: Timestamp) -> Result<u64, StoreError> {
        if arrived.is_empty() {
            return Ok(0);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut new = 0;
            for interaction in &arrived {
                let request = row::stored_request(&interaction.request);
                let channel = interaction.channel.as_ref().map_or("", ChannelId::as_str);
                let answer_to = interaction.answer_to.as_deref().unwrap_or_default();
                new += on!(&mut tx, c => sqlx::query(
                    "INSERT INTO interactions
                        (key, user_id, channel_id, kind, name, words, answer_to, arrived_at, state)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting') ON CONFLICT (key) DO NOTHING")
                    .bind(&interaction.key).bind(interaction.user.as_str()).bind(channel)
                    .bind(request.kind).bind(request.name).bind(request.words).bind(answer_to)
                    .bind(now.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?;
            }
            tx.commit().await?;
            Ok(new)
        })
        .await
    }
}
