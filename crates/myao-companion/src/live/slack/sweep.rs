//! Fetches messages that were missed, page by page (specification §4 catch-up, design §2).
//!
//! Gaps are rows (`myao_store::Gap`); this module schedules their sweeps. `fill` sweeps one channel, `threads` its
//! threads, `absent` takes what they no longer list for deleted, `trouble` classifies failures, `progress` logs how far it is.
//!
//! Sweeps begin only while Slack is connected: what is said after a gap is closed must be heard.

mod absent;
mod fill;
mod progress;
mod reread;
mod threads;
mod trouble;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs, instant_after},
    judgment::Chance,
};
use myao_store::StoreError;
use tokio::task::{JoinError, JoinSet};

pub(super) use self::fill::want_files;
use self::{
    fill::Sweep,
    progress::SweepProgress,
    trouble::{SweepTrouble, wait_after},
};
use super::SlackRun;
use crate::{
    keeper::Lease,
    live::{Bell, LiveError, Lookup, RunContext, looks_every},
};

/// The most concurrent sweeps. Slack's rate limit is reached before this number matters.
const AT_ONCE: usize = 4;
/// The most concurrent sweeps of long gaps, so that a channel where people wait need not wait for a backfill.
const LONG_AT_ONCE: usize = 3;
/// Threads are rechecked only while fewer sweeps and rechecks than this are running.
const RECHECKS_AT_ONCE: usize = 2;
/// The length from which on a gap counts as long.
const LONG: SignedDuration = SignedDuration::from_hours(24);
/// How often gaps are read from the database without a notification.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// The flag of a channel in which so much is missing that it is not taken for deleted.
const MUCH_IS_MISSING: &str =
    "many messages are missing in Slack's history; they are kept: deleted, or only hidden?";
/// How long a channel waits while another process sweeps it.
const TAKEN: SignedDuration = SignedDuration::from_secs(5);

/// Fills gaps as they open, until the run is to end.
pub(super) async fn fill_gaps(slack: Arc<SlackRun>) -> Result<(), LiveError> {
    know_opt_outs(&slack).await?;
    let mut scheduler = SweepScheduler::new(slack);
    while !scheduler.slack.shared.stop.is_cancelled() {
        let wait_until = scheduler.start_due_sweeps().await;
        let RunContext { bells, clock, stop, .. } = &*scheduler.slack.shared;
        tokio::select! {
            () = stop.cancelled() => {}
            () = clock.sleep_until_steady(wait_until) => {}
            // Something is new, perhaps that Slack is reached again: nothing waits any longer.
            () = bells.gaps.notified() => scheduler.waits.values_mut().for_each(|wait| wait.until = Timestamp::MIN),
            Some(ended) = scheduler.tasks.join_next() => scheduler.note_end(ended)?,
        }
    }
    // They end by themselves and release their leases.
    while scheduler.tasks.join_next().await.is_some() {}
    Ok(())
}

/// Waits until names were looked up, if somebody opted out by a name that nobody has yet, so that what that person said
/// before is not fetched into the archive.
async fn know_opt_outs(slack: &SlackRun) -> Result<(), LiveError> {
    if slack.shared.store.hearing().opt_outs_with_counts().await?.iter().any(|one| one.ids.is_empty()) {
        slack.shared.stop.run_until_cancelled(slack.lookups.overview_tried()).await;
    }
    Ok(())
}

/// Schedules sweeps and rechecks.
struct SweepScheduler {
    slack: Arc<SlackRun>,
    progress: Arc<SweepProgress>,
    tasks: JoinSet<(ChannelId, SweepEnd)>,
    /// Channels that are being swept, and whether their gap is long.
    under_way: BTreeMap<ChannelId, bool>,
    /// The roots of threads that are still to be rechecked for edits and deletions, by channel.
    lively: BTreeMap<ChannelId, Vec<MessageTs>>,
    /// Channels that are not swept for a while.
    waits: BTreeMap<ChannelId, Wait>,
}

#[derive(Clone, Copy, Default)]
struct Wait {
    attempts: u32,
    until: Timestamp,
}

/// How a sweep ended.
enum SweepEnd {
    /// The gap is closed or was opened anew; the database tells which.
    Swept {
        /// The roots of threads that are still to be rechecked.
        lively: Vec<MessageTs>,
    },
    /// A thread was rechecked, or a changed history read again.
    Rechecked,
    /// Another process sweeps the channel.
    Taken,
    /// The run is to end.
    Stopped,
    Failed(SweepTrouble),
}

