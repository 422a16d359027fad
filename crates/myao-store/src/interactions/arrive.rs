//! Notes what people ask, before the platform is told that it arrived.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Interaction};

use super::row;
use crate::{InteractionsHandle, StoreError};

impl InteractionsHandle<'_> {
    /// Notes interactions that arrived, all or none, and returns the keys of those that are new: one that was told before is
    /// left as it is.
    #[boxed]
    pub async fn take_in(
        &self,
        arrived: Vec<Interaction>,
        now: Timestamp,
    ) -> Result<BTreeSet<String>, StoreError> {
        if arrived.is_empty() {
            return Ok(BTreeSet::new());
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut new = BTreeSet::new();
            for interaction in &arrived {
                let request = row::stored_request(&interaction.request)?;
                let channel = interaction.channel.as_ref().map_or("", ChannelId::as_str);
                let answer_to = interaction.answer_to.as_deref().unwrap_or_default();
                let view = interaction.view.as_ref().map_or_else(String::new, row::stored_view);
                let added = on!(&mut tx, c => sqlx::query(
                    "INSERT INTO interactions
                        (key, user_id, channel_id, kind, name, words, answer_to, view_id, arrived_at, state)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting') ON CONFLICT (key) DO NOTHING")
                    .bind(&interaction.key).bind(interaction.user.as_str()).bind(channel)
                    .bind(request.kind).bind(request.name).bind(&request.words).bind(answer_to)
                    .bind(view).bind(now.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?;
                if added == 1 {
                    new.insert(interaction.key.clone());
                }
            }
            tx.commit().await?;
            Ok(new)
        })
        .await
    }
}
