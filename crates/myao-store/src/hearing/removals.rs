//! Records that words were removed, and since when they were said. Copies outside the database, such as the recordings
//! of calls to models, are checked against it: it tells which of them may hold the words (ADR 31).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};

use crate::{
    HearingHandle, StoreError,
    db::{Tx, query_as, values::instant_from_micros},
};

/// A removal of words: nothing made before `said_at` can hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Its number; later removals have higher numbers.
    pub id: i64,
    /// When the oldest of the messages that lost words was posted.
    pub said_at: Timestamp,
    /// When they were removed.
    pub removed_at: Timestamp,
}

impl HearingHandle<'_> {
    /// The removals after the one with this id, oldest first; all of them for 0.
    #[boxed]
    pub async fn removals_after_id(&self, id: i64) -> Result<Vec<Removal>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64, i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT id, said_at, removed_at FROM removals WHERE id > $1 ORDER BY id")
            .bind(id).fetch_all(c).await)?;
        let removal = |(id, said_at, removed_at)| Removal {
            id,
            said_at: instant_from_micros(said_at),
            removed_at: instant_from_micros(removed_at),
        };
        Ok(rows.into_iter().map(removal).collect())
    }

    /// The newest removal's id; 0 if nothing was removed yet.
    #[boxed]
    pub async fn last_removal_id(&self) -> Result<i64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (last,): (i64,) = on!(&mut tx, c => query_as("SELECT coalesce(max(id), 0) FROM removals")
            .fetch_one(c).await)?;
        Ok(last)
    }

    /// Whether words were removed at this instant or later.
    #[boxed]
    pub async fn removed_since(&self, at: Timestamp) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (found,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM removals WHERE removed_at >= $1")
            .bind(at.as_microsecond()).fetch_one(c).await)?;
        Ok(found > 0)
    }
}

/// Records that words were removed from messages, the oldest of which was posted at `oldest`.
pub(crate) async fn record_removed_words(
    tx: &mut Tx,
    oldest: MessageTs,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("INSERT INTO removals (said_at, removed_at) VALUES ($1, $2)")
        .bind(oldest.as_micros()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Words that are no longer said.
#[derive(Clone, Debug)]
pub(crate) struct Removed {
    pub(crate) channel: ChannelId,
    pub(crate) ts: MessageTs,
    /// The root of the thread that the message belongs to.
    pub(crate) thread: MessageTs,
    /// The channel's revision when the words were said.
    pub(crate) revision: i64,
    /// Whether the message was deleted rather than edited.
    pub(crate) is_gone: bool,
    /// Whether the words have expired: what they were is unknown.
    pub(crate) is_expired: bool,
    /// Terms of the words that the message no longer holds.
    pub(crate) terms: BTreeSet<String>,
    /// Whether our posts that hold the words leave at once, as far as they were made from them.
    pub(crate) do_posts_follow: bool,
}
