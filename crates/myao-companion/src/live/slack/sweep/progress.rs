//! Logs how far catching up is.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// The shortest time between two log lines.
const TOLD_EVERY: SignedDuration = SignedDuration::from_secs(10);

/// What was fetched since no gap was open.
#[derive(Debug)]
pub(super) struct SweepProgress(Mutex<SweepState>);

#[derive(Debug)]
struct SweepState {
    channels: usize,
    messages: u64,
    told_at: Timestamp,
}

impl SweepProgress {
    pub(super) fn new(now: Timestamp) -> Self {
        Self(Mutex::new(SweepState { channels: 0, messages: 0, told_at: now }))
    }

    /// Notes how many channels have a gap.
    pub(super) fn left(&self, channels: usize) {
        let mut state = self.state();
        if channels == 0 && state.channels > 0 {
            tracing::info!(messages = state.messages, "caught up");
            state.messages = 0;
        }
        state.channels = channels;
    }

    /// Notes how many new messages were fetched.
    pub(super) fn fetched(&self, messages: u64, now: Timestamp) {
        let mut state = self.state();
        state.messages = state.messages.saturating_add(messages);
        if now.duration_since(state.told_at) >= TOLD_EVERY {
            tracing::info!(channels_left = state.channels, messages = state.messages, "catching up");
            state.told_at = now;
        }
    }

    fn state(&self) -> MutexGuard<'_, SweepState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
