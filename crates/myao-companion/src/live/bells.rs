//! Notifications between the tasks of a run, and between the processes that share one.
//!
//! A bell only says that it is worth reading the rows again. Where processes share the work, what rings here is told to the
//! others as well, if the server passes hints on; a lost hint costs a few seconds (`looks_every`).

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use jiff::SignedDuration;
use tokio::sync::{Notify, watch};

use super::{LiveError, RunContext};

/// The shortest time between two hints to other processes: a flood of bells becomes one hint.
const TOLD_EVERY: SignedDuration = SignedDuration::from_millis(100);
/// The wait before listening to other processes is tried again.
const LISTEN_AGAIN: SignedDuration = SignedDuration::from_mins(1);

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bell {
    /// Replies are wanted.
    Replies,
    /// Gaps are open.
    Gaps,
    /// Messages came, changed or were deleted: for judgments and memories.
    Talk,
    /// Commands or buttons want an answer.
    Interactions,
    /// Answers were stopped that may be under way.
    Stops,
}

impl Bell {
    const ALL: [Self; 5] = [Self::Replies, Self::Gaps, Self::Talk, Self::Interactions, Self::Stops];

    /// The letter by which other processes are told.
    const fn letter(self) -> char {
        match self {
            Self::Replies => 'r',
            Self::Gaps => 'g',
            Self::Talk => 't',
            Self::Interactions => 'i',
            Self::Stops => 's',
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Replies => 1,
            Self::Gaps => 2,
            Self::Talk => 4,
            Self::Interactions => 8,
            Self::Stops => 16,
        }
    }
}

/// Notifications between tasks.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    /// Replies are wanted.
    pub(crate) replies: Notify,
    /// Gaps are open.
    pub(crate) gaps: Notify,
    /// Messages came, changed or were deleted: for judgments.
    pub(crate) talk: Notify,
    /// The same, for memories.
    pub(crate) memory: Notify,
    /// Commands or buttons want an answer.
    pub(crate) interactions: Notify,
    /// Answers were stopped: each that is under way looks whether it is meant.
    pub(crate) stops: watch::Sender<()>,
    /// What other processes are still to be told.
    to_tell: AtomicU8,
    /// There is something to tell them.
    telling: Notify,
}

impl Bells {
    /// Notifies the tasks of this process and, if there are any, the other processes.
    pub(crate) fn ring(&self, bell: Bell) {
        self.ring_here(bell);
        self.to_tell.fetch_or(bell.bit(), Ordering::SeqCst);
        self.telling.notify_one();
    }

    /// Notifies the tasks of this process.
    pub(crate) fn ring_here(&self, bell: Bell) {
        match bell {
            Bell::Replies => self.replies.notify_one(),
            Bell::Gaps => self.gaps.notify_one(),
            Bell::Talk => {
                self.talk.notify_one();
                self.memory.notify_one();
            }
            Bell::Interactions => self.interactions.notify_one(),
            Bell::Stops => self.stops.send_modify(|()| {}),
        }
    }

    /// Takes what other processes are still to be told, as letters.
    fn take(&self) -> String {
        let bits = self.to_tell.swap(0, Ordering::SeqCst);
        Bell::ALL.into_iter().filter(|bell| bits & bell.bit() != 0).map(Bell::letter).collect()
    }
}

/// Tells the other processes what rings here, until the run is to end.
pub(super) async fn tell_other_processes(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let telling = async {
        loop {
            shared.bells.telling.notified().await;
            let what = shared.bells.take();
            if !what.is_empty()
                && let Err(error) = shared.store.wake_others(&what).await
            {
                tracing::debug!(%error, "other processes were not woken; they look again by themselves");
            }
            if !shared.pause(TOLD_EVERY).await {
                break;
            }
        }
    };
    shared.stop.run_until_cancelled(telling).await;
    Ok(())
}

/// Rings here what other processes tell, until the run is to end.
pub(super) async fn listen_to_other_processes(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let listening = async {
        loop {
            match shared.store.listen_for_hints().await {
                Ok(Some(mut waking)) => {
                    // Something may have been said while nobody listened.
                    for bell in Bell::ALL {
                        shared.bells.ring_here(bell);
                    }
                    while let Ok(what) = waking.next_hint().await {
                        for bell in Bell::ALL.into_iter().filter(|bell| what.contains(bell.letter())) {
                            shared.bells.ring_here(bell);
                        }
                    }
                }
                Ok(None) => {
                    tracing::info!("the server passes no hints on; rows are looked at every few seconds");
                }
                Err(error) => tracing::debug!(%error, "other processes cannot be heard; trying again"),
            }
            // When the run is to end, nothing in here waits any more: without this the loop would run for ever.
            if !shared.pause(LISTEN_AGAIN).await {
                break;
            }
        }
    };
    shared.stop.run_until_cancelled(listening).await;
    Ok(())
}
