//! The clocks and the randomness that everything outside of tests uses. No other module reads them (clippy.toml).

#![expect(clippy::disallowed_methods, reason = "this is the module that reads the time")]

use std::{sync::LazyLock, time::Instant};

use jiff::Timestamp;
use myao_core::{
    chat::instant_after,
    ports::{BoxFuture, Clock},
};

/// When the process first looked at its clocks.
static BEGAN: LazyLock<(Timestamp, Instant)> = LazyLock::new(|| (Timestamp::now(), Instant::now()));

/// The machine's clock. What it shows may be set while we run; its steady time goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = instant.duration_since(Timestamp::now());
        // A past instant gives a negative span: do not wait.
        let wait = std::time::Duration::try_from(wait).unwrap_or_default();
        Box::pin(tokio::time::sleep(wait))
    }

    fn steady(&self) -> Timestamp {
        let (began, at) = *BEGAN;
        began.saturating_add(at.elapsed()).unwrap_or(Timestamp::MAX)
    }
}

/// A clock with a fixed offset from the machine's. With it, the demo runs in the days that its sample was written for.
#[derive(Clone, Copy, Debug)]
pub struct ShiftedClock {
    offset: jiff::SignedDuration,
}

impl ShiftedClock {
    /// A clock on which it is `instant` now.
    pub fn starting_at(instant: Timestamp) -> Self {
        Self { offset: instant.duration_since(Timestamp::now()) }
    }
}

impl Clock for ShiftedClock {
    fn now(&self) -> Timestamp {
        instant_after(Timestamp::now(), self.offset)
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        SystemClock.sleep_until(instant.saturating_sub(self.offset).unwrap_or(Timestamp::MAX))
    }

    fn steady(&self) -> Timestamp {
        instant_after(SystemClock.steady(), self.offset)
    }
}

/// A random number.
pub(crate) fn random_seed() -> u64 {
    fastrand::u64(..)
}

/// Draws bytes that nobody can guess, for the sessions and forms of the pages.
#[expect(
    clippy::expect_used,
    reason = "a system without randomness cannot sign anybody in, and must not pretend to"
)]
pub(crate) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}
