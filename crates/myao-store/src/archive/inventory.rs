//! Lists what the archive holds of a channel, to compare it with what an export holds.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, KnownBy, MessageTs};

use crate::{Store, StoreError, db::query_as};

impl Store {
    /// The time stamps of a channel's talk, including threads and expired messages, and how the archive got it.
    #[boxed]
    pub async fn held(&self, channel: &ChannelId) -> Result<(Vec<MessageTs>, KnownBy), StoreError> {
        let mut tx = self.db.snapshot().await?;
        let known: Option<(i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT heard_until, CASE WHEN member = 1 OR gaps_opened > 0 THEN CAST(1 AS BIGINT) ELSE 0 END
             FROM channels WHERE id = $1").bind(channel.as_str()).fetch_optional(c).await)?;
        let (heard_until, live) = known.unwrap_or_default();
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT ts FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted <> 1 ORDER BY ts")
            .bind(channel.as_str()).fetch_all(c).await)?;
        let talk = rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect();
        Ok((talk, KnownBy { heard_until: MessageTs::from_micros(heard_until), live: live != 0 }))
    }
}
