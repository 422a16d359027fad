//! Reads threads, and finds those that are being talked in.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    memory::{make_thread_scope_id, parse_thread_scope_id},
};

use crate::{
    MemoryHandle, StoreError,
    archive::{
        self, message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::query_as,
};

impl MemoryHandle<'_> {
    /// The threads of a channel in which something was said in (`since`, `until`], by root.
    #[boxed]
    pub async fn threads_active_between(
        &self,
        channel: &ChannelId,
        since: MessageTs,
        until: MessageTs,
    ) -> Result<Vec<MessageTs>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT DISTINCT thread_ts FROM messages
             WHERE channel_id = $1 AND thread_ts <> 0 AND ts > $2 AND ts <= $3
               AND kind = 'talk' AND deleted = 0 ORDER BY thread_ts")
            .bind(channel.as_str()).bind(since.as_micros()).bind(until.as_micros()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
    }

    /// The threads of a channel in which something was said in (`since`, `until`] that their memory does not hold, or
    /// that have no memory, by root.
    #[boxed]
    pub async fn threads_with_news(
        &self,
        channel: &ChannelId,
        since: MessageTs,
        until: MessageTs,
    ) -> Result<Vec<MessageTs>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let talked_in: Vec<(i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT thread_ts, max(ts) FROM messages
             WHERE channel_id = $1 AND thread_ts <> 0 AND ts > $2 AND ts <= $3
               AND kind = 'talk' AND deleted = 0 GROUP BY thread_ts ORDER BY thread_ts")
            .bind(channel.as_str()).bind(since.as_micros()).bind(until.as_micros()).fetch_all(c).await)?;
        if talked_in.is_empty() {
            return Ok(Vec::new());
        }
        let held: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT scope_id, source_latest_message_ts FROM memories
             WHERE scope = 'thread' AND channel_id = $1 AND source_latest_message_ts > $2")
            .bind(channel.as_str()).bind(since.as_micros()).fetch_all(c).await)?;
        let held: BTreeMap<String, i64> = held.into_iter().collect();
        let threads = talked_in.into_iter().map(|(root, latest)| (MessageTs::from_micros(root), latest));
        let has_news = |(root, latest): &(MessageTs, i64)| {
            held.get(make_thread_scope_id(channel, *root).as_str()).is_none_or(|held| held < latest)
        };
        Ok(threads.filter(has_news).map(|(root, _)| root).collect())
    }

    /// The threads of a channel whose memory was written before some of their messages were read better, by root.
    #[boxed]
    pub async fn threads_with_outdated_memory(
        &self,
        channel: &ChannelId,
    ) -> Result<Vec<MessageTs>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT h.scope_id FROM memories h JOIN memory_steps s ON s.id = h.step_id
             WHERE h.scope = 'thread' AND h.channel_id = $1 AND h.late_revision > 0
               AND h.late_revision > s.read_revision
             ORDER BY h.scope_id")
            .bind(channel.as_str()).fetch_all(c).await)?;
        let root = |(id,): (String,)| parse_thread_scope_id(&id).ok().map(|(_, root)| root);
        Ok(rows.into_iter().filter_map(root).collect())
    }

    /// A thread's talk up to `until`, root first, and the channel's revision at which it was read. Empty if the channel
    /// may not be seen.
    #[boxed]
    pub async fn talk_of_thread(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        root: MessageTs,
        until: MessageTs,
    ) -> Result<(i64, Vec<Message>), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let revision = archive::channel_revision(&mut tx, channel).await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok((revision, Vec::new()));
        }
        let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m WHERE m.channel_id = $1 AND (m.thread_ts = $2 OR m.ts = $2 AND m.thread_ts = 0)
                AND m.ts <= $3 AND m.kind = 'talk' AND m.deleted = 0 ORDER BY m.ts"))
            .bind(channel.as_str()).bind(root.as_micros()).bind(until.as_micros()).fetch_all(c).await)?;
        Ok((revision, rows.into_iter().map(message_of_row).collect::<Result<_, _>>()?))
    }
}