impl SweepScheduler {
    fn new(slack: Arc<SlackRun>) -> Self {
        let progress = Arc::new(SweepProgress::new(slack.shared.clock.now()));
        Self {
            slack,
            progress,
            tasks: JoinSet::new(),
            under_way: BTreeMap::new(),
            lively: BTreeMap::new(),
            waits: BTreeMap::new(),
        }
    }

    /// Starts sweeps of the gaps that may be filled now, the youngest first. Returns when to look again.
    async fn start_due_sweeps(&mut self) -> Timestamp {
        let now = self.slack.shared.clock.steady();
        let look_again = instant_after(now, looks_every(&self.slack.shared.store, LOOK_EVERY));
        let gaps = match self.slack.shared.store.hearing().gaps().await {
            Ok(gaps) => gaps,
            Err(error) => {
                tracing::error!(%error, "gaps cannot be read");
                return look_again;
            }
        };
        self.slack.shared.status.set_gaps(u64::try_from(gaps.len()).unwrap_or(u64::MAX));
        self.progress.left(gaps.len());
        let changed = self.changed_histories().await;
        self.waits.retain(|channel, _| {
            gaps.iter().any(|gap| gap.channel == *channel) || changed.iter().any(|(id, _)| id == channel)
        });
        if !self.slack.shared.status.is_connected() {
            return look_again;
        }
        let old = MessageTs::from_timestamp(now.saturating_sub(LONG).unwrap_or(now));
        for gap in gaps {
            let waits = self.waits.get(&gap.channel).is_some_and(|wait| wait.until > now);
            if waits || self.under_way.contains_key(&gap.channel) {
                continue;
            }
            let is_long = gap.from < old;
            let long = self.under_way.values().filter(|is_long| **is_long).count();
            if self.under_way.len() >= AT_ONCE || (is_long && long >= LONG_AT_ONCE) {
                break;
            }
            self.under_way.insert(gap.channel.clone(), is_long);
            self.tasks.spawn(fill_under_lease(
                Arc::clone(&self.slack),
                Arc::clone(&self.progress),
                gap.channel,
            ));
        }
        self.read_again(changed, now);
        self.start_rechecks();
        self.waits
            .values()
            .map(|wait| wait.until)
            .filter(|until| *until > now)
            .fold(look_again, Timestamp::min)
    }

    async fn changed_histories(&self) -> Vec<(ChannelId, MessageTs)> {
        let changed = self.slack.shared.store.hearing().channels_to_read_again().await;
        changed.unwrap_or_else(|error| {
            tracing::error!(%error, "changed histories cannot be read");
            Vec::new()
        })
    }

    /// Starts reading histories again that were changed at once.
    fn read_again(&mut self, changed: Vec<(ChannelId, MessageTs)>, now: Timestamp) {
        for (channel, until) in changed {
            let waits = self.waits.get(&channel).is_some_and(|wait| wait.until > now);
            if self.under_way.len() >= RECHECKS_AT_ONCE || waits || self.under_way.contains_key(&channel) {
                continue;
            }
            self.under_way.insert(channel.clone(), true);
            let slack = Arc::clone(&self.slack);
            let progress = Arc::clone(&self.progress);
            self.tasks.spawn(reread_under_lease(slack, progress, channel, until));
        }
    }

    /// Starts rechecks of threads, one at a time for each channel, so that a gap never waits for more than one.
    fn start_rechecks(&mut self) {
        while self.under_way.len() < RECHECKS_AT_ONCE {
            let mut free =
                self.lively.iter_mut().filter(|(channel, _)| !self.under_way.contains_key(*channel));
            let Some((channel, root)) =
                free.find_map(|(channel, roots)| Some((channel.clone(), roots.pop()?)))
            else {
                return;
            };
            self.under_way.insert(channel.clone(), false);
            let slack = Arc::clone(&self.slack);
            let progress = Arc::clone(&self.progress);
            self.tasks.spawn(recheck_thread(slack, progress, channel, root));
        }
    }

    fn note_end(&mut self, ended: Result<(ChannelId, SweepEnd), JoinError>) -> Result<(), LiveError> {
        let (channel, end) = ended.map_err(|died| LiveError::Died(format!("a sweep: {died}")))?;
        self.under_way.remove(&channel);
        let now = self.slack.shared.clock.steady();
        match end {
            SweepEnd::Swept { lively } => {
                self.waits.remove(&channel);
                self.lively.insert(channel, lively);
            }
            SweepEnd::Rechecked | SweepEnd::Stopped => {}
            SweepEnd::Taken => {
                self.waits.entry(channel).or_default().until = instant_after(now, TAKEN);
            }
            SweepEnd::Failed(trouble) => {
                let wait = self.waits.entry(channel.clone()).or_default();
                wait.attempts = wait.attempts.saturating_add(1);
                let numbers = [now.as_microsecond(), i64::from(wait.attempts)];
                let share = Chance::new(self.slack.shared.seed).share(channel.as_str(), numbers);
                wait.until = instant_after(now, wait_after(&trouble, wait.attempts, share));
                tracing::warn!(%channel, error = %trouble, again_at = %wait.until, "a gap could not be filled");
            }
        }
        Ok(())
    }
}

