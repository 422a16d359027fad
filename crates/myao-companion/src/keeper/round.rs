//! One round: brings every channel that is due up to date, then the workspace, once (specification §2).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures::{StreamExt as _, future, stream};
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{Channel, ChannelId, Visibility},
    ports::ModelError,
};
use myao_store::{CallTotals, ChannelRow, Head, Setback};
use tracing::Instrument as _;

use super::{
    Keeper, KeeperError, RoundPolicy,
    lease::Lease,
    report::{FailedWork, RoundEvent, RoundObserver, RoundReport},
    rewriting::RewritingTime,
    workspace,
};
use crate::{
    ask::{AskError, Asker, days_before},
    spans,
};

/// Channels worked on concurrently. It bounds memory use and database traffic; [`Asker`] bounds the
/// model calls.
const CHANNELS_AT_ONCE: usize = 4;

/// How long a channel has to be free of removals before its memory is rebuilt, so that one rebuild serves several.
const QUIET: SignedDuration = SignedDuration::from_secs(60);
/// How long after the first removal the rebuild begins at the latest.
const LONGEST_UNREST: SignedDuration = SignedDuration::from_mins(10);

/// Most chapters whose words leave the archive in one round: some seconds of work. The next round continues.
const MOST_EXPIRED: usize = 1_000;

/// The state that all channels of a round share.
pub(super) struct Round<'a> {
    /// Counts the calls of this round.
    pub(super) asker: Asker,
    /// When it began.
    pub(super) began: Timestamp,
    /// The workspace's memory, which is shown beside other sources: as it stood when the round began, in literal mode as
    /// it stands now.
    workspace: Mutex<Option<Arc<Head>>>,
    /// The claim on the workspace's memory, if it is held throughout the round (literal mode).
    pub(super) workspace_lease: Option<Lease>,
    /// Whether updating the workspace's memory failed in this round.
    workspace_fails: AtomicBool,
    /// How often the work on a subject failed before this round.
    pub(super) failures: BTreeMap<String, u64>,
    /// Channels that are rebuilt after a removal: there a memory may become much shorter.
    pub(super) rebuilding: BTreeSet<ChannelId>,
    pub(super) policy: RoundPolicy,
    pub(super) watch: RoundObserver<'a>,
    /// When memories are written anew in a channel, where that was asked.
    rewriting: Mutex<BTreeMap<ChannelId, RewritingTime>>,
    report: Mutex<RoundReport>,
    ending: AtomicBool,
}

/// A channel in which something is due.
struct DueChannel {
    row: ChannelRow,
    /// Whether it was cut in this round.
    is_cut: bool,
    /// How many of its chapters have no text yet.
    unwritten: u64,
}

