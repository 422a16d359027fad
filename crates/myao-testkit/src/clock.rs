//! A clock that tests move by hand.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use jiff::{SignedDuration, Timestamp, TimestampArithmetic};
use myao_core::ports::{BoxFuture, Clock};

/// A clock that stands still until a test moves it. Clones show the same time.
#[derive(Clone, Debug)]
pub struct HandClock(Arc<Mutex<Hand>>);

#[derive(Debug)]
struct Hand {
    now: Timestamp,
    /// How far the steady time is ahead of `now`: it goes on where the clock is set back.
    ahead: SignedDuration,
    next_id: u64,
    sleepers: BTreeMap<u64, Sleeper>,
}

#[derive(Debug)]
struct Sleeper {
    /// In steady time: who sleeps is not disturbed by a clock that is set.
    until: Timestamp,
    /// `None` until it has been polled.
    waker: Option<Waker>,
}

impl HandClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Hand {
            now,
            ahead: SignedDuration::ZERO,
            next_id: 0,
            sleepers: BTreeMap::new(),
        })))
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

    /// Moves the clock to `instant` and wakes the sleepers whose time has come. If that is in the past, the clock is set
    /// back, as real ones are: no time passes by that.
    pub fn set(&self, instant: Timestamp) {
        let mut hand = self.lock();
        if instant < hand.now {
            let back = hand.now.duration_since(instant);
            hand.ahead += back;
        }
        hand.now = instant;
        let steady = hand.steady();
        let due: Vec<Sleeper> =
            hand.sleepers.extract_if(.., |_, sleeper| sleeper.until <= steady).map(|(_, s)| s).collect();
        drop(hand);
        due.into_iter().filter_map(|sleeper| sleeper.waker).for_each(Waker::wake);
    }

    /// The instant at which the next sleeper wakes; `None` when nobody sleeps.
    pub fn next_wake(&self) -> Option<Timestamp> {
        let hand = self.lock();
        hand.sleepers.values().map(|sleeper| sleeper.until - hand.ahead).min()
    }

    /// The number of sleepers. A sleep counts from the call of `sleep_until` until it is over or dropped.
    pub fn sleepers(&self) -> usize {
        self.lock().sleepers.len()
    }

    fn lock(&self) -> MutexGuard<'_, Hand> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hand {
    fn steady(&self) -> Timestamp {
        self.now + self.ahead
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        self.lock().now
    }

    fn steady(&self) -> Timestamp {
        self.lock().steady()
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let mut hand = self.lock();
        let id = hand.next_id;
        hand.next_id += 1;
        if hand.now < instant {
            let until = instant.saturating_add(hand.ahead).unwrap_or(Timestamp::MAX);
            hand.sleepers.insert(id, Sleeper { until, waker: None });
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
