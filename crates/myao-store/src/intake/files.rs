//! Names the files of which a message told only the id.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Event, FileRef, MessageTs, Sighting, Telling};

use super::arrive::apply_within;
use crate::{
    IntakeHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_as_stored},
    },
    db::query_as,
};

impl IntakeHandle<'_> {
    /// Puts a file in the place of its bare id, in a message that is stored. That is no edit: the message is read better.
    /// Nothing happens if the message has no such file any more.
    #[boxed]
    pub async fn name_bare_file(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
        id: &str,
        file: FileRef,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        let id = id.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let row: Option<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
                " FROM messages m WHERE m.channel_id = $1 AND m.ts = $2 AND m.deleted = 0"))
                .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
            let Some(row) = row else { return Ok(()) };
            let mut sighting = Sighting::from(message_as_stored(row)?);
            let Some(stub) = sighting.message.files.iter_mut().find(|file| file.name == id) else {
                return Ok(());
            };
            *stub = file.clone();
            // What was there is the id, which is no word of anybody's.
            (sighting.unshown, sighting.telling) =
                (id.clone(), Telling::Listed(MessageTs::from_timestamp(now)));
            apply_within(&mut tx, vec![Event::of_sighting(sighting)], store.masks_archive, now).await?;
            tx.commit().await
        })
        .await
    }
}
