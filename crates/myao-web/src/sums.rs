//! Numbers that take long to count, kept for a while.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use myao_core::ports::Clock;
use myao_store::{Coverage, MemoryTotals, Store, StoreError};
use tokio::sync::Mutex;

/// So many times as long as they took to count, sums are shown again: counting takes a twentieth of the time at most.
const KEPT_FOR: i32 = 20;
/// Old sums are better than a page that takes half a minute, and worse than none after this.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);

/// What was counted, and when.
pub(crate) struct Counted {
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) totals: MemoryTotals,
    pub(crate) at: Timestamp,
    until: Timestamp,
}

/// The last sums.
#[derive(Default)]
pub(crate) struct Sums(Mutex<Option<Arc<Counted>>>);

impl Sums {
    /// How much stands where, counted now or a while ago.
    pub(crate) async fn counted(&self, store: &Store, clock: &dyn Clock) -> Result<Arc<Counted>, StoreError> {
        // Held while it counts: others wait for the same numbers, instead of counting as well.
        let mut last = self.0.lock().await;
        let began = clock.now();
        if let Some(counted) = last.as_ref().filter(|counted| began < counted.until) {
            return Ok(Arc::clone(counted));
        }
        let (coverage, totals) = count(store).await?;
        let took = clock.now().duration_since(began);
        let kept = took.saturating_mul(KEPT_FOR).min(LONGEST);
        let until = began.saturating_add(kept).unwrap_or(Timestamp::MAX);
        let counted = Arc::new(Counted { coverage, totals, at: began, until });
        *last = Some(Arc::clone(&counted));
        Ok(counted)
    }
}

async fn count(store: &Store) -> Result<(Vec<Coverage>, MemoryTotals), StoreError> {
    Ok((store.coverage().await?, store.memory_totals().await?))
}
