//! Cuts a channel's messages into chapters, before any model is asked.

use myao_core::{
    chat::{Channel, MessageTs, Visibility},
    memory::{
        ClosedBy, Completeness, Cut, MemoryScope, MemoryType, ScopeId, cut_into_chapters, first_version,
        horizon_of_channel, should_update,
    },
};
use myao_store::{ChannelRow, Chapters, NewChapter, NewChapters};

use super::{Keeper, KeeperError, RoundPolicy, Start, lease::Lease, round::Round};

/// How often cutting a channel is tried while it changes meanwhile. Each try is a few reads.
const MOST_LOOKS: u32 = 5;
/// Chapters added in one transaction, so that it writes fewer than about 500 rows (design §1).
const CHAPTERS_AT_ONCE: usize = 400;
const SECONDS_PER_HOUR: i64 = 3600;

impl Keeper {
    /// Cuts all chapters that are complete. Returns the number of chapters without a text.
    pub(super) async fn cut_complete_chapters(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<u64, KeeperError> {
        for _ in 0..MOST_LOOKS {
            let added = if self.settings.history.enabled {
                self.cut_one_batch(round, channel, lease).await?
            } else {
                self.overwrite_once(round, channel, lease).await?
            };
            if let Some(added) = added {
                round.note_change(|r| r.chapters += added);
                let open = self.store.memory().chapters_to_write(&channel.id).await?;
                return Ok(u64::try_from(open.len()).unwrap_or(u64::MAX));
            }
        }
        Err(KeeperError::Restless(MOST_LOOKS))
    }

    /// Returns the number of chapters added; `None` when the channel changed meanwhile.
    async fn cut_one_batch(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<Option<u64>, KeeperError> {
        let mut after = self.store.memory().chapters_in_channel(&channel.id).await?;
        let read_from = after.uncut_from().unwrap_or(MessageTs::MIN);
        let Some((row, talk)) = self.store.archive().talk_after(&channel.id, read_from).await? else {
            return Ok(Some(0));
        };
        let cuts = self.complete_chapters(round.policy, &row, after, &talk);
        let policy = self.settings.history.policy();
        let mut added = 0;
        for batch in cuts.chunks(CHAPTERS_AT_ONCE) {
            let new = NewChapters {
                channel: channel.id.clone(),
                read_revision: row.revision,
                after,
                cuts: batch.iter().map(|cut| NewChapter { cut: *cut, policy }).collect(),
            };
            if !self.store.memory().save_as_new_version(&lease.claim, new).await? {
                return Ok(None);
            }
            // The first may take a provisional chapter's place and number.
            let latest_version = after.next_version() + u32::try_from(batch.len() - 1).unwrap_or(0);
            added += u64::from(latest_version - after.latest_version);
            let provisional = batch.iter().find(|cut| cut.closed_by == ClosedBy::Provisional);
            after = Chapters {
                latest_version,
                end: batch.last().map(|cut| cut.to),
                provisional_from: provisional.map(|cut| cut.from),
            };
        }
        Ok(Some(added))
    }

    /// The chapters that are complete in the talk after the last one, or without a chapter the first version. `talk` is
    /// what was said from [`Chapters::uncut_from`] on.
    pub(super) fn complete_chapters(
        &self,
        policy: RoundPolicy,
        row: &ChannelRow,
        chapters: Chapters,
        talk: &[MessageTs],
    ) -> Vec<Cut> {
        let horizon = self.channel_horizon(row);
        let start = match (chapters.uncut_from(), talk.first()) {
            (Some(from), _) => from,
            (None, Some(first)) => {
                let now = MessageTs::from_timestamp(self.clock.now());
                self.memory_start(policy, row, [*first, now])
            }
            (None, None) => return Vec::new(),
        };
        let by = self.settings.history.policy();
        let cuts = cut_into_chapters(start, talk.iter().copied(), by, horizon);
        let has_memory = chapters.latest_version > 0 && chapters.provisional_from.is_none();
        if !cuts.is_empty() || has_memory {
            return cuts;
        }
        let first = first_version(start, talk.iter().copied(), by, horizon);
        let is_due = |first: &Cut| match chapters.end {
            // A run writes it once, so that a model is not asked in every round.
            Some(end) => first.to > end && (policy.retry_now || !talk.iter().any(|ts| *ts <= end)),
            None => true,
        };
        first.into_iter().filter(is_due).collect()
    }

    /// Where the memory of a channel without chapters begins, exclusive. It may hold what was said from `first` on; where
    /// we have not seen the channel ourselves, the window ends at `end`.
    fn memory_start(&self, policy: RoundPolicy, row: &ChannelRow, [first, end]: [MessageTs; 2]) -> MessageTs {
        match policy.for_channel(&row.channel.id).start {
            Start::FirstArchived => first.just_before(),
            Start::Since(ts) => ts.just_before(),
            Start::Window => row.memory_from.unwrap_or_else(|| self.window_before(end)),
        }
    }

    /// Overwrite mode: extends the only chapter up to the latest message, if there is a new one and the chapter was
    /// written long enough ago (specification §2.1). `None` when the channel changed meanwhile.
    async fn overwrite_once(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<Option<u64>, KeeperError> {
        let after = self.store.memory().chapters_in_channel(&channel.id).await?;
        let read_from = after.end.unwrap_or(MessageTs::MIN);
        let Some((row, talk)) = self.store.archive().talk_after(&channel.id, read_from).await? else {
            return Ok(Some(0));
        };
        let horizon = self.channel_horizon(&row);
        let new: Vec<MessageTs> = talk.into_iter().filter(|ts| *ts <= horizon).collect();
        let (Some(first), Some(latest)) = (new.first().copied(), new.last().copied()) else {
            return Ok(Some(0));
        };
        let id = ScopeId::channel(&channel.id);
        let own = Visibility::only(&channel.id);
        let written =
            self.store.memory().find_latest(&own, MemoryScope::Channel, &id, MemoryType::ShortTerm).await?;
        let new_count = u64::try_from(new.len()).unwrap_or(u64::MAX);
        let triggers = self.settings.history.triggers();
        let is_due = should_update(Some(latest), written.is_some(), new_count, triggers, horizon);
        if !is_due || written.is_some_and(|memory| !self.interval_is_over(memory.updated_at())) {
            return Ok(Some(0));
        }
        let from = after.end.unwrap_or_else(|| self.memory_start(round.policy, &row, [first, latest]));
        let count = u32::try_from(new.iter().filter(|ts| **ts > from).count()).unwrap_or(u32::MAX);
        let cut = Cut { from, to: latest, count, closed_by: ClosedBy::Window };
        let window = NewChapter { cut, policy: self.settings.history.policy() };
        let moved =
            !self.store.memory().extend_last_chapter(&lease.claim, &channel.id, after, window).await?;
        Ok((!moved).then_some(0))
    }

    /// The beginning, exclusive, of the window of `short_term_window_hours` that ends at `ts`.
    pub(super) fn window_before(&self, ts: MessageTs) -> MessageTs {
        let hours = i64::try_from(self.settings.short_term_window_hours).unwrap_or(i64::MAX);
        ts.plus_seconds(hours.saturating_mul(-SECONDS_PER_HOUR))
    }

    /// Whether a memory written at `at` may be written again (`long_term_update_interval_seconds`).
    pub(super) fn interval_is_over(&self, at: jiff::Timestamp) -> bool {
        let seconds = i64::try_from(self.settings.long_term_update_interval_seconds).unwrap_or(i64::MAX);
        self.clock.now().duration_since(at) >= jiff::SignedDuration::from_secs(seconds)
    }

    /// The time up to which the channel is known to be complete.
    pub(super) fn channel_horizon(&self, row: &ChannelRow) -> MessageTs {
        let heard = Completeness { member: row.member, gap_from: row.gap_from, until: row.heard_until };
        horizon_of_channel(heard, self.clock.now())
    }
}
