//! A clock that tests move by hand.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use jiff::{Timestamp, TimestampArithmetic};
use myao_core::ports::{BoxFuture, Clock};

/// A clock that stands still until a test moves it. Clones show the same time.
#[derive(Clone, Debug)]
pub struct HandClock(Arc<Mutex<Hand>>);

#[derive(Debug)]
struct Hand {
    now: Timestamp,
    next_id: u64,
    sleepers: BTreeMap<u64, Sleeper>,
}

#[derive(Debug)]
struct Sleeper {
    until: Timestamp,
    /// `None` until it has been polled.
    waker: Option<Waker>,
}

impl HandClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Hand { now, next_id: 0, sleepers: BTreeMap::new() })))
    }

    /// Moves the clock by `span` (a `SignedDuration`, a `std::time::Duration`, or a `Span` of hours and less) and wakes
    /// the sleepers whose time has come.
    ///
    /// # Panics
    /// When the result is out of range, or the span has days or longer units.
    pub fn advance(&self, span: impl Into<TimestampArithmetic>) {
        match self.now().checked_add(span) {
            Ok(instant) => self.set(instant),
            Err(e) => panic!("the clock cannot be moved by this: {e}"),
        }
    }

    /// Moves the clock to `instant`, which may be in the past as with real clocks, and wakes the sleepers whose time
    /// has come.
    pub fn set(&self, instant: Timestamp) {
        let mut hand = self.lock();
        hand.now = instant;
        let due: Vec<Sleeper> =
            hand.sleepers.extract_if(.., |_, sleeper| sleeper.until <= instant).map(|(_, s)| s).collect();
        drop(hand);
        due.into_iter().filter_map(|sleeper| sleeper.waker).for_each(Waker::wake);
    }

    /// The instant at which the next sleeper wakes; `None` when nobody sleeps.
    pub fn next_wake(&self) -> Option<Timestamp> {
        self.lock().sleepers.values().map(|sleeper| sleeper.until).min()
    }

    /// The number of sleepers. A sleep counts from the call of `sleep_until` until it is over or dropped.
    pub fn sleepers(&self) -> usize {
        self.lock().sleepers.len()
    }

    fn lock(&self) -> MutexGuard<'_, Hand> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        self.lock().now
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let mut hand = self.lock();
        let id = hand.next_id;
        hand.next_id += 1;
        if hand.now < instant {
            hand.sleepers.insert(id, Sleeper { until: instant, waker: None });
        }
        drop(hand);
        Box::pin(Sleep { clock: self.clone(), id })
    }
}

/// A sleep in progress. It is over once the clock has removed it from its list.
struct Sleep {
    clock: HandClock,
    id: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.clock.lock().sleepers.get_mut(&self.id) {
            Some(sleeper) => {
                sleeper.waker = Some(cx.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clock.lock().sleepers.remove(&self.id);
    }
}
