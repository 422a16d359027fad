//! Looks through the threads that sweeps left to be looked through (ADR 20), one after the other. Which they are is a
//! table's rows, so that what a process does not come to is done by the next, or by another one.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, instant_after},
    judgment::Chance,
};
use myao_store::{StoreError, ThreadToRecheck};

use super::{
    progress::SweepProgress,
    threads::recheck_recent_changes,
    trouble::{SweepTrouble, TAKEN, Wait, note_channel_left, wait_after},
};
use crate::{
    keeper::Lease,
    live::{Bell, RunContext, slack::SlackRun},
};

/// What a process claims that looks through threads.
const RECHECKS: &str = "rechecks";

/// A thread, by its channel and root.
type ChannelThread = (ChannelId, MessageTs);

/// What is known of the threads that are to be looked through.
#[derive(Default)]
pub(super) struct Rechecks {
    /// One process looks through all of them: calls are counted for all together.
    lease: Option<Lease>,
    under_way: BTreeSet<ChannelThread>,
    /// Threads that could not be looked through, and are tried again later.
    waits: BTreeMap<ChannelThread, Wait>,
    /// When the rows are read again, if none was left, or another process looks through them: it may have ended.
    none_until: Timestamp,
}

/// How looking through a thread ended.
pub(super) enum RecheckEnd {
    Done,
    /// The run is to end.
    Stopped,
    Failed(SweepTrouble),
}

impl Rechecks {
    /// Something may be left to look through.
    pub(super) fn look_again(&mut self) {
        self.none_until = Timestamp::MIN;
    }

    /// Nothing waits any longer, and something may be left to look through.
    pub(super) fn wait_no_longer(&mut self) {
        self.waits.values_mut().for_each(|wait| wait.until = Timestamp::MIN);
        self.look_again();
    }

    /// When something is to be looked through that had to wait.
    pub(super) fn wait_ends(&self) -> impl Iterator<Item = Timestamp> {
        self.waits.values().map(|wait| wait.until)
    }

    /// The threads that are looked through now, at most `most` at once with those under way. Where none is left, the rows
    /// are read again at `look_again`.
    pub(super) async fn take_next(
        &mut self,
        run: &RunContext,
        most: usize,
        look_again: Timestamp,
    ) -> Result<Vec<ThreadToRecheck>, StoreError> {
        let now = run.clock.steady();
        let free = most.saturating_sub(self.under_way.len());
        if free == 0 || self.none_until > now {
            return Ok(Vec::new());
        }
        // So many may be there and not be free.
        let count = free + self.under_way.len() + self.waits.len();
        let waiting = run.store.hearing().next_threads_to_recheck(count).await?;
        // What another process has done waits no longer.
        self.waits.retain(|(channel, root), wait| {
            wait.until > now || waiting.iter().any(|one| one.channel == *channel && one.root == *root)
        });
        if waiting.is_empty() {
            self.none_until = look_again;
            self.give_up_lease().await;
            return Ok(Vec::new());
        }
        if self.lease.is_none() {
            self.lease = Lease::take(&run.store, &run.clock, RECHECKS).await?;
        }
        if self.lease.is_none() {
            self.none_until = instant_after(now, TAKEN);
            return Ok(Vec::new());
        }
        let is_free = |thread: &ThreadToRecheck| {
            let key = (thread.channel.clone(), thread.root);
            !self.under_way.contains(&key) && self.waits.get(&key).is_none_or(|wait| wait.until <= now)
        };
        let next: Vec<ThreadToRecheck> = waiting.into_iter().filter(is_free).take(free).collect();
        self.under_way.extend(next.iter().map(|thread| (thread.channel.clone(), thread.root)));
        Ok(next)
    }

    /// Lets another process look through them: nothing is left, or this one does not reach Slack, or ends.
    pub(super) async fn give_up_lease(&mut self) {
        if let Some(lease) = self.lease.take()
            && let Err(error) = lease.release().await
        {
            tracing::warn!(%error, subject = RECHECKS, "a claim could not be released; it will expire");
        }
    }

    pub(super) fn note_end(&mut self, slack: &SlackRun, thread: &ChannelThread, end: RecheckEnd) {
        let now = slack.shared.clock.steady();
        self.under_way.remove(thread);
        match end {
            RecheckEnd::Done | RecheckEnd::Stopped => {
                self.waits.remove(thread);
            }
            RecheckEnd::Failed(trouble) => {
                let (channel, root) = thread;
                let wait = self.waits.entry(thread.clone()).or_default();
                wait.attempts = wait.attempts.saturating_add(1);
                let numbers = [now.as_microsecond(), root.as_micros()];
                let share = Chance::new(slack.shared.seed).share(channel.as_str(), numbers);
                wait.until = instant_after(now, wait_after(&trouble, wait.attempts, share));
                tracing::warn!(%channel, %root, error = %trouble, again_at = %wait.until, "a thread could not be rechecked");
            }
        }
    }
}

/// Looks through a thread, unless the run is to end.
pub(super) async fn recheck_thread(
    slack: &SlackRun,
    progress: &SweepProgress,
    thread: &ThreadToRecheck,
) -> RecheckEnd {
    let looking = async {
        slack.waiting.let_askers_pass().await;
        recheck_recent_changes(slack, progress, thread).await?;
        slack.shared.store.hearing().thread_rechecked(thread).await?;
        Ok(())
    };
    match slack.shared.stop.run_until_cancelled(looking).await {
        None => RecheckEnd::Stopped,
        Some(Ok(())) => {
            slack.shared.bells.ring(Bell::Talk);
            RecheckEnd::Done
        }
        Some(Err(trouble)) => end_after(slack, &thread.channel, trouble).await,
    }
}

/// A channel that we left has nothing to look through any more.
async fn end_after(slack: &SlackRun, channel: &ChannelId, trouble: SweepTrouble) -> RecheckEnd {
    if !trouble.is_no_longer_ours() {
        return RecheckEnd::Failed(trouble);
    }
    let left = note_channel_left(slack, channel, &trouble).await;
    left.map_or_else(|error| RecheckEnd::Failed(error.into()), |()| RecheckEnd::Done)
}
