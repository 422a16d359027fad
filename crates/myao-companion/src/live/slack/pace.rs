//! Slack's rate limits, shared by the processes of one app through the database (ADR 61).

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use myao_core::ports::{BoxFuture, Clock};
use myao_slack::api::{PaceLimit, SharedPace};
use myao_store::{SharedLimit, Store};

/// The limits as rows. While the database fails, each process keeps to its own count.
pub(super) struct StoredPace {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for StoredPace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredPace").finish_non_exhaustive()
    }
}

impl SharedPace for StoredPace {
    fn turn(&self, limits: Vec<PaceLimit>) -> BoxFuture<'_, Option<SignedDuration>> {
        Box::pin(async move {
            let limits = limits.into_iter().map(shared_limit).collect();
            let now = self.clock.now();
            let again = self.store.take_turn(limits, now).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "a call of Slack's is not counted for the other processes");
                None
            });
            again.map(|again| again.duration_since(now))
        })
    }

    fn pause(&self, limit: PaceLimit, until: Timestamp) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Err(error) = self.store.pause_until(shared_limit(limit), until).await {
                tracing::warn!(%error, "a limit of Slack's is not told to the other processes");
            }
        })
    }
}

fn shared_limit(PaceLimit { subject, spacing, burst }: PaceLimit) -> SharedLimit {
    SharedLimit {
        subject: format!("slack:{subject}"),
        spacing: i64::try_from(spacing.as_micros()).unwrap_or(i64::MAX),
        burst: i64::from(burst),
    }
}
