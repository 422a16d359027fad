//! Handles messages that arrive where there are no words any more: a tombstone of a message that was only taken for
//! deleted (ADR 82), and words that have expired (ADR 52).

use myao_core::chat::Sighting;

use super::{
    batch::{Arrival, Batch, MessageBefore, message_before},
    expiry,
    row_change::RowChange,
};
use crate::{
    StoreError,
    archive::deletions,
    db::{Tx, values::ts_or_zero},
};

impl Batch<'_> {
    /// Handles a message that arrives where words have expired: it brings no words back. A later edit removes what was
    /// said before.
    pub(super) async fn put_expired(
        &mut self,
        tx: &mut Tx,
        sighting: &Sighting,
        revision: i64,
    ) -> Result<(), StoreError> {
        let message = &sighting.message;
        let before = message_before(tx, &message.channel, message.ts).await?;
        if self.stands_again(tx, sighting, before.as_ref()).await? {
            expiry::bring_row_back(tx, message, revision).await?;
            deletions::drop_grounds(tx, &message.channel, message.ts).await?;
            self.arrived.applied.brought_back += 1;
            return Ok(());
        }
        if before.is_some_and(|before| before.is_expired && message.edited_at > before.edited_at) {
            return self.store_tombstone(tx, &message.channel, message.ts).await;
        }
        expiry::keep_row(tx, message, revision).await?;
        self.arrived.applied.same += 1;
        Ok(())
    }

    /// Whether a message that is a tombstone stands again: it was only concluded that it was deleted, and now it is seen.
    pub(super) async fn stands_again(
        &self,
        tx: &mut Tx,
        sighting: &Sighting,
        before: Option<&MessageBefore>,
    ) -> Result<bool, StoreError> {
        if !before.is_some_and(MessageBefore::is_tombstone) {
            return Ok(false);
        }
        let deleted = deletions::grounds_of(tx, &sighting.message.channel, sighting.message.ts).await?;
        Ok(self.grounds.bring_back(sighting, deleted))
    }

    /// Gives a message that was taken for deleted its words back.
    pub(super) async fn restore_row(
        &self,
        tx: &mut Tx,
        sighting: &Sighting,
        files: &str,
        arrival: Arrival,
    ) -> Result<RowChange, StoreError> {
        let message = &sighting.message;
        on!(tx, c => sqlx::query(
            "UPDATE messages SET thread_ts = $3, user_id = $4, kind = $5, text = $6, files = $7, edited_ts = $8,
                    deleted = 0, revision = $9, told_ts = $10
             WHERE channel_id = $1 AND ts = $2 AND deleted = 1")
            .bind(message.channel.as_str()).bind(message.ts.as_micros())
            .bind(ts_or_zero(message.thread_ts)).bind(message.user.as_str()).bind(message.kind.as_str())
            .bind(&message.text).bind(files).bind(ts_or_zero(message.edited_at)).bind(arrival.revision)
            .bind(ts_or_zero(sighting.telling.at()))
            .execute(c).await.map(drop))?;
        deletions::drop_grounds(tx, &message.channel, message.ts).await?;
        Ok(RowChange::BroughtBack)
    }
}