impl Round<'_> {
    /// Whether others work on what is due as well.
    fn leaves_work(&self) -> bool {
        !self.report.lock().unwrap_or_else(PoisonError::into_inner).busy.is_empty()
    }

    /// Whether the round ends early because the database failed or the program is stopping: nothing more is begun.
    pub(super) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// The workspace's memory that is shown beside other sources.
    pub(super) fn workspace(&self) -> Option<Arc<Head>> {
        self.workspace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same, if it may be seen in this channel.
    pub(super) fn workspace_for(&self, channel: &Channel) -> Option<Arc<Head>> {
        self.workspace().filter(|_| Visibility::of(channel).sees_open_channels())
    }

    /// Shows this text beside other sources from now on.
    pub(super) fn show_workspace(&self, head: Option<Head>) {
        *self.workspace.lock().unwrap_or_else(PoisonError::into_inner) = head.map(Arc::new);
    }

    /// Notes that updating the workspace's memory failed.
    pub(super) fn workspace_failed(&self) {
        self.workspace_fails.store(true, Ordering::Relaxed);
    }

    /// Whether updating the workspace's memory failed in this round.
    pub(super) fn workspace_fails(&self) -> bool {
        self.workspace_fails.load(Ordering::Relaxed)
    }

    /// When memories are written anew in the channel, if that was asked.
    pub(super) fn rewriting_of(&self, channel: &ChannelId) -> Option<RewritingTime> {
        self.rewriting.lock().unwrap_or_else(PoisonError::into_inner).get(channel).copied()
    }

    /// Notes when memories are written anew in the channel. It holds for the whole round, so that a fold that has begun
    /// goes on.
    pub(super) fn note_rewriting(&self, channel: &ChannelId, time: RewritingTime) {
        self.rewriting.lock().unwrap_or_else(PoisonError::into_inner).insert(channel.clone(), time);
    }

    pub(super) fn note_change(&self, change: impl FnOnce(&mut RoundReport)) {
        change(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Keeper {
    /// Runs one round.
    ///
    /// # Errors
    /// When the database fails. A channel that fails is in the report and stops no other.
    pub async fn round(
        &self,
        policy: RoundPolicy,
        watch: RoundObserver<'_>,
    ) -> Result<RoundReport, KeeperError> {
        let report = self.work_through(policy, watch).await?;
        self.expire_words().await?;
        Ok(report)
    }

    /// Wipes words that are old enough and held by memories, of at most [`MOST_EXPIRED`] chapters.
    async fn expire_words(&self) -> Result<(), KeeperError> {
        let now = self.clock.now();
        let Some(days) = self.archive_days else { return Ok(()) };
        let before = days_before(now, days);
        for _ in 0..MOST_EXPIRED {
            if !self.store.intake().expire_words(before, now).await? {
                break;
            }
        }
        Ok(())
    }

    async fn work_through(
        &self,
        policy: RoundPolicy,
        watch: RoundObserver<'_>,
    ) -> Result<RoundReport, KeeperError> {
        let now = self.clock.now();
        self.store.hearing().expire_raw(now).await?;
        self.store.replies().wipe_left_over(now).await?;
        self.store.memos().drop_expired_entries(now).await?;
        self.look_at_older_texts(now).await?;
        let due = self.due_channels(policy, now).await?;
        if due.is_empty() && !self.workspace_is_due(policy, now).await? {
            return Ok(RoundReport::default());
        }
        let span = spans::memory_round(due.len());
        self.work_through_due(policy, watch, due, now).instrument(span).await
    }

    async fn work_through_due(
        &self,
        policy: RoundPolicy,
        watch: RoundObserver<'_>,
        due: Vec<ChannelRow>,
        now: Timestamp,
    ) -> Result<RoundReport, KeeperError> {
        let began = self.store.memory().begin_round(now).await?;
        let setbacks = self.store.memory().list_open_setbacks().await?;
        let rebuilding = due.iter().filter(|row| row.removed.is_some());
        let mut round = Round {
            asker: self.asker.counting_anew(),
            failures: setbacks.into_iter().map(|s| (s.subject, s.attempts)).collect(),
            rebuilding: rebuilding.map(|row| row.channel.id.clone()).collect(),
            began,
            workspace: Mutex::new(self.workspace_to_show().await?.map(Arc::new)),
            workspace_lease: None,
            workspace_fails: AtomicBool::new(false),
            policy,
            watch,
            rewriting: Mutex::default(),
            report: Mutex::default(),
            ending: AtomicBool::new(false),
        };
        round.note_change(|r| r.channels = u64::try_from(due.len()).unwrap_or(0));
        if !self.settings.is_literal() {
            self.work_on_channels(&round, due, now).await?;
        } else if let Some(lease) = Lease::take(&self.store, &self.clock, workspace::SUBJECT).await? {
            round.workspace_lease = Some(lease);
            let done = self.work_on_channels(&round, due, now).await;
            if let Some(lease) = round.workspace_lease.take() {
                lease.release().await?;
            }
            done?;
        } else {
            round.note_change(|r| r.busy.push(workspace::SUBJECT.to_owned()));
        }
        let CallTotals { calls: model_calls, tokens_in, tokens_out, .. } = round.asker.totals();
        let report = round.report.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(RoundReport { model_calls, tokens_in, tokens_out, ..report })
    }

    /// Does what is due in these channels, and then in the workspace's memory.
    async fn work_on_channels(
        &self,
        round: &Round<'_>,
        due: Vec<ChannelRow>,
        now: Timestamp,
    ) -> Result<(), KeeperError> {
        let cut = self.cut_all(round, due).await?;
        if self.settings.is_literal() {
            self.carry_on_after_a_kill(round).await?;
        }
        self.keep_all(round, cut).await?;
        // Work that other processes still do belongs to this round: the process that finds all of it done ends it.
        if !round.leaves_work() || self.interval_is_over(round.began) {
            if self.workspace_is_due(round.policy, now).await? {
                self.integrate_if_due(round).await?;
            }
            self.store.memory().end_round().await?;
        }
        Ok(())
    }

    /// The workspace's memory, if everything that it was made from is open.
    pub(super) async fn workspace_to_show(&self) -> Result<Option<Head>, KeeperError> {
        let is_open = self.store.memory().workspace_is_open().await?;
        Ok(self.head_of_workspace().await?.filter(|_| is_open))
    }

    /// Whether there may be something to take into the workspace's memory.
    async fn workspace_is_due(&self, policy: RoundPolicy, now: Timestamp) -> Result<bool, KeeperError> {
        Ok(policy.workspace_now || self.known.may_have_news(self.store.memory().journal_mark().await?, now))
    }

    /// Does what an older version left undone: counts the words of its messages, masks the secrets in what it wrote, and
    /// checks the texts that it wrote with other memories beside them. Also has memories written anew in which somebody
    /// has a wrong name. Once all is done, finding that out costs little.
    async fn look_at_older_texts(&self, now: Timestamp) -> Result<(), KeeperError> {
        while !self.store.recall().count_older_messages().await? {}
        while !self.store.intake().mask_older_texts().await? {}
        while !self.store.intake().mend_names(now).await? {}
        if !self.store.intake().has_unchecked_texts().await? {
            return Ok(());
        }
        let names = self.store.archive().names(&Visibility::Owner).await?;
        while !self.store.intake().check_some_older_texts(&names, now).await? {}
        Ok(())
    }

    async fn due_channels(
        &self,
        policy: RoundPolicy,
        now: Timestamp,
    ) -> Result<Vec<ChannelRow>, KeeperError> {
        let setbacks = self.store.memory().list_open_setbacks().await?;
        let puts_off = |s: &&Setback| !policy.retry_now && s.retry_at > now;
        let waiting: Vec<String> = setbacks.iter().filter(puts_off).map(|s| s.subject.clone()).collect();
        if policy.retry_now || !self.known.has_begun.load(Ordering::Relaxed) {
            self.store.memory().look_at_all().await?;
            self.known.has_begun.store(true, Ordering::Relaxed);
        }
        let rows = self.store.memory().channels_due_at(now).await?;
        let is_due = |row: &ChannelRow| {
            !waiting.contains(&channel_subject(&row.channel.id)) && (policy.retry_now || is_settled(row, now))
        };
        Ok(rows.into_iter().filter(is_due).collect())
    }

    /// Cuts every channel before any is written, so that the observer knows how much there is to do. Each is claimed only
    /// while it is worked on; one in which nothing is due is not claimed and not returned.
    async fn cut_all(&self, round: &Round<'_>, due: Vec<ChannelRow>) -> Result<Vec<DueChannel>, KeeperError> {
        let mut to_write = 0;
        let mut cut = Vec::with_capacity(due.len());
        let mut idle = Vec::new();
        for row in due {
            let has_failed = round.failures.contains_key(&channel_subject(&row.channel.id));
            if !has_failed && let Some(until) = self.next_due_when_idle(round.policy, &row).await? {
                idle.push((row, until));
                continue;
            }
            let Some(lease) = self.take_lease(&row.channel).await? else {
                // Others cut it, or work on it: it may be free when its turn comes.
                cut.push(DueChannel { row, is_cut: false, unwritten: 0 });
                continue;
            };
            let done = self.cut_complete_chapters(round, &row.channel, &lease).await;
            lease.release().await?;
            match done {
                Ok(chapters) => {
                    to_write += chapters;
                    cut.push(DueChannel { row, is_cut: true, unwritten: chapters });
                }
                Err(error) => self.note_setback(round, &row.channel, error).await?,
            }
        }
        self.store.memory().rest_unheld(idle, self.clock.now()).await?;
        (round.watch)(RoundEvent::Planned { chapters: to_write });
        if !self.settings.is_literal() {
            // The longest work first: begun last, it would keep one process busy while all others have nothing left.
            self.count_unwritten_elsewhere(&mut cut).await?;
            cut.sort_by_key(|due| std::cmp::Reverse(due.unwritten));
        }
        Ok(cut)
    }

    /// Counts what is to be written in the channels that other processes cut.
    async fn count_unwritten_elsewhere(&self, cut: &mut [DueChannel]) -> Result<(), KeeperError> {
        for due in cut.iter_mut().filter(|due| !due.is_cut) {
            let open = self.store.memory().chapters_to_write(&due.row.channel.id).await?;
            due.unwritten = u64::try_from(open.len()).unwrap_or(u64::MAX);
        }
        Ok(())
    }

    async fn take_lease(&self, channel: &Channel) -> Result<Option<Lease>, KeeperError> {
        Ok(Lease::take(&self.store, &self.clock, &channel_subject(&channel.id)).await?)
    }

    /// Works on these channels, several concurrently. An error ends the round: no other channel or chapter is begun, and
    /// calls under way are waited for, since they are paid for and have to be settled.
    async fn keep_all(&self, round: &Round<'_>, cut: Vec<DueChannel>) -> Result<(), KeeperError> {
        let mut kept = stream::iter(cut)
            .take_while(|_| future::ready(!round.is_ending()))
            .map(|due| self.keep_one(round, due))
            .buffer_unordered(if self.settings.is_literal() { 1 } else { CHANNELS_AT_ONCE });
        let mut result = Ok(());
        while let Some(done) = kept.next().await {
            if done.is_err() {
                round.ending.store(true, Ordering::Relaxed);
            }
            result = result.and(done);
        }
        result
    }

    async fn keep_one(&self, round: &Round<'_>, due: DueChannel) -> Result<(), KeeperError> {
        let DueChannel { row, is_cut, .. } = due;
        let Some(lease) = self.take_lease(&row.channel).await? else {
            round.note_change(|r| r.busy.push(format!("#{}", row.channel.name)));
            return Ok(());
        };
        let room = self.room.tokens();
        let cut = if is_cut { Ok(0) } else { self.cut_complete_chapters(round, &row.channel, &lease).await };
        let mut done = match cut {
            Ok(_) => self.keep_channel(round, &row.channel, &lease).await,
            Err(error) => Err(error),
        };
        if done.as_ref().is_err_and(is_too_long) && self.room.shrink(room) {
            done = self.keep_channel(round, &row.channel, &lease).await;
        }
        let outcome = match done {
            Ok(()) => self.keep_under_lease(round, &row).await,
            Err(error) => self.note_setback(round, &row.channel, error).await,
        };
        lease.release().await?;
        outcome
    }

    async fn keep_under_lease(&self, round: &Round<'_>, row: &ChannelRow) -> Result<(), KeeperError> {
        let subject = channel_subject(&row.channel.id);
        if round.failures.contains_key(&subject) {
            self.store.memory().clear_after_success(&subject).await?;
        }
        let idle = self.next_due_by_time(row).await?;
        if let Some(RewritingTime::From(from)) = round.rewriting_of(&row.channel.id) {
            return Ok(self.store.memory().rest_channel(row, idle.min(from)).await?);
        }
        self.store.memory().rest_channel(row, idle).await?;
        Ok(self.store.archive().removals_done(row).await?)
    }

    async fn keep_channel(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        if self.settings.is_literal() {
            self.keep_to_the_letter(round, channel, lease).await?;
            return self.write_active_threads(round, channel, lease).await;
        }
        self.write_missing_chapters(round, channel, lease).await?;
        if round.is_ending() {
            return Err(KeeperError::Stopped);
        }
        self.merge_waiting_chapters(round, channel, lease).await?;
        self.write_active_threads(round, channel, lease).await
    }

    /// Notes that a channel failed, so that it is retried later. An error of the database is passed on.
    async fn note_setback(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        error: KeeperError,
    ) -> Result<(), KeeperError> {
        if let KeeperError::Store(myao_store::StoreError::ClaimLost(_)) = &error {
            tracing::warn!(channel = %channel.id, "another process took over a channel's memory");
            round.note_change(|r| r.busy.push(format!("#{}", channel.name)));
            return Ok(());
        }
        match &error {
            KeeperError::Store(_) | KeeperError::Stopped => return Err(error),
            KeeperError::Waits(_) => {
                round.note_change(|r| r.waits_for_budget = Some(error.to_string()));
                return Ok(());
            }
            KeeperError::Model(_)
            | KeeperError::Refused(_)
            | KeeperError::Summary(_)
            | KeeperError::Restless(_) => {}
        }
        self.note_failure(round, format!("#{}", channel.name), channel_subject(&channel.id), &error).await
    }

    /// Notes why a memory was not brought up to date: `subject` is whose memory it is, for a person, and under what its
    /// failures are counted.
    pub(super) async fn note_failure(
        &self,
        round: &Round<'_>,
        subject: String,
        counted_as: String,
        error: &KeeperError,
    ) -> Result<(), KeeperError> {
        let reason = error.to_string();
        self.store.memory().set_back(&counted_as, &reason, self.clock.now()).await?;
        round.note_change(|r| {
            r.troubles.push(FailedWork { subject: subject.clone(), reason: reason.clone() });
        });
        (round.watch)(RoundEvent::Failed { subject, counted_as, reason });
        Ok(())
    }
}

/// Whether the model refused its prompt as too long.
pub(super) fn is_too_long(error: &KeeperError) -> bool {
    matches!(error, KeeperError::Model(AskError::Model { error: ModelError::TooLong(_), .. }))
}

/// Whether a channel may be rebuilt after removals (specification §6): see [`QUIET`].
fn is_settled(row: &ChannelRow, now: Timestamp) -> bool {
    row.removed.is_none_or(|(since, last)| {
        now.duration_since(last) >= QUIET || now.duration_since(since) >= LONGEST_UNREST
    })
}

/// The name under which a channel's memory work is claimed and its failures are counted.
pub(super) fn channel_subject(channel: &ChannelId) -> String {
    format!("channel:{channel}")
}
