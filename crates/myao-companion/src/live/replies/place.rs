//! One place, answered in order.

use jiff::SignedDuration;
use myao_core::{chat::later, context::Place};
use myao_store::{Claim, StoreError, place_subject};

use super::Answering;
use crate::keeper::Lease;

/// Words that did not fit what was wanted by then are found anew so often in a row; where people edit and delete
/// that fast, they are waited for.
const MOST_MISSES: u32 = 4;
/// For so long.
const AFTER_MISSES: SignedDuration = SignedDuration::from_secs(10);

/// How a worker left its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerOutcome {
    /// Nothing is due there.
    Quiet,
    /// Another process works there, or the database failed.
    LeaveAlone,
}

/// What came of one attempt to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    /// The reply is written, put off or over: on to what is next.
    Made,
    /// It was not wanted any more as the prompt saw it.
    Missed,
    /// The program is stopping.
    Stopped,
}

impl Answering {
    /// Answers in a place until nothing is due there. A failure of the database is logged, not passed on: the
    /// rows stand, and the place is tried again.
    pub(super) async fn work_on(&self, place: &Place) -> WorkerOutcome {
        match self.work_under_lease(place).await {
            Ok(outcome) => outcome,
            Err(StoreError::ClaimLost(subject)) => {
                tracing::warn!(subject, "another process took over");
                WorkerOutcome::LeaveAlone
            }
            Err(error) => {
                tracing::error!(%error, channel = %place.channel, "an answer failed at the database");
                WorkerOutcome::LeaveAlone
            }
        }
    }

    async fn work_under_lease(&self, place: &Place) -> Result<WorkerOutcome, StoreError> {
        let Some(lease) = Lease::take(&self.store, &self.clock, &place_subject(place)).await? else {
            return Ok(WorkerOutcome::LeaveAlone);
        };
        let worked = self.work(&lease.claim, place).await;
        let released = lease.release().await;
        worked.and(released).map(|()| WorkerOutcome::Quiet)
    }

    async fn work(&self, claim: &Claim, place: &Place) -> Result<(), StoreError> {
        let mut misses = 0;
        while !self.stop.is_cancelled() {
            // Read under the lease: what another process did before is done.
            if let Some(reply) = self.store.unfinished_reply(place).await? {
                if !reply.is_due(self.clock.now()) {
                    return Ok(());
                }
                self.deliver(claim, reply).await?;
                continue;
            }
            let Some(reply) = self.store.wanted_reply(place, self.clock.now()).await? else { return Ok(()) };
            match self.find_words(claim, &reply).await? {
                AttemptOutcome::Made => misses = 0,
                AttemptOutcome::Missed if misses < MOST_MISSES => misses += 1,
                AttemptOutcome::Missed => {
                    let (now, until) = (self.clock.now(), later(self.clock.now(), AFTER_MISSES));
                    let reason = "what it would have answered keeps changing";
                    self.store.put_off_reply(claim, reply.id, until, reason, now).await?;
                }
                AttemptOutcome::Stopped => return Ok(()),
            }
        }
        Ok(())
    }
}
