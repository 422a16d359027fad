//! How much is done at a time.
//!
//! A permit lies among the extensions of a request, so it is held for as long as anybody works on that request, even
//! where whoever asked has gone away.

use std::{sync::Arc, time::Duration};

use myao_core::ports::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Lets a request be worked on, until the last clone of it is dropped.
#[derive(Clone, Debug)]
pub(super) struct WorkPermit {
    _place: Arc<OwnedSemaphorePermit>,
}

/// Returns after `span`.
pub(crate) async fn wait(clock: &dyn Clock, span: Duration) {
    if let Ok(until) = clock.steady().saturating_add(span) {
        clock.sleep_until_steady(until).await;
    }
}

/// The places at which requests are worked on, and the queue before them.
pub(super) struct Admission {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    longest_wait: Duration,
}

impl Admission {
    /// `at_work` requests at a time, `waiting` in the queue, each for `longest_wait` at most.
    pub(super) fn new(at_work: usize, waiting: usize, longest_wait: Duration) -> Self {
        let semaphore = |places| Arc::new(Semaphore::new(places));
        Self { places: semaphore(at_work), queue: semaphore(waiting), longest_wait }
    }

    /// A place for a request, first come, first served. `None` when the queue is full, or the wait became too long.
    pub(super) async fn enter(&self, clock: &dyn Clock) -> Option<WorkPermit> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Some(WorkPermit { _place: Arc::new(place) });
        }
        let _waiting = self.queue.try_acquire().ok()?;
        tokio::select! {
            biased;
            place = Arc::clone(&self.places).acquire_owned() => {
                Some(WorkPermit { _place: Arc::new(place.ok()?) })
            }
            () = wait(clock, self.longest_wait) => None,
        }
    }

    /// A place for a request, however long it takes to become free. `None` when `stop` was cancelled.
    pub(super) async fn enter_patiently(&self, stop: &CancellationToken) -> Option<WorkPermit> {
        let place = stop.run_until_cancelled(Arc::clone(&self.places).acquire_owned()).await?;
        Some(WorkPermit { _place: Arc::new(place.ok()?) })
    }
}
