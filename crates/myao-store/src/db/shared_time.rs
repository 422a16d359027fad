//! Gives all processes on a server one time (ADR 60).
//!
//! Claims, what is known of channels and which processes are alive are decided by comparing instants that several
//! processes write. On one machine they share a clock. On a server each process adds to its own time how far the server
//! is ahead of it, so that all of them compare in the server's time, even if their own clocks are wrong.

use std::sync::atomic::{AtomicI64, Ordering};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{
    pools::Tx,
    query::query_as,
    values::{instant_from_micros, unsigned_count},
};
use crate::{Store, StoreError};

/// How far the server's clock is ahead of ours, in microseconds.
#[derive(Debug, Default)]
pub(crate) struct SharedTime {
    follows_server: bool,
    ahead: AtomicI64,
}

impl SharedTime {
    /// An instant of this process, in the time that all processes write.
    pub(crate) fn shared(&self, own: Timestamp) -> i64 {
        own.as_microsecond().saturating_add(self.ahead.load(Ordering::SeqCst))
    }

    /// The instant of this process for a shared time; the inverse of [`Self::shared`].
    pub(crate) fn own(&self, shared: i64) -> Timestamp {
        instant_from_micros(shared.saturating_sub(self.ahead.load(Ordering::SeqCst)))
    }
}

impl Store {
    /// The same store, which goes by the server's clock if there is a server. Only for processes whose `now` is the
    /// machine's clock.
    #[must_use]
    pub fn by_server_time(self) -> Self {
        let time = SharedTime { follows_server: self.is_on_server(), ..SharedTime::default() };
        Self { time: time.into(), ..self }
    }

    /// Finds out how far the server's clock is ahead of ours, which shows `now`. Called often enough to notice a clock
    /// that is set while we run.
    #[boxed]
    pub async fn measure_clock_offset(&self, now: Timestamp) -> Result<(), StoreError> {
        if !self.time.follows_server {
            return Ok(());
        }
        // Waiting for a connection takes time under load, which must not count as a difference of the clocks.
        let since = Instant::now();
        let mut tx = self.db.snapshot().await?;
        let waited = SignedDuration::try_from(since.elapsed()).unwrap_or_default();
        let now = now.saturating_add(waited).unwrap_or(now);
        if let Tx::Postgres(tx) = &mut tx {
            let (server,): (i64,) =
                query_as("SELECT cast(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)")
                    .fetch_one(&mut *tx)
                    .await?;
            self.time.ahead.store(server.saturating_sub(now.as_microsecond()), Ordering::SeqCst);
        }
        Ok(())
    }

    /// How far this process's clock is from the server's, in whole seconds; 0 without a server.
    pub fn seconds_from_server(&self) -> u64 {
        const MICROS: i64 = 1_000_000;
        unsigned_count(self.time.ahead.load(Ordering::SeqCst).saturating_abs() / MICROS)
    }
}
