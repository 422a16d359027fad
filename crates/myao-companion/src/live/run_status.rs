//! The state of a run, which its tasks report and the health page shows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use myao_slack::socket::Pulse;

use super::RepliesAtWork;

/// The state of a run.
#[derive(Debug, Default)]
pub struct RunStatus {
    report: Mutex<RunReport>,
    replies_at_work: RepliesAtWork,
}

#[derive(Debug, Default)]
struct RunReport {
    is_connected: bool,
    pulse: Option<Pulse>,
    /// The last thing that went wrong since Slack was last connected.
    trouble: Option<String>,
    /// Deliveries that are not stored yet.
    waiting: u64,
    waiting_since: Option<Timestamp>,
    /// Channels with a gap.
    gaps: u64,
    /// When about the last of them is closed; `None` if that is soon.
    caught_up_at: Option<Timestamp>,
}

impl RunStatus {
    /// Counts the replies that are worked on.
    pub fn replies_at_work(&self) -> &RepliesAtWork {
        &self.replies_at_work
    }

    /// Sets whether a socket to Slack is connected. A connection ends the trouble.
    pub fn set_connected(&self, is_connected: bool) {
        let mut report = self.report();
        report.is_connected = is_connected;
        if is_connected {
            report.trouble = None;
        }
    }

    /// Whether a socket to Slack is connected.
    pub fn is_connected(&self) -> bool {
        self.report().is_connected
    }

    /// Sets what goes wrong.
    pub fn set_trouble(&self, why: String) {
        self.report().trouble = Some(why);
    }

    /// What goes wrong, if anything does.
    pub fn trouble(&self) -> Option<String> {
        self.report().trouble.clone()
    }

    /// Sets where to read when Slack was last heard.
    pub fn set_pulse(&self, pulse: Pulse) {
        self.report().pulse = Some(pulse);
    }

    /// When Slack was last heard.
    pub fn last_heard(&self) -> Option<Timestamp> {
        self.report().pulse.as_ref().and_then(Pulse::last_heard)
    }

    /// Sets how many deliveries are not stored yet; they wait since `now`.
    pub fn set_waiting(&self, deliveries: u64, now: Timestamp) {
        let mut report = self.report();
        report.waiting = deliveries;
        report.waiting_since = (deliveries > 0).then_some(now);
    }

    /// How many deliveries are not stored yet.
    pub fn waiting(&self) -> u64 {
        self.report().waiting
    }

    /// Since when deliveries wait to be stored; `None` while none does.
    pub fn waiting_since(&self) -> Option<Timestamp> {
        self.report().waiting_since
    }

    /// Sets how many channels have a gap, and when about the last of them is closed; `None` if that is soon.
    pub fn set_gaps(&self, channels: u64, caught_up_at: Option<Timestamp>) {
        let mut report = self.report();
        report.gaps = channels;
        report.caught_up_at = caught_up_at;
    }

    /// When about the last gap is closed; `None` if that is soon.
    pub fn caught_up_at(&self) -> Option<Timestamp> {
        self.report().caught_up_at
    }

    /// How many channels have a gap.
    pub fn gaps(&self) -> u64 {
        self.report().gaps
    }

    fn report(&self) -> MutexGuard<'_, RunReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
