//! Provides a clock that people can move on.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    ports::{BoxFuture, Clock},
};
use tokio::sync::watch;

/// A clock that runs with another one and can be moved on: a task that sleeps until an instant that is passed over
/// wakes.
pub struct MovableClock {
    base: Arc<dyn Clock>,
    /// How far it is ahead of `base`.
    ahead: watch::Sender<SignedDuration>,
}

impl MovableClock {
    /// A clock that shows what `base` shows, until it is moved.
    pub fn new(base: Arc<dyn Clock>) -> Self {
        Self { base, ahead: watch::Sender::new(SignedDuration::ZERO) }
    }

    /// The clock it runs with, which nobody moves: for waits in real time.
    pub fn base(&self) -> &Arc<dyn Clock> {
        &self.base
    }

    /// Moves it on to `instant`. It never goes back.
    pub fn move_to(&self, instant: Timestamp) {
        let now = self.base.now();
        self.ahead.send_modify(|ahead| *ahead = (*ahead).max(instant.duration_since(now)));
    }
}

impl Clock for MovableClock {
    fn now(&self) -> Timestamp {
        instant_after(self.base.now(), *self.ahead.borrow())
    }

    fn steady(&self) -> Timestamp {
        instant_after(self.base.steady(), *self.ahead.borrow())
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let base = Arc::clone(&self.base);
        let mut moves = self.ahead.subscribe();
        Box::pin(async move {
            loop {
                let ahead = *moves.borrow_and_update();
                let rings = instant.saturating_sub(ahead).unwrap_or(Timestamp::MIN);
                tokio::select! {
                    () = base.sleep_until(rings) => return,
                    Ok(()) = moves.changed() => {}
                }
            }
        })
    }
}
