//! Keeps gaps: what was said while nobody listened, and how much of it has been fetched (specification §4, design §2).
//!
//! A channel of which we are a member is heard as things are said: it is complete up to 30 s ago. When hearing is
//! interrupted, a gap opens in every such channel. Nothing at or after `gap_from` is cut or judged until a sweep has
//! filled the gap. For how an import's end (`heard_until`) and hearing meet, see [`HearingHandle::join_channel`].

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::SETTLING_SECONDS,
};

use super::threads_to_recheck::remove_threads_of_channel;
use crate::{
    HearingHandle, StoreError,
    db::{
        Tx, query_as,
        values::{row, unsigned_count},
    },
};

/// A gap in what was heard of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Which channel.
    pub channel: ChannelId,
    /// Where it begins: messages from here on may be missing.
    pub from: MessageTs,
    /// The stretch of it that is filled: (from, to]. A sweep that is resumed fetches what came after `to`, then what
    /// lies between [`Self::from`] and the stretch's beginning. `to` is [`MessageTs::MAX`] while everything after `from`
    /// was read or heard, until hearing is interrupted again.
    pub swept: Option<(MessageTs, MessageTs)>,
    /// How often it was opened. Only a sweep that knows of the last opening closes the gap.
    pub opened: i64,
}

/// From when on a channel is read and remembered that is seen for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSight {
    /// From when on its history is read, where the archive has nothing of it.
    pub read_from: MessageTs,
    /// Where its memory begins, exclusive, unless it has one already. What is older is found by searches alone.
    pub remember_from: MessageTs,
}

impl FirstSight {
    /// Everything from `ts` on is read, and what comes after it remembered.
    pub const fn since(ts: MessageTs) -> Self {
        Self { read_from: ts, remember_from: ts }
    }
}

/// How much of a thread is in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadSize {
    /// Replies that are not deleted.
    pub replies: u64,
    /// The time stamp of the newest of them.
    pub latest: MessageTs,
}

