//! Answers in one place, in order.

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, later},
    context::Place,
};
use myao_store::{Claim, Sight, StoreError, place_subject};

use super::Answering;
use crate::keeper::Lease;

/// How often in a row an answer is written anew because messages changed meanwhile.
const MOST_MISSES: u32 = 4;
/// How long the place waits after `MOST_MISSES`.
const AFTER_MISSES: SignedDuration = SignedDuration::from_secs(10);
/// How long a reply waits for the lookup of its channel: longer than two calls take, shorter than people wait.
const LONGEST_LOOKUP: SignedDuration = SignedDuration::from_secs(5);

/// How a worker left its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerOutcome {
    /// Nothing is due there.
    Quiet,
    /// Another process works there, or the database failed.
    LeaveAlone,
}

/// The result of one attempt to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    /// The reply is written, put off or over: the next one follows.
    Made,
    /// What the prompt showed has changed meanwhile, so that the answer was not written.
    Missed,
    /// The program is stopping.
    Stopped,
}

impl Answering {
    /// Answers in a place until nothing is due there. An error of the database is logged and not passed on: the place is
    /// tried again later.
    pub(super) async fn work_on(&self, place: &Place) -> WorkerOutcome {
        match self.work_under_lease(place).await {
            Ok(outcome) => outcome,
            Err(StoreError::ClaimLost(subject)) => {
                tracing::warn!(subject, "another process took over the replies of a place");
                WorkerOutcome::LeaveAlone
            }
            Err(error) => {
                tracing::error!(%error, channel = %place.channel, "the database failed during an answer");
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
            // Read under the lease, so that it includes what another process did before.
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

    /// Waits until the channel is looked up, its lookup fails, or a few seconds are over. An answer for a channel that is
    /// not looked up is written as if people from outside took part in it (SPEC §6).
    pub(super) async fn know(&self, channel: &ChannelId) -> Result<(), StoreError> {
        let Some(lookups) = &self.lookups else { return Ok(()) };
        if self.store.sight(channel).await? != Sight::Unknown {
            return Ok(());
        }
        let (until, mut ended) = (later(self.clock.now(), LONGEST_LOOKUP), lookups.ended());
        lookups.want_first(channel);
        while self.store.sight(channel).await? == Sight::Unknown && !lookups.was_in_vain(channel) {
            tokio::select! {
                _ = ended.changed() => {}
                () = self.clock.sleep_until(until) => break,
                () = self.stop.cancelled() => break,
            }
        }
        Ok(())
    }
}
