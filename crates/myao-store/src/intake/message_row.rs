//! Writes the row of a message that arrives: a new one, one that stands again, or another form of one that is there.

use myao_core::chat::Sighting;

use super::{
    batch::{Arrival, Batch, message_before},
    row_change::RowChange,
};
use crate::{
    StoreError,
    archive::deletions::changed_at,
    db::{Tx, values::ts_or_zero},
};

impl Batch<'_> {
    /// Writes the row of a message, unless a newer form of it stands there.
    pub(super) async fn write_message_row(
        &self,
        tx: &mut Tx,
        sighting: &Sighting,
        arrival: Arrival,
    ) -> Result<RowChange, StoreError> {
        let message = &sighting.message;
        let files = serde_json::to_string(&message.files)?;
        let new = on!(tx, c => sqlx::query(
            "INSERT INTO messages
                (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10) ON CONFLICT (channel_id, ts) DO NOTHING")
            .bind(message.channel.as_str()).bind(message.ts.as_micros())
            .bind(ts_or_zero(message.thread_ts)).bind(message.user.as_str()).bind(message.kind.as_str())
            .bind(&message.text).bind(&files).bind(ts_or_zero(message.edited_at)).bind(arrival.revision)
            .bind(ts_or_zero(changed_at(sighting.telling)))
            .execute(c).await.map(|done| done.rows_affected()))?;
        if new == 1 {
            return Ok(RowChange::Inserted);
        }
        let before = message_before(tx, &message.channel, message.ts).await?;
        if self.stands_again(tx, sighting, before.as_ref()).await? {
            return self.restore_row(tx, sighting, &files, arrival).await;
        }
        self.edit_row(tx, sighting, &files, before, arrival).await
    }
}
