//! How a run stands: what the health page shows.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use jiff::Timestamp;
use myao_slack::socket::Pulse;

/// How a run stands, told by its tasks.
#[derive(Debug, Default)]
pub struct RunStatus {
    connected: AtomicBool,
    /// Messages delivered and not stored yet.
    waiting: AtomicU64,
    /// Channels with a gap.
    gaps: AtomicU64,
    told: Mutex<RunReport>,
}

#[derive(Debug, Default)]
struct RunReport {
    pulse: Option<Pulse>,
    /// The last thing that went wrong with the connection; none while it stands.
    trouble: Option<String>,
    /// Since when deliveries wait; none while none does.
    waiting_since: Option<Timestamp>,
    /// The last batch that was stored.
    stored_at: Option<Timestamp>,
}

impl RunStatus {
    /// Somebody listens, or nobody does.
    pub fn connected(&self, connected: bool) {
        self.connected.store(connected, Ordering::Relaxed);
        if connected {
            self.told().trouble = None;
        }
    }

    /// Whether somebody listens.
    pub fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Why nobody listens.
    pub fn trouble(&self, why: String) {
        self.told().trouble = Some(why);
    }

    /// Why nobody listens, if that is known.
    pub fn why_not(&self) -> Option<String> {
        self.told().trouble.clone()
    }

    /// The socket's proof of life.
    pub fn listens_by(&self, pulse: Pulse) {
        self.told().pulse = Some(pulse);
    }

    /// When Slack was last heard.
    pub fn last_heard(&self) -> Option<Timestamp> {
        self.told().pulse.as_ref().and_then(Pulse::last_heard)
    }

    /// So many deliveries wait to be stored, from now on; what waited before does not any more.
    pub fn waiting(&self, deliveries: u64, now: Timestamp) {
        self.waiting.store(deliveries, Ordering::Relaxed);
        self.told().waiting_since = (deliveries > 0).then_some(now);
    }

    /// Deliveries that wait to be stored.
    pub fn deliveries_waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Since when these wait; none while none does. A quiet night is no lag.
    pub fn waiting_since(&self) -> Option<Timestamp> {
        self.told().waiting_since
    }

    /// Everything delivered so far is stored.
    pub fn stored(&self, now: Timestamp) {
        self.told().stored_at = Some(now);
    }

    /// When something was last stored.
    pub fn stored_at(&self) -> Option<Timestamp> {
        self.told().stored_at
    }

    /// So many channels have a gap that is not filled yet.
    pub fn gaps(&self, channels: u64) {
        self.gaps.store(channels, Ordering::Relaxed);
    }

    /// Channels with a gap.
    pub fn open_gaps(&self) -> u64 {
        self.gaps.load(Ordering::Relaxed)
    }

    fn told(&self) -> MutexGuard<'_, RunReport> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
