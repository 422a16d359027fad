//! Keeps when each channel's memories are looked at again, so that a round in which nothing is due costs the same for
//! any number of channels (ADR 38).
//!
//! Whatever may give the keeper work sets `channels.look_at` to 0 or less, in its own transaction. It stays so until
//! the keeper has brought the channel up to date; then it holds the time at which time alone may give the keeper work
//! again. A change that touches nothing else in the row (a chapter that is cut, a text taken back) counts it down, so
//! that a keeper that read the row earlier can tell.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{chat::ChannelId, memory::StepId};

use crate::{
    MemoryHandle, StoreError,
    archive::{ChannelColumns, ChannelRow, channel_columns, channel_row},
    db::{Tx, query_as, values::instant_from_micros},
};

/// Channels updated in one transaction: other writers get their turn in between.
const RESTED_AT_ONCE: usize = 400;

/// How far the journal has come: it changes with every text that is written or wiped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalMark {
    newest: i64,
    wiped_at: i64,
}

impl JournalMark {
    /// The newest step; 0 if there is none.
    pub const fn newest(self) -> StepId {
        StepId(self.newest)
    }

    /// Whether a text was wiped between an earlier look and this one.
    pub const fn is_wiped_since(self, earlier: Self) -> bool {
        self.wiped_at != earlier.wiped_at
    }
}

impl MemoryHandle<'_> {
    /// The channels that are due at `now`, by name.
    #[boxed]
    pub async fn channels_due_at(&self, now: Timestamp) -> Result<Vec<ChannelRow>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ChannelColumns> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", channel_columns!(), " FROM channels WHERE look_at <= $1 ORDER BY name, id"))
            .bind(now.as_microsecond()).fetch_all(c).await)?;
        rows.into_iter().map(channel_row).collect()
    }

    /// Makes every channel due, since the configuration may have changed or a person asked for it. This is stored, so
    /// that work that cannot be done at once is not forgotten.
    #[boxed]
    pub async fn look_at_all(&self) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("UPDATE channels SET look_at = 0 WHERE look_at > 0")
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// When the next channel after `now` is due. `None` if no such time is known.
    #[boxed]
    pub async fn next_due_time(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (next,): (Option<i64>,) = on!(&mut tx, c => query_as(
            "SELECT min(look_at) FROM channels WHERE look_at > $1")
            .bind(now.as_microsecond()).fetch_one(c).await)?;
        Ok(next.map(instant_from_micros))
    }

    /// Notes that a channel is up to date as it stood in `row`, for a caller that holds the channel. It is due again at
    /// `until`, or when something happens in it. Changes nothing if something has happened since `row` was read.
    #[boxed]
    pub async fn rest_channel(&self, row: &ChannelRow, until: Timestamp) -> Result<(), StoreError> {
        self.note_idle_channels(vec![(row.clone(), until)], None).await
    }

    /// Does the same for channels that were looked at without a claim. A channel that is claimed at `now`, or was
    /// worked on since it was read, is left as it is: it may need work again.
    #[boxed]
    pub async fn rest_unheld(
        &self,
        channels: Vec<(ChannelRow, Timestamp)>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut left = channels.into_iter();
        loop {
            let some: Vec<_> = left.by_ref().take(RESTED_AT_ONCE).collect();
            if some.is_empty() {
                return Ok(());
            }
            self.note_idle_channels(some, Some(now)).await?;
        }
    }

    /// `unheld`: the instant at which no process may hold the channels; `None` if the caller holds them.
    async fn note_idle_channels(
        &self,
        channels: Vec<(ChannelRow, Timestamp)>,
        unheld: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for (row, until) in &channels {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE channels SET look_at = $2
                     WHERE id = $1 AND revision = $3 AND member = $4 AND heard_until = $5
                       AND coalesce(gap_from, 0) = $6 AND coalesce(removed_at, 0) = $7
                       AND ($8 = 0 OR look_at = $9
                           AND NOT EXISTS (SELECT 1 FROM claims WHERE subject = 'channel:' || $1 AND until > $10))")
                    .bind(row.channel.id.as_str()).bind(until.as_microsecond()).bind(row.revision)
                    .bind(i64::from(row.member)).bind(row.heard_until.as_micros())
                    .bind(row.gap_from.map_or(0, myao_core::chat::MessageTs::as_micros))
                    .bind(row.removed.map_or(0, |(_, at)| at.as_microsecond()))
                    .bind(i64::from(unheld.is_some())).bind(row.look_at)
                    .bind(unheld.map_or(0, |now| store.time.shared(now)))
                    .execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// How far the journal has come.
    #[boxed]
    pub async fn journal_mark(&self) -> Result<JournalMark, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (newest, wiped_at): (i64, i64) = on!(&mut tx, c => query_as(
            "SELECT coalesce((SELECT max(id) FROM memory_steps), 0),
                    coalesce((SELECT wiped_at FROM memory_steps WHERE wiped_at > 0 ORDER BY wiped_at DESC LIMIT 1), 0)")
            .fetch_one(c).await)?;
        Ok(JournalMark { newest, wiped_at })
    }
}

/// Makes a channel due, and lets a process that read its row earlier see that something happened.
pub(crate) async fn look_at(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE channels SET look_at = CASE WHEN look_at > 0 THEN 0 ELSE look_at - 1 END WHERE id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))?;
    Ok(())
}