/// Opens a gap in every channel of which we are a member; everything was heard until `heard`. What was filled of an open
/// gap ends there.
pub(crate) async fn open_in_all_channels(tx: &mut Tx, heard: i64) -> Result<(), StoreError> {
    let from = MessageTs::from_micros(heard).plus_seconds(-SETTLING_SECONDS);
    on!(tx, c => sqlx::query(
        "UPDATE channels SET gap_from = coalesce(gap_from, $1), gaps_opened = gaps_opened + 1,
            swept_from = CASE WHEN swept_from >= $1 THEN NULL ELSE swept_from END,
            swept_to = CASE WHEN swept_from >= $1 THEN NULL WHEN swept_to > $1 THEN $1 ELSE swept_to END
         WHERE member = 1").bind(from.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A channel with a gap.
    struct GapRow {
        id: String,
        gap_from: i64,
        swept_from: Option<i64>,
        swept_to: Option<i64>,
        gaps_opened: i64,
    }
}

impl GapRow {
    fn into_gap(self) -> Gap {
        let swept = self.swept_from.zip(self.swept_to);
        Gap {
            channel: ChannelId::new(self.id),
            from: MessageTs::from_micros(self.gap_from),
            swept: swept.map(|(from, to)| (MessageTs::from_micros(from), MessageTs::from_micros(to))),
            opened: self.gaps_opened,
        }
    }
}

impl HearingHandle<'_> {
    /// Notes that everything was heard until `now`, in a workspace of our own. (A process that hears a workspace over a
    /// platform calls [`HearingHandle::report_alive`].)
    #[boxed]
    pub async fn note_heard(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('heard', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value")
                .bind(store.time.shared(now).to_string()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Until when everything was certainly heard; `None` before the first time.
    #[boxed]
    pub async fn last_heard(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'heard'")
                .fetch_optional(c).await)?;
        let micros = row.and_then(|(value,)| value.parse().ok());
        Ok(micros.map(|micros| self.store.time.own(micros)))
    }

    /// Notes that hearing was interrupted: opens a gap in every channel of which we are a member. The gap begins where
    /// messages may still have been on their way when we last heard. A gap that is already open keeps its earlier
    /// beginning.
    #[boxed]
    pub async fn open_gaps_since(&self, last_heard: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            open_in_all_channels(&mut tx, store.time.shared(last_heard)).await?;
            tx.commit().await
        })
        .await
    }

    /// Notes that we are a member of a channel from now on. Changes nothing if we were one already. Otherwise a gap
    /// opens where the archive of the channel ends (an import's end, or when we left), however long ago that is, so
    /// that no hole stays in the middle of the channel's memory; without an archive of it the gap opens where `sight`
    /// says. A channel of which nothing is known counts as one with people from outside until it is looked up.
    ///
    /// Where its memory begins is fixed here and not by its first chapter, which may be late: what is said from now on is
    /// remembered, however long nobody comes to write it down.
    #[boxed]
    pub async fn join_channel(&self, channel: &ChannelId, sight: FirstSight) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until, gap_from,
                                       gaps_opened, memory_from)
                 VALUES ($1, $1, $1, 'unknown', 1, 1, 0, 0, $2, 1, $3)
                 ON CONFLICT (id) DO UPDATE
                 SET member = 1, look_at = 0, gaps_opened = channels.gaps_opened + 1,
                     gap_from = CASE WHEN channels.heard_until > 0 THEN channels.heard_until ELSE $2 END,
                     memory_from = coalesce(channels.memory_from, $3)
                 WHERE channels.member = 0")
                .bind(channel.as_str()).bind(sight.read_from.as_micros()).bind(sight.remember_from.as_micros())
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Notes that we are no member any more: the channel is complete up to now, or up to the gap that was open.
    #[boxed]
    pub async fn leave_channel(&self, channel: &ChannelId, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        let settled = MessageTs::from_timestamp(now).plus_seconds(-SETTLING_SECONDS);
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET member = 0, look_at = 0, heard_until = coalesce(gap_from, $2), gap_from = NULL,
                        swept_from = NULL, swept_to = NULL
                 WHERE id = $1 AND member = 1")
                .bind(channel.as_str()).bind(settled.as_micros()).execute(c).await.map(drop))?;
            remove_threads_of_channel(&mut tx, &channel).await?;
            tx.commit().await
        })
        .await
    }

    /// The open gaps, youngest first: most of these take one page each, and are what people wait for.
    #[boxed]
    pub async fn gaps(&self) -> Result<Vec<Gap>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<GapRow> = on!(&mut tx, c => query_as(
            "SELECT id, gap_from, swept_from, swept_to, gaps_opened FROM channels
             WHERE member = 1 AND gap_from IS NOT NULL ORDER BY gap_from DESC, id").fetch_all(c).await)?;
        Ok(rows.into_iter().map(GapRow::into_gap).collect())
    }

    /// The open gap of a channel; `None` if there is none.
    #[boxed]
    pub async fn gap_of(&self, channel: &ChannelId) -> Result<Option<Gap>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<GapRow> = on!(&mut tx, c => query_as(
            "SELECT id, gap_from, swept_from, swept_to, gaps_opened FROM channels
             WHERE id = $1 AND member = 1 AND gap_from IS NOT NULL")
            .bind(channel.as_str()).fetch_optional(c).await)?;
        Ok(row.map(GapRow::into_gap))
    }

    /// Notes that of a gap everything after `from` is filled, up to now, in place of what was filled before. `false` if
    /// hearing was interrupted since `gap` was read: then nothing is noted, for what is said now may not be heard.
    #[boxed]
    pub async fn note_swept_up_to_now(&self, gap: &Gap, from: MessageTs) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let gap = gap.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let noted = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET swept_from = $2, swept_to = $3
                 WHERE id = $1 AND gaps_opened = $4 AND gap_from IS NOT NULL")
                .bind(gap.channel.as_str()).bind(from.as_micros()).bind(MessageTs::MAX.as_micros())
                .bind(gap.opened).execute(c).await.map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(noted == 1)
        })
        .await
    }

    /// Notes that (`from`, `to`] of a gap is filled and its events are applied. `false` if the stretch does not touch
    /// the known one: then nothing is noted, since a sweep first joins its newest page to what was filled before.
    #[boxed]
    pub async fn note_swept(
        &self,
        channel: &ChannelId,
        from: MessageTs,
        to: MessageTs,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let noted = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET
                    swept_from = CASE WHEN swept_from IS NULL OR swept_from > $2 THEN $2 ELSE swept_from END,
                    swept_to = CASE WHEN swept_to IS NULL OR swept_to < $3 THEN $3 ELSE swept_to END
                 WHERE id = $1 AND gap_from IS NOT NULL
                   AND (swept_from IS NULL OR ($2 <= swept_to AND $3 >= swept_from))")
                .bind(channel.as_str()).bind(from.as_micros()).bind(to.as_micros())
                .execute(c).await.map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(noted == 1)
        })
        .await
    }

    /// Closes a gap that a sweep has filled to its end. `false` if hearing was interrupted again since `gap` was read:
    /// then it stays open, the filled stretch stays noted, and the next sweep has little to fetch.
    #[boxed]
    pub async fn close_filled_gap(&self, gap: &Gap) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let gap = gap.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let closed = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET gap_from = NULL, swept_from = NULL, swept_to = NULL, look_at = 0
                 WHERE id = $1 AND gaps_opened = $2 AND gap_from IS NOT NULL")
                .bind(gap.channel.as_str()).bind(gap.opened).execute(c).await
                .map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(closed == 1)
        })
        .await
    }

    /// Notes that a sweep has filled a gap to its end, but for what came from `from` on: something there is to be looked at
    /// once more. So much of it stays open, and nothing of that counts as filled. `false` if hearing was interrupted again
    /// since `gap` was read: then all of it stays as it is.
    #[boxed]
    pub async fn narrow_filled_gap(&self, gap: &Gap, from: MessageTs) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let gap = gap.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let narrowed = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET gap_from = CASE WHEN gap_from < $2 THEN $2 ELSE gap_from END, swept_from = NULL,
                        swept_to = NULL, look_at = 0
                 WHERE id = $1 AND gaps_opened = $3 AND gap_from IS NOT NULL")
                .bind(gap.channel.as_str()).bind(from.as_micros()).bind(gap.opened).execute(c).await
                .map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(narrowed == 1)
        })
        .await
    }

    /// How much of each thread is in the archive, by root, for roots from `first` to `last`, both included. What the
    /// platform counts beyond that is missing.
    #[boxed]
    pub async fn thread_sizes(
        &self,
        channel: &ChannelId,
        first: MessageTs,
        last: MessageTs,
    ) -> Result<BTreeMap<MessageTs, ThreadSize>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64, i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT thread_ts, count(*), max(ts) FROM messages
             WHERE channel_id = $1 AND thread_ts >= $2 AND thread_ts <= $3 AND thread_ts > 0 AND deleted <> 1
             GROUP BY thread_ts")
            .bind(channel.as_str()).bind(first.as_micros()).bind(last.as_micros()).fetch_all(c).await)?;
        let size = |(root, replies, latest)| {
            let size =
                ThreadSize { replies: unsigned_count(replies), latest: MessageTs::from_micros(latest) };
            (MessageTs::from_micros(root), size)
        };
        Ok(rows.into_iter().map(size).collect())
    }
}
