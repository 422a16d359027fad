//! Counts what a forgetting would take: as far as a page can wait for it, and further in the background.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use myao_core::{forget::ForgetScope, ports::Clock};
use myao_store::{ForgetCount, ForgetPreview, Store, StoreError};

/// How many messages are looked at while a page waits. A small archive is counted as a whole.
const WAITED_FOR: u64 = 2_000;
/// How many messages a count in the background looks at before it checks whether anybody still waits for it.
const AT_ONCE: u64 = 4_000;
/// How many counts are kept.
const MOST_KEPT: usize = 8;
/// How long a count goes on, or is kept, after somebody last looked at it.
const LOOKED_AT_WITHIN: SignedDuration = SignedDuration::from_mins(1);

/// How far a count has come.
#[derive(Clone, Debug)]
pub(crate) struct CountedSoFar {
    pub(crate) preview: ForgetPreview,
    /// How many messages were looked at.
    pub(crate) looked_at: u64,
    pub(crate) is_whole: bool,
}

impl CountedSoFar {
    fn of(count: &ForgetCount) -> Self {
        Self { preview: count.so_far(), looked_at: count.looked_at(), is_whole: count.is_whole() }
    }
}

/// A count that goes on in the background, or has ended there, after its page was sent.
struct KeptCount {
    scope: ForgetScope,
    so_far: CountedSoFar,
    /// When somebody last looked at it.
    looked: Timestamp,
}

/// The counts that are kept, the one that was begun last at the end.
#[derive(Default)]
pub(crate) struct ForgetCounts(Mutex<Vec<KeptCount>>);

impl ForgetCounts {
    /// What forgetting a scope would take, as far as it is counted by now, and the scope that this is about. Where
    /// `is_new`, the person has not yet been shown numbers up to a fixed instant: a count that was begun at most
    /// [`LOOKED_AT_WITHIN`] earlier, and reaches up to that time, is then taken up instead of a new one.
    pub(crate) async fn look(
        self: &Arc<Self>,
        store: &Store,
        clock: &Arc<dyn Clock>,
        scope: ForgetScope,
        is_new: bool,
    ) -> Result<(ForgetScope, CountedSoFar), StoreError> {
        if let Some(known) = self.known(&scope, is_new, clock.now()) {
            return Ok(known);
        }
        let mut count = store.forget().empty_count(&scope).await?;
        store.forget().count_some_more(&mut count, WAITED_FOR).await?;
        let so_far = CountedSoFar::of(&count);
        if !so_far.is_whole {
            let kept = KeptCount { scope: scope.clone(), so_far: so_far.clone(), looked: clock.now() };
            self.with(|counts| {
                counts.push(kept);
                let more = counts.len().saturating_sub(MOST_KEPT);
                counts.drain(..more);
            });
            tokio::spawn(Arc::clone(self).count_on(store.clone(), Arc::clone(clock), scope.clone(), count));
        }
        Ok((scope, so_far))
    }

    /// Drops all counts, because something was forgotten.
    pub(crate) fn clear(&self) {
        self.with(Vec::clear);
    }

    fn with<T>(&self, act: impl FnOnce(&mut Vec<KeptCount>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn known(
        &self,
        scope: &ForgetScope,
        is_new: bool,
        now: Timestamp,
    ) -> Option<(ForgetScope, CountedSoFar)> {
        let is_meant = |kept: &ForgetScope| {
            let so_late = ForgetScope { to: kept.to, ..scope.clone() };
            let since = scope.to.to_timestamp().duration_since(kept.to.to_timestamp());
            *kept == *scope
                || (is_new && *kept == so_late && !since.is_negative() && since <= LOOKED_AT_WITHIN)
        };
        self.with(|counts| {
            // A finished count is soon out of date, because messages come and go.
            counts
                .retain(|kept| !kept.so_far.is_whole || now.duration_since(kept.looked) <= LOOKED_AT_WITHIN);
            let kept = counts.iter_mut().find(|kept| is_meant(&kept.scope))?;
            kept.looked = now;
            Some((kept.scope.clone(), kept.so_far.clone()))
        })
    }

    /// Counts to the end, or until nobody has looked for [`LOOKED_AT_WITHIN`].
    async fn count_on(
        self: Arc<Self>,
        store: Store,
        clock: Arc<dyn Clock>,
        scope: ForgetScope,
        mut count: ForgetCount,
    ) {
        while !count.is_whole() {
            if let Err(error) = store.forget().count_some_more(&mut count, AT_ONCE).await {
                tracing::warn!(%error, "what would be forgotten could not be counted to the end");
                self.with(|counts| counts.retain(|kept| kept.scope != scope));
                return;
            }
            let so_far = CountedSoFar::of(&count);
            let now = clock.now();
            let is_awaited = self.with(|counts| {
                let is_late = |kept: &KeptCount| now.duration_since(kept.looked) > LOOKED_AT_WITHIN;
                counts.retain(|kept| kept.scope != scope || !is_late(kept));
                let kept = counts.iter_mut().find(|kept| kept.scope == scope)?;
                kept.so_far = so_far;
                Some(())
            });
            if is_awaited.is_none() {
                return;
            }
        }
    }
}
