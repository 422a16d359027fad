//! Notices that the machine's clock, or the server's, was set, tells it once, and puts right what was stored by the wrong
//! one (ADR 93). Waits in memory go by a clock that nobody sets.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use myao_store::StoreError;

use super::{Bell, LiveError, RunContext};

/// How often the clocks are compared.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(1);
/// A clock that is set by less is drifting, or was read late.
const STEP: SignedDuration = SignedDuration::from_secs(2);

/// Two looks at the clocks that are closer together than this show the same moment.
const AT_ONCE: SignedDuration = SignedDuration::from_millis(500);

/// How far both clocks are ahead of the steady time.
#[derive(Clone, Copy)]
struct ClockLead {
    machine: SignedDuration,
    /// The time that all processes write.
    shared: SignedDuration,
}

impl ClockLead {
    /// `None` if we were held up while we looked, so that the clocks cannot be compared.
    fn now(shared: &RunContext) -> Option<Self> {
        let steady = shared.clock.steady();
        let clock = &shared.clock;
        let now = clock.now();
        let is_at_once = clock.steady().duration_since(steady) < AT_ONCE;
        let ahead = |instant: Timestamp| instant.duration_since(steady);
        is_at_once
            .then(|| Self { machine: ahead(now), shared: ahead(shared.store.hearing().shared_now(now)) })
    }
}

/// Watches until the run is to end.
pub(super) async fn watch_for_steps(shared: Arc<RunContext>) -> Result<(), LiveError> {
    if let Err(error) = put_right_at_start(&shared).await {
        tracing::warn!(%error, "whether a clock was set back before the start cannot be read");
    }
    let mut before = ClockLead::now(&shared);
    while shared.pause(LOOK_EVERY).await {
        let Some(seen) = ClockLead::now(&shared) else { continue };
        let since = before.unwrap_or(seen);
        let machine = seen.machine - since.machine;
        if machine.abs() >= STEP {
            log_time_step("this machine's", machine);
            // The other one is reckoned from this one.
            drop(shared.store.measure_clock_offset(shared.clock.now()).await);
        }
        let Some(now) = ClockLead::now(&shared) else { continue };
        let common = now.shared - since.shared;
        before = Some(now);
        if common.abs() >= STEP && shared.store.is_on_server() {
            log_time_step("the database server's", common);
        }
        if machine <= -STEP || common <= -STEP {
            set_back(&shared).await;
        }
        if machine.abs() >= STEP || common.abs() >= STEP {
            // What is due is another thing now.
            for bell in [Bell::Replies, Bell::Gaps, Bell::Talk] {
                shared.bells.ring_here(bell);
            }
        }
    }
    Ok(())
}

fn log_time_step(whose: &str, by: SignedDuration) {
    let direction = if by.is_negative() { "back" } else { "forward" };
    tracing::warn!(seconds = by.abs().as_secs(), "{whose} clock was set {direction}");
}

/// The clock may have been set back while no process ran.
async fn put_right_at_start(shared: &RunContext) -> Result<(), StoreError> {
    let now = shared.clock.now();
    let later = now.saturating_add(STEP).unwrap_or(now);
    if shared.store.hearing().was_heard_later_than(later).await? {
        tracing::warn!("something was heard later than it is now: a clock was set back since");
        shared.store.hearing().clock_was_set_back(now).await?;
    }
    Ok(())
}

/// Puts right what is stored. While the database fails, this is tried again.
async fn set_back(shared: &RunContext) {
    while let Err(error) = shared.store.hearing().clock_was_set_back(shared.clock.now()).await {
        tracing::warn!(%error, "what waits for an instant may wait too long; trying again");
        if !shared.pause(LOOK_EVERY).await {
            return;
        }
    }
}
