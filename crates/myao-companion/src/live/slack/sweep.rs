//! Fetches messages that were missed, page by page (specification §4 catch-up, design §2).
//!
//! Gaps are rows (`myao_store::Gap`); this module schedules their sweeps, page by page: `line` says what is known of the
//! channels that wait, and `next_to_catch_up` (`myao_core::judgment`) which of them has its turn (ADR 117). `fill` reads
//! one page of a channel, `course` is what is left of it, `threads` reads its threads, `rechecks` looks through those that
//! had nothing to fetch, `absent` takes what they no longer list for deleted, `unsettled` is what is too young for that and
//! looked at once more, `trouble` classifies failures, `progress` says how far it is.
//!
//! Sweeps begin only while Slack is connected: what is said after a gap is closed must be heard.

mod absent;
mod course;
mod fill;
mod line;
mod progress;
mod rechecks;
mod reread;
mod threads;
mod trouble;
mod unsettled;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, instant_after},
    judgment::{Chance, ChannelBehind, WhoWaits, next_to_catch_up},
};
use myao_slack::api::Method;
use myao_store::{Gap, StoreError};
use tokio::{
    sync::{Notify, Semaphore},
    task::{JoinError, JoinSet},
};

pub(super) use self::fill::want_files;
use self::{
    course::SweepCourse,
    fill::{PageTurn, Sweep},
    line::SweepLine,
    progress::SweepProgress,
    rechecks::{RecheckEnd, Rechecks, recheck_thread},
    trouble::{SweepTrouble, TAKEN, Wait, note_channel_left, wait_after},
};
use super::SlackRun;
use crate::{
    keeper::Lease,
    live::{Bell, LiveError, RunContext, looks_every},
};

/// The most pages of channels that are asked for at once. Slack's rate limit is reached before this number matters, and
/// who has waited for a turn does not make way any more.
const PAGES_AT_ONCE: usize = 2;
/// From this time between calls on, one page is asked for at once: a second would go before whoever asks meanwhile.
const SLOW_CALLS: Duration = Duration::from_secs(10);
/// The most sweeps that go on at once, with those that read threads of a page. Where somebody asks, no other is waited for.
const SWEEPS_AT_ONCE: usize = 12;
/// The most threads that are looked through at once.
const RECHECKS_AT_ONCE: usize = 2;
/// A changed history is read again only while fewer channels than this are being read.
const READ_AGAIN_AT_ONCE: usize = 2;
/// How often gaps are read from the database without a notification.
const LOOK_EVERY: Duration = Duration::from_mins(1);

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
            () = scheduler.page_read.notified() => {}
            () = scheduler.slack.waiting.somebody_asks() => {}
            () = bells.gaps.notified() => scheduler.wait_no_longer(),
            Some(ended) = scheduler.tasks.join_next() => scheduler.note_end(ended)?,
        }
    }
    // They end by themselves and release their leases.
    while scheduler.tasks.join_next().await.is_some() {}
    scheduler.rechecks.give_up_lease().await;
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
    /// What is known of the channels that wait.
    line: SweepLine,
    /// Channels of which something is being read.
    under_way: BTreeSet<ChannelId>,
    /// What is left of channels between two of their pages.
    courses: BTreeMap<ChannelId, SweepCourse>,
    /// Turns to ask for a page.
    pages: Arc<Semaphore>,
    /// A page that was asked for is here.
    page_read: Arc<Notify>,
    /// What is known of the threads that are still to be looked through for edits and deletions.
    rechecks: Rechecks,
    /// Channels that are not swept for a while.
    waits: BTreeMap<ChannelId, Wait>,
}

