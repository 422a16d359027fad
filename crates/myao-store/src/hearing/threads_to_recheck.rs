//! Keeps which threads are still to be looked through for edits and deletions (ADR 20): a history tells of neither, so that
//! each takes a call, and there may be more of them than a process lives to make.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs};

use crate::{
    HearingHandle, StoreError,
    db::{
        Tx, query_as,
        values::{row, signed_size, unsigned_count},
    },
};

/// A thread that was active lately and had nothing to fetch: it is still to be looked through for edits and deletions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadToRecheck {
    /// Which channel.
    pub channel: ChannelId,
    /// The message under which it stands.
    pub root: MessageTs,
    /// The time from which on edits and deletions are looked for. It is that of the sweep that noted it: where calls are
    /// few, a thread may wait for its turn for longer than they are looked for back.
    pub recheck_from: MessageTs,
    /// Its newest message.
    pub latest: MessageTs,
    /// How often it was noted. Only a look that began after the last time ends it.
    pub noted: i64,
}

row! {
    struct ThreadRow {
        channel_id: String,
        root: i64,
        recheck_from: i64,
        latest: i64,
        noted: i64,
    }
}

impl ThreadRow {
    fn into_thread(self) -> ThreadToRecheck {
        ThreadToRecheck {
            channel: ChannelId::new(self.channel_id),
            root: MessageTs::from_micros(self.root),
            recheck_from: MessageTs::from_micros(self.recheck_from),
            latest: MessageTs::from_micros(self.latest),
            noted: self.noted,
        }
    }
}

/// Removes the threads of a channel of which nothing can be read any more.
pub(super) async fn remove_threads_of_channel(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM threads_to_recheck WHERE channel_id = $1").bind(channel.as_str())
        .execute(c).await.map(drop))?;
    Ok(())
}

impl HearingHandle<'_> {
    /// Notes threads that are to be looked through. Of one that waits already the earlier `recheck_from` counts, and the
    /// later `latest`; `noted` is counted here.
    #[boxed]
    pub async fn note_threads_to_recheck(&self, threads: &[ThreadToRecheck]) -> Result<(), StoreError> {
        if threads.is_empty() {
            return Ok(());
        }
        let store = self.store.clone();
        let threads = threads.to_vec();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for thread in &threads {
                on!(&mut tx, c => sqlx::query(
                    "INSERT INTO threads_to_recheck (channel_id, root, recheck_from, latest, noted)
                     VALUES ($1, $2, $3, $4, 1)
                     ON CONFLICT (channel_id, root) DO UPDATE SET noted = threads_to_recheck.noted + 1,
                        recheck_from = CASE WHEN threads_to_recheck.recheck_from > excluded.recheck_from
                            THEN excluded.recheck_from ELSE threads_to_recheck.recheck_from END,
                        latest = CASE WHEN threads_to_recheck.latest < excluded.latest
                            THEN excluded.latest ELSE threads_to_recheck.latest END")
                    .bind(thread.channel.as_str()).bind(thread.root.as_micros())
                    .bind(thread.recheck_from.as_micros()).bind(thread.latest.as_micros())
                    .execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// The threads that are to be looked through next, at most so many: those in which something was said last, of
    /// whatever channel, since people change what they said lately.
    #[boxed]
    pub async fn next_threads_to_recheck(&self, most: usize) -> Result<Vec<ThreadToRecheck>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ThreadRow> = on!(&mut tx, c => query_as(
            "SELECT channel_id, root, recheck_from, latest, noted FROM threads_to_recheck
             ORDER BY latest DESC, channel_id, root LIMIT $1")
            .bind(signed_size(most)).fetch_all(c).await)?;
        Ok(rows.into_iter().map(ThreadRow::into_thread).collect())
    }

    /// How many threads are still to be looked through.
    #[boxed]
    pub async fn count_threads_to_recheck(&self) -> Result<u64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (count,): (i64,) = on!(&mut tx, c => query_as("SELECT count(*) FROM threads_to_recheck")
            .fetch_one(c).await)?;
        Ok(unsigned_count(count))
    }

    /// Notes that a thread was looked through, as it stood when `thread` was read. One that was noted again meanwhile
    /// waits on: what was changed since is not looked for yet.
    #[boxed]
    pub async fn thread_rechecked(&self, thread: &ThreadToRecheck) -> Result<(), StoreError> {
        let store = self.store.clone();
        let thread = thread.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "DELETE FROM threads_to_recheck WHERE channel_id = $1 AND root = $2 AND noted = $3")
                .bind(thread.channel.as_str()).bind(thread.root.as_micros()).bind(thread.noted)
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}
