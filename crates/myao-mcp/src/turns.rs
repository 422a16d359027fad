//! Lets replies in the chat pass before searches of agents.
//!
//! A search takes a processor's time, and a reply is waited for by people. So searches leave one processor free, and none
//! begins while a reply is worked on; but where replies never end, searches do go on.

use std::{num::NonZero, thread, time::Duration};

use myao_companion::live::RepliesAtWork;
use myao_core::ports::Clock;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::transport::wait;

/// The longest time that a search waits for replies.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// Takes searches one after the other, as many at a time as leave a processor free.
pub(crate) struct SearchTurns {
    turns: Semaphore,
    replies: RepliesAtWork,
}

/// A search's turn.
pub(crate) struct SearchTurn<'a> {
    /// `None` only where the turns were closed, which they never are.
    _turn: Option<SemaphorePermit<'a>>,
}

impl SearchTurns {
    pub(crate) fn new(replies: RepliesAtWork) -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Self { turns: Semaphore::new(processors.saturating_sub(1).max(1)), replies }
    }

    /// Waits for a turn, and then for replies that are worked on.
    pub(crate) async fn take(&self, clock: &dyn Clock) -> SearchTurn<'_> {
        let turn = self.turns.acquire().await.ok();
        tokio::select! {
            biased;
            () = self.replies.wait_for_none() => {}
            () = wait(clock, LONGEST_WAIT) => {}
        }
        SearchTurn { _turn: turn }
    }
}