/// How a sweep ended.
enum SweepEnd {
    /// A page was read, and there are more.
    PageRead(SweepCourse),
    /// The gap is closed or was opened anew; the database tells which.
    Swept,
    /// A changed history was read again.
    ReadAgain,
    /// A thread was looked through for edits and deletions, as far as that went.
    ThreadRechecked(MessageTs, RecheckEnd),
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
            line: SweepLine::default(),
            under_way: BTreeSet::new(),
            courses: BTreeMap::new(),
            pages: Arc::new(Semaphore::new(PAGES_AT_ONCE)),
            page_read: Arc::default(),
            rechecks: Rechecks::default(),
            waits: BTreeMap::new(),
        }
    }

    /// Starts reading the next pages of the gaps that may be filled now. Returns when to look again.
    async fn start_due_sweeps(&mut self) -> Timestamp {
        let now = self.slack.shared.clock.steady();
        let look_again = instant_after(now, looks_every(&self.slack.shared.store, LOOK_EVERY));
        let gaps = match self.gaps_in_line().await {
            Ok(gaps) => gaps,
            Err(error) => {
                tracing::error!(%error, "gaps cannot be read");
                return look_again;
            }
        };
        let behind = self.channels_behind(&gaps);
        self.progress.note_left(&self.slack, &behind).await;
        let changed = self.changed_histories().await;
        self.waits.retain(|channel, _| {
            gaps.iter().any(|gap| gap.channel == *channel) || changed.iter().any(|(id, _)| id == channel)
        });
        if !self.slack.shared.status.is_connected() {
            self.rechecks.give_up_lease().await;
            return look_again;
        }
        self.start_pages(behind, now);
        self.read_again(changed, now);
        if let Err(error) = self.start_rechecks(look_again).await {
            tracing::error!(%error, "the threads that are to be looked through cannot be read");
        }
        let again = self.courses.values().filter_map(|course| course.again_at);
        let waits = self.waits.values().map(|wait| wait.until);
        waits
            .chain(self.rechecks.wait_ends())
            .chain(again)
            .filter(|until| *until > now)
            .fold(look_again, Timestamp::min)
    }

    /// Something is new, perhaps that Slack is reached again: nothing waits any longer.
    fn wait_no_longer(&mut self) {
        self.waits.values_mut().for_each(|wait| wait.until = Timestamp::MIN);
        self.rechecks.wait_no_longer();
    }

    /// When a channel is read once more, if that is what is left of it.
    fn again_at(&self, channel: &ChannelId) -> Option<Timestamp> {
        self.courses.get(channel)?.again_at
    }

    /// The open gaps, once everything is known by which the order goes.
    async fn gaps_in_line(&mut self) -> Result<Vec<Gap>, StoreError> {
        let gaps = self.slack.shared.store.hearing().gaps().await?;
        self.line.learn(&self.slack.shared.store, &gaps).await?;
        let channels: BTreeMap<&ChannelId, &Gap> = gaps.iter().map(|gap| (&gap.channel, gap)).collect();
        self.courses.retain(|channel, course| channels.get(channel).is_some_and(|gap| course.is_of(gap)));
        self.slack.waiting.keep_only(&channels.into_keys().collect());
        Ok(gaps)
    }

    fn channels_behind(&self, gaps: &[Gap]) -> Vec<ChannelBehind> {
        let now = self.slack.shared.clock.now();
        let behind = |gap| self.line.channel_behind(&self.slack, gap, self.courses.get(&gap.channel), now);
        gaps.iter().map(behind).collect()
    }

    /// Starts as many pages as may be asked for, in the order of `next_to_catch_up`.
    fn start_pages(&mut self, behind: Vec<ChannelBehind>, now: Timestamp) {
        let is_free = |channel: &ChannelBehind| {
            let waits = self.waits.get(&channel.id).is_some_and(|wait| wait.until > now);
            let is_early = self.again_at(&channel.id).is_some_and(|again_at| again_at > now);
            !waits && !is_early && !self.under_way.contains(&channel.id)
        };
        let mut free: Vec<ChannelBehind> = behind.into_iter().filter(is_free).collect();
        while let Some(next) = next_to_catch_up(&free, self.line.turn) {
            let is_for_asker = next.who_waits == WhoWaits::Asker;
            if self.under_way.len() >= SWEEPS_AT_ONCE && !is_for_asker {
                break;
            }
            let is_slow = self.slack.client.spacing(Method::ConversationsHistory) >= SLOW_CALLS;
            if is_slow && self.pages.available_permits() < PAGES_AT_ONCE {
                break;
            }
            let Ok(permit) = Arc::clone(&self.pages).try_acquire_owned() else { break };
            let channel = next.id.clone();
            self.line.turn = self.line.turn.wrapping_add(1);
            free.retain(|one| one.id != channel);
            self.under_way.insert(channel.clone());
            let course = self.courses.remove(&channel);
            let turn = PageTurn::new(permit, Arc::clone(&self.page_read));
            let step = SweepStep { channel, course, turn, is_for_asker };
            self.tasks.spawn(fill_under_lease(Arc::clone(&self.slack), Arc::clone(&self.progress), step));
        }
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
            if self.under_way.len() >= READ_AGAIN_AT_ONCE || waits || self.under_way.contains(&channel) {
                continue;
            }
            self.under_way.insert(channel.clone());
            let slack = Arc::clone(&self.slack);
            let progress = Arc::clone(&self.progress);
            self.tasks.spawn(reread_under_lease(slack, progress, channel, until));
        }
    }

    /// Starts looking through threads, also of channels whose older pages are still to be read: other calls read those.
    /// While gaps are filled it is one, since missing replies are read by the same calls; and none where calls are few.
    async fn start_rechecks(&mut self, look_again: Timestamp) -> Result<(), StoreError> {
        let is_slow = self.slack.client.spacing(Method::ConversationsReplies) >= SLOW_CALLS;
        let most = match (self.under_way.is_empty(), is_slow) {
            (true, _) => RECHECKS_AT_ONCE,
            (false, false) => 1,
            (false, true) => 0,
        };
        for thread in self.rechecks.take_next(&self.slack.shared, most, look_again).await? {
            let slack = Arc::clone(&self.slack);
            let progress = Arc::clone(&self.progress);
            self.tasks.spawn(async move {
                let channel = thread.channel.clone();
                let end = recheck_thread(&slack, &progress, &thread).await;
                (channel, SweepEnd::ThreadRechecked(thread.root, end))
            });
        }
        Ok(())
    }

    fn note_end(&mut self, ended: Result<(ChannelId, SweepEnd), JoinError>) -> Result<(), LiveError> {
        let (channel, end) = ended.map_err(|died| LiveError::Died(format!("a sweep: {died}")))?;
        if let SweepEnd::ThreadRechecked(root, end) = end {
            self.rechecks.note_end(&self.slack, &(channel, root), end);
            return Ok(());
        }
        self.under_way.remove(&channel);
        self.rechecks.look_again();
        let now = self.slack.shared.clock.steady();
        match end {
            SweepEnd::PageRead(course) => {
                self.waits.remove(&channel);
                self.courses.insert(channel, course);
            }
            SweepEnd::Swept => {
                self.waits.remove(&channel);
            }
            SweepEnd::ReadAgain | SweepEnd::ThreadRechecked(..) | SweepEnd::Stopped => {}
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

/// What one page of a channel is read with.
struct SweepStep {
    channel: ChannelId,
    /// What was left when the last page was read; `None` at the first.
    course: Option<SweepCourse>,
    turn: PageTurn,
    is_for_asker: bool,
}

/// Reads a page of a channel's gap, under a lease.
async fn fill_under_lease(
    slack: Arc<SlackRun>,
    progress: Arc<SweepProgress>,
    step: SweepStep,
) -> (ChannelId, SweepEnd) {
    let channel = step.channel.clone();
    let asker = step.is_for_asker.then(|| slack.waiting.asker_begins());
    let end = read_under_lease(&slack, &channel, fill_next_page(&slack, &progress, step)).await;
    drop(asker);
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
        Ok(SweepEnd::ReadAgain)
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
            let left = note_channel_left(slack, channel, &trouble).await;
            left.map_or_else(|error| SweepEnd::Failed(error.into()), |()| SweepEnd::Swept)
        }
        Some(Err(trouble)) => SweepEnd::Failed(trouble),
    };
    if let Err(error) = lease.release().await {
        tracing::warn!(%error, %subject, "a claim could not be released; it will expire");
    }
    end
}

/// Reads the next page of the gap as it is now: another process may have read on meanwhile, or hearing may have been
/// interrupted, so that what is newest comes first again.
async fn fill_next_page(
    slack: &SlackRun,
    progress: &SweepProgress,
    step: SweepStep,
) -> Result<SweepEnd, SweepTrouble> {
    let gap = slack.shared.store.hearing().gap_of(&step.channel).await?;
    let Some(gap) = gap else { return Ok(SweepEnd::Swept) };
    let known = step.course.filter(|course| course.is_of(&gap));
    let recheck_from = slack.recheck_from(&gap);
    let mut course = if let Some(course) = known {
        course
    } else {
        // What was missing before is looked for again, on the pages and in threads beside them.
        let subject = format!("history:{}", step.channel);
        slack.shared.store.memory().clear_after_success(&subject).await?;
        SweepCourse::plan(gap, recheck_from)
    };
    let is_filled =
        Sweep::new(slack, progress, &mut course, step.is_for_asker).read_next_page(step.turn).await?;
    if !is_filled {
        return Ok(SweepEnd::PageRead(course));
    }
    // Nothing of the gap is cut before it is closed.
    slack.shared.bells.ring(Bell::Talk);
    Ok(SweepEnd::Swept)
}
