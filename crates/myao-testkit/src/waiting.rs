//! Waits of tests, each with an end: what does not come is told.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use myao_core::ports::Clock as _;
use tokio::{task::yield_now, time::timeout};

use crate::HandClock;

/// The longest that a test waits for anything. A machine that is busy with other tests takes its time.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// How often others get their turn until they have come as far as they can.
const TURNS: usize = 1_000;

/// Runs work to its end.
///
/// # Panics
/// With `what` is waited for, if that takes longer than [`PATIENCE`].
pub async fn within_patience<T>(what: &str, work: impl Future<Output = T>) -> T {
    let Ok(done) = timeout(PATIENCE, work).await else { panic!("waited for {PATIENCE:?}: {what}") };
    done
}

/// Gives others their turn until something holds.
///
/// # Panics
/// With `what` is waited for, if that takes longer than [`PATIENCE`].
pub async fn yield_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let holding = async {
        while !holds().await {
            yield_now().await;
        }
    };
    within_patience(what, holding).await;
}

/// The same for a test without a runtime: gives other threads their turn.
///
/// # Panics
/// With `what` is waited for, if that takes longer than [`PATIENCE`].
pub fn yield_thread_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waited for {PATIENCE:?}: {what}");
        std::thread::yield_now();
    }
}

/// Runs work to its end, and moves the clock to wherever somebody sleeps.
///
/// # Panics
/// With `what` is waited for, if that takes longer than [`PATIENCE`] in real time.
pub async fn run_moving_clock<T>(clock: &HandClock, what: &str, work: impl Future<Output = T>) -> T {
    let moving = async {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = yield_now() => {
                    if let Some(instant) = clock.next_wake() {
                        clock.set(instant.max(clock.now()));
                    }
                }
            }
        }
    };
    within_patience(what, moving).await
}

/// Gives others their turn until each has come as far as it can without anybody's help.
pub async fn let_others_work() {
    for _ in 0..TURNS {
        yield_now().await;
    }
}
