//! Time that somebody wants to pass, as a task of the run: it goes on while nobody looks, until that time has come or
//! somebody stops it.

use std::{
    convert::Infallible,
    sync::{MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{chat::instant_after, ports::Clock as _};
use myao_store::{LocalProgress, StoreError};

use super::{LONGEST_PASS, LocalWorkspace};

/// How far a stretch of time has come that somebody wants to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassingState {
    /// It passes.
    UnderWay,
    /// All of it has passed.
    Over,
    /// Somebody stopped it on the way.
    Stopped,
    /// The database failed on the way.
    Failed,
}

/// A stretch of time that somebody wants to pass, and what has happened in it so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimePassing {
    /// When it began.
    pub from: Timestamp,
    /// The time that it has come to.
    pub now: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// How far it has come.
    pub state: PassingState,
    /// What was remembered meanwhile.
    pub progress: LocalProgress,
    /// The last entry of the journal before it began; `None` until that is known.
    pub(super) journal: Option<i64>,
}

impl TimePassing {
    /// Whether time passes still.
    pub fn is_under_way(&self) -> bool {
        self.state == PassingState::UnderWay
    }
}

impl LocalWorkspace {
    /// Has `span` pass, from now on or after what is passing already; at most [`LONGEST_PASS`] from now. The run does it
    /// ([`run_local_workspace`](super::run_local_workspace)).
    pub fn ask_to_pass(&self, span: SignedDuration) {
        let now = self.clock.now();
        let mut passing = self.lock_time_passing();
        let under_way = passing.take().filter(TimePassing::is_under_way);
        let wanted = under_way.unwrap_or(TimePassing {
            from: now,
            now,
            until: now,
            state: PassingState::UnderWay,
            progress: LocalProgress::default(),
            journal: None,
        });
        let until = instant_after(wanted.until, span).clamp(now, instant_after(now, LONGEST_PASS));
        *passing = Some(TimePassing { until, ..wanted });
        drop(passing);
        self.time_wanted.notify_one();
        self.note_change();
    }

    /// Stops what passes, at the time that has been reached.
    pub fn stop_passing(&self) {
        self.end_passing(PassingState::Stopped);
    }

    /// The stretch of time that passes, or the last one that did; `None` if there was none since the program was started.
    pub fn time_passing(&self) -> Option<TimePassing> {
        self.lock_time_passing().clone()
    }

    /// Lets time pass whenever that is asked for.
    pub(super) async fn pass_time_when_asked(&self) -> Infallible {
        loop {
            self.time_wanted.notified().await;
            if let Err(error) = self.pass_what_is_wanted().await {
                tracing::error!(%error, "time cannot pass; it stays where it is until somebody asks again");
                self.end_passing(PassingState::Failed);
            }
        }
    }

    async fn pass_what_is_wanted(&self) -> Result<(), StoreError> {
        let journal = self.store.local().newest_journal_entry().await?;
        if let Some(passing) = self.lock_time_passing().as_mut() {
            passing.journal.get_or_insert(journal);
        }
        self.advance(&|| self.wanted_time()).await?;
        self.end_passing(PassingState::Over);
        Ok(())
    }

    /// The time that is to be reached; `None` if nothing passes.
    fn wanted_time(&self) -> Option<Timestamp> {
        self.lock_time_passing()
            .as_ref()
            .filter(|passing| passing.is_under_way())
            .map(|passing| passing.until)
    }

    /// Counts what was remembered since time began to pass.
    pub(super) async fn count_what_happened(&self) -> Result<(), StoreError> {
        let wanted = self.time_passing().filter(TimePassing::is_under_way);
        let Some(journal) = wanted.and_then(|passing| passing.journal) else { return Ok(()) };
        let progress = self.store.local().progress_since(journal).await?;
        let now = self.clock.now();
        if let Some(passing) = self.lock_time_passing().as_mut().filter(|passing| passing.is_under_way()) {
            passing.progress = progress;
            passing.now = now;
        }
        self.note_change();
        Ok(())
    }

    fn end_passing(&self, state: PassingState) {
        let now = self.clock.now();
        if let Some(passing) = self.lock_time_passing().as_mut().filter(|passing| passing.is_under_way()) {
            // Somebody may have asked for more at the last moment.
            if state == PassingState::Over && now < passing.until {
                return;
            }
            passing.state = state;
            passing.now = now;
        }
        self.note_change();
    }

    fn lock_time_passing(&self) -> MutexGuard<'_, Option<TimePassing>> {
        self.time_passing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
