//! The time in the fake workspace.

use std::{sync::Arc, time::Instant};

use jiff::Timestamp;
use myao_core::{
    chat::{MessageTs, instant_after},
    ports::Clock,
};

/// The time at which a workspace starts by default: 5 January 2026, 00:00 UTC.
const DAWN_SECONDS: i64 = 1_767_571_200;

/// The workspace's time. It is a clock of the test, or real time counted from a chosen instant.
pub(super) struct Time {
    clock: Option<Arc<dyn Clock>>,
    base: Timestamp,
    since: Instant,
    /// The last time stamp that was given to a message.
    last: MessageTs,
}

impl Time {
    pub(super) fn new(base: Option<Timestamp>, clock: Option<Arc<dyn Clock>>) -> Self {
        let dawn = Timestamp::from_second(DAWN_SECONDS).unwrap_or(Timestamp::UNIX_EPOCH);
        Self { clock, base: base.unwrap_or(dawn), since: Instant::now(), last: MessageTs::MIN }
    }

    pub(super) fn now(&self) -> Timestamp {
        if let Some(clock) = &self.clock {
            return clock.now();
        }
        instant_after(self.base, self.since.elapsed())
    }

    /// Sets the time to `instant`. From then on it runs like real time.
    ///
    /// # Panics
    /// When the workspace follows a clock of the test, which then has to be moved instead.
    pub(super) fn set(&mut self, instant: Timestamp) {
        assert!(self.clock.is_none(), "this workspace follows a test's clock: move that one");
        (self.base, self.since) = (instant, Instant::now());
    }

    /// A new time stamp for now. Each is greater than the one before.
    pub(super) fn next_ts(&mut self) -> MessageTs {
        let next = MessageTs::from_micros(self.last.as_micros() + 1);
        self.last = MessageTs::from_timestamp(self.now()).max(next);
        self.last
    }

    /// The time stamp of an edit. Slack gives edits whole seconds, so two edits within one second have the same time.
    pub(super) fn edit_ts(&self) -> MessageTs {
        MessageTs::from_micros(self.now().as_second().saturating_mul(1_000_000))
    }
}
