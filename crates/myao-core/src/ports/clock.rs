//! The port to the clock.

use jiff::Timestamp;
use std::pin::Pin;

/// A future that owns what it needs, or borrows it for `'a`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The clock behind every tick, backoff and spacing. Tests move it by hand.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> Timestamp;
    /// Returns once `now() >= instant`.
    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()>;
    /// An instant on a clock that nobody sets: it showed the same as [`Clock::now`] when the process began, and runs on
    /// evenly while the other is set. For waits that are kept as instants; it is stored nowhere and shown to nobody.
    fn steady(&self) -> Timestamp {
        self.now()
    }
    /// Returns once `steady() >= instant`.
    fn sleep_until_steady(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = instant.duration_since(self.steady());
        self.sleep_until(self.now().saturating_add(wait).unwrap_or(Timestamp::MAX))
    }
}
