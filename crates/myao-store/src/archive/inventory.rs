//! Lists what the archive holds of a channel, to compare it with what an export or a history holds.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, HeldMessage, HeldState, KnownBy, MessageTs, UserId};

use super::deletions::DeletedAddress;
use crate::{
    ArchiveHandle, StoreError,
    db::{
        query_as,
        values::{row, ts_or_zero},
    },
};

/// What the archive holds of a channel, and how it got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldChannel {
    /// Its talk by time: all that stands, threads included, what has expired, and what was taken for deleted.
    pub talk: Vec<HeldMessage>,
    /// How the archive got it.
    pub known: KnownBy,
}

/// The columns that [`HeldRow`] holds, and where they come from.
macro_rules! held_messages {
    () => {
        "SELECT m.ts, m.user_id, coalesce(u.is_bot, 0) AS is_bot, m.thread_ts,
            CAST(CASE WHEN m.files = '[]' THEN 0 ELSE 1 END AS BIGINT) AS has_files,
            m.edited_ts, m.deleted, coalesce(d.proven, 0) AS proven
         FROM messages m LEFT JOIN users u ON u.id = m.user_id
         LEFT JOIN deletions d ON d.channel_id = m.channel_id AND d.ts = m.ts
            AND d.grounds NOT IN ('told', 'forgotten')
         WHERE m.channel_id = $1 AND m.kind = 'talk' AND (m.deleted <> 1 OR d.proven IS NOT NULL)"
    };
}

row! {
    /// What is compared of a message, and whether it is proven that it was deleted.
    struct HeldRow {
        ts: i64,
        user_id: String,
        is_bot: i64,
        thread_ts: i64,
        has_files: i64,
        edited_ts: i64,
        deleted: i64,
        proven: i64,
    }
}

fn read_held_message(row: HeldRow) -> HeldMessage {
    let state = match row.deleted {
        0 => HeldState::Standing,
        1 => HeldState::TakenForDeleted { is_proven: row.proven != 0 },
        _ => HeldState::Expired,
    };
    HeldMessage {
        ts: MessageTs::from_micros(row.ts),
        author: UserId::new(row.user_id),
        is_by_bot: row.is_bot != 0,
        is_reply: row.thread_ts != 0,
        has_files: row.has_files != 0,
        is_edited: row.edited_ts != 0,
        state,
    }
}

impl ArchiveHandle<'_> {
    /// A channel's talk, and how the archive got it.
    #[boxed]
    pub async fn held_channel(&self, channel: &ChannelId) -> Result<HeldChannel, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let known: Option<(i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT heard_until, CASE WHEN member = 1 OR gaps_opened > 0 THEN CAST(1 AS BIGINT) ELSE 0 END
             FROM channels WHERE id = $1").bind(channel.as_str()).fetch_optional(c).await)?;
        let (heard_until, live) = known.unwrap_or_default();
        let rows: Vec<HeldRow> = on!(&mut tx, c => query_as(concat!(held_messages!(), " ORDER BY m.ts"))
            .bind(channel.as_str()).fetch_all(c).await)?;
        let known = KnownBy { heard_until: MessageTs::from_micros(heard_until), live: live != 0 };
        Ok(HeldChannel { talk: rows.into_iter().map(read_held_message).collect(), known })
    }

    /// The talk strictly between two time stamps that stands, or was taken for deleted: the replies of a thread, or the
    /// top level without `thread`.
    #[boxed]
    pub async fn held_between(
        &self,
        channel: &ChannelId,
        thread: Option<MessageTs>,
        after: MessageTs,
        before: MessageTs,
    ) -> Result<Vec<HeldMessage>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<HeldRow> = on!(&mut tx, c => query_as(concat!(held_messages!(),
            " AND m.thread_ts = $2 AND m.ts > $3 AND m.ts < $4 AND m.deleted <> 2 ORDER BY m.ts"))
            .bind(channel.as_str()).bind(ts_or_zero(thread)).bind(after.as_micros()).bind(before.as_micros())
            .fetch_all(c).await)?;
        Ok(rows.into_iter().map(read_held_message).collect())
    }

    /// Messages that earlier versions deleted without saying why, and that had words. Where a forgetting by words
    /// reached, there are none: nobody knows whether they held the words.
    #[boxed]
    pub async fn deleted_without_grounds(&self) -> Result<Vec<DeletedAddress>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT m.channel_id, m.ts FROM messages m WHERE m.deleted = 1 AND m.kind = 'talk' AND m.user_id <> ''
               AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.channel_id = m.channel_id AND d.ts = m.ts)
               AND NOT EXISTS (SELECT 1 FROM forgettings f WHERE f.by_words = 1 AND f.from_ts <= m.ts
                    AND f.to_ts >= m.ts AND (f.channel_id IS NULL OR f.channel_id = m.channel_id))
             ORDER BY m.channel_id, m.ts").fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id, ts)| (ChannelId::new(id), MessageTs::from_micros(ts))).collect())
    }
}
