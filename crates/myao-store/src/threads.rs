//! Reads threads, and finds those that are being talked in.

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    context::Visibility,
};

use crate::{
    Store, StoreError,
    archive::{self, message_columns},
    db::query_as,
    rows::{MessageRow, message},
};

impl Store {
    /// The threads of a channel in which something was said in (`since`, `until`], by root.
    #[boxed]
    pub async fn active_threads(
        &self,
        channel: &ChannelId,
        since: MessageTs,
        until: MessageTs,
    ) -> Result<Vec<MessageTs>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT DISTINCT thread_ts FROM messages
             WHERE channel_id = $1 AND thread_ts <> 0 AND ts > $2 AND ts <= $3
               AND kind = 'talk' AND deleted = 0 ORDER BY thread_ts")
            .bind(channel.as_str()).bind(since.as_micros()).bind(until.as_micros()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
    }

    /// A thread's talk up to `until`, root first, and the channel's revision at which it was read. Empty if the channel
    /// may not be seen.
    #[boxed]
    pub async fn thread(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        root: MessageTs,
        until: MessageTs,
    ) -> Result<(i64, Vec<Message>), StoreError> {
        let mut tx = self.db.snapshot().await?;
        let revision = archive::revision(&mut tx, channel).await?;
        if !self.shown(visibility).channel(&mut tx, channel).await? {
            return Ok((revision, Vec::new()));
        }
        let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m WHERE m.channel_id = $1 AND (m.thread_ts = $2 OR m.ts = $2) AND m.ts <= $3
                AND m.kind = 'talk' AND m.deleted = 0 ORDER BY m.ts"))
            .bind(channel.as_str()).bind(root.as_micros()).bind(until.as_micros()).fetch_all(c).await)?;
        Ok((revision, rows.into_iter().map(message).collect::<Result<_, _>>()?))
    }
}