/// Fills a channel's gap, under a lease.
async fn fill_under_lease(
    slack: Arc<SlackRun>,
    progress: Arc<SweepProgress>,
    channel: ChannelId,
) -> (ChannelId, SweepEnd) {
    let filling = async {
        let lively = fill_current_gap(&slack, &progress, &channel).await?;
        slack.shared.bells.ring(Bell::Talk);
        Ok(SweepEnd::Swept { lively })
    };
    let end = read_under_lease(&slack, &channel, filling).await;
    (channel, end)
}

/// Reads a channel's history again, under a lease.
async fn reread_under_lease(
    slack: Arc<SlackRun>,
    progress: Arc<SweepProgress>,
    channel: ChannelId,
    until: MessageTs,
) -> (ChannelId, SweepEnd) {
    let reading = async {
        reread::reread_channel_until(&slack, &progress, &channel, until).await?;
        slack.shared.bells.ring(Bell::Talk);
        slack.shared.bells.ring(Bell::Gaps);
        Ok(SweepEnd::Rechecked)
    };
    let end = read_under_lease(&slack, &channel, reading).await;
    (channel, end)
}

/// Waits for `reading`, which fetches of a channel, while no other process does the same.
async fn read_under_lease(
    slack: &SlackRun,
    channel: &ChannelId,
    reading: impl Future<Output = Result<SweepEnd, SweepTrouble>> + Send,
) -> SweepEnd {
    let subject = format!("sweep:{channel}");
    let lease = match Lease::take(&slack.shared.store, &slack.shared.clock, &subject).await {
        Ok(Some(lease)) => lease,
        Ok(None) => return SweepEnd::Taken,
        Err(error) => return SweepEnd::Failed(error.into()),
    };
    let end = match slack.shared.stop.run_until_cancelled(reading).await {
        None => SweepEnd::Stopped,
        Some(Ok(end)) => end,
        Some(Err(trouble)) if trouble.is_no_longer_ours() => {
            note_channel_left(slack, channel, &trouble).await
        }
        Some(Err(trouble)) => SweepEnd::Failed(trouble),
    };
    if let Err(error) = lease.release().await {
        tracing::warn!(%error, %subject, "a claim could not be released; it will expire");
    }
    end
}

/// Fills the gap as it is now: another process may have swept it before.
async fn fill_current_gap(
    slack: &SlackRun,
    progress: &SweepProgress,
    channel: &ChannelId,
) -> Result<Vec<MessageTs>, SweepTrouble> {
    let gap = slack.shared.store.hearing().gaps().await?.into_iter().find(|gap| gap.channel == *channel);
    match gap {
        Some(gap) => Sweep::new(slack, &gap, progress).fill().await,
        None => Ok(Vec::new()),
    }
}

/// Notes that we are no longer in the channel; its archive stays.
async fn note_channel_left(slack: &SlackRun, channel: &ChannelId, why: &SweepTrouble) -> SweepEnd {
    tracing::info!(%channel, %why, "we are no longer in the channel");
    let left: Result<(), StoreError> =
        slack.shared.store.hearing().leave_channel(channel, slack.shared.clock.now()).await;
    slack.lookups.want(Lookup::Channel(channel.clone()));
    left.map_or_else(|error| SweepEnd::Failed(error.into()), |()| SweepEnd::Swept { lively: Vec::new() })
}

/// Rechecks a thread for edits and deletions. If that fails, it is left to the next sweep.
async fn recheck_thread(
    slack: Arc<SlackRun>,
    progress: Arc<SweepProgress>,
    channel: ChannelId,
    root: MessageTs,
) -> (ChannelId, SweepEnd) {
    let checked = threads::recheck_recent_changes(&slack, &progress, &channel, root);
    match slack.shared.stop.run_until_cancelled(checked).await {
        None => return (channel, SweepEnd::Stopped),
        Some(Ok(())) => slack.shared.bells.ring(Bell::Talk),
        Some(Err(error)) => {
            tracing::debug!(%channel, %root, %error, "a thread could not be rechecked");
        }
    }
    (channel, SweepEnd::Rechecked)
}
