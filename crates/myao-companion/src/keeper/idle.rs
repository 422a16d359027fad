//! Decides when a channel that is up to date is checked again, if nothing happens in it meanwhile.

use std::sync::{Mutex, PoisonError, atomic::AtomicBool};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{MessageTs, instant_after},
    memory::SETTLING_SECONDS,
};
use myao_store::{ChannelRow, Chapters, JournalMark};

use super::{Keeper, KeeperError, RoundPolicy, planned_fold::PlannedFold};

/// How soon a channel is checked again if work may become due by time alone: small chapters are merged after a day,
/// threads are written once they have paused.
pub(super) const WHILE_WORK_WAITS: SignedDuration = SignedDuration::from_mins(10);
/// How long talk before a channel's first chapter may have been ready to be cut. If it was not cut by then, it lies
/// before the beginning of the channel's memory, and time changes nothing about that.
const MOST_LATE: SignedDuration = SignedDuration::from_mins(1);
/// How soon a channel is checked again if nothing can become due. It bounds the cost of a mistake in this file.
const WHILE_NOTHING_WAITS: SignedDuration = SignedDuration::from_hours(24);

/// What a keeper remembers of earlier rounds. It only saves reads.
#[derive(Debug, Default)]
pub(crate) struct PastRounds {
    /// Whether this keeper has marked every channel as due: the configuration may have changed since the last keeper.
    pub(super) has_begun: AtomicBool,
    /// The journal's position when there was nothing to take into the workspace's memory, and until when that holds.
    workspace: Mutex<Option<(JournalMark, Timestamp)>>,
}

impl PastRounds {
    /// Whether there may be something to take into the workspace's memory.
    pub(super) fn may_have_news(&self, mark: JournalMark, now: Timestamp) -> bool {
        let known = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        known.is_none_or(|(at, until)| at != mark || until <= now)
    }

    /// Notes that with the journal at `mark` there is nothing to take in before `until`.
    pub(super) fn had_no_news(&self, mark: JournalMark, until: Timestamp) {
        *self.workspace.lock().unwrap_or_else(PoisonError::into_inner) = Some((mark, until));
    }
}

/// What the rows of a channel say about the work in it.
struct Look {
    chapters: Chapters,
    /// What is not cut yet.
    talk: Vec<MessageTs>,
    fold: PlannedFold,
    /// The threads in which something was said that their memory does not hold.
    threads: Vec<MessageTs>,
}

impl Keeper {
    /// When work may become due by time alone in a channel that was brought up to date as of `row`.
    pub(super) async fn next_due_by_time(&self, row: &ChannelRow) -> Result<Timestamp, KeeperError> {
        Ok(self.due_after_look(row, &self.look_at_channel(row).await?))
    }

    /// Like [`Keeper::next_due_by_time`], for a channel in which nothing is due. `None` if something may be due: the holder
    /// of the channel's claim finds out.
    pub(super) async fn next_due_when_idle(
        &self,
        policy: RoundPolicy,
        row: &ChannelRow,
    ) -> Result<Option<Timestamp>, KeeperError> {
        if !self.settings.history.enabled || row.removed.is_some() {
            return Ok(None);
        }
        let look = self.look_at_channel(row).await?;
        let is_idle = look.fold.fold.complete
            && self.complete_chapters(policy, row, look.chapters, &look.talk).is_empty()
            && look.fold.plan.is_none()
            && !self.is_thread_due(&row.channel.id, &look.threads, self.channel_horizon(row)).await?;
        Ok(is_idle.then(|| self.due_after_look(row, &look)))
    }

    async fn look_at_channel(&self, row: &ChannelRow) -> Result<Look, KeeperError> {
        let id = &row.channel.id;
        let chapters = self.store.memory().chapters_in_channel(id).await?;
        let uncut =
            self.store.archive().talk_after(id, chapters.uncut_from().unwrap_or(MessageTs::MIN)).await?;
        let threads = self.threads_with_news(id, self.channel_horizon(row)).await?;
        Ok(Look {
            chapters,
            talk: uncut.map(|(_, talk)| talk).unwrap_or_default(),
            fold: self.next_fold(id).await?,
            threads,
        })
    }

    fn due_after_look(&self, row: &ChannelRow, look: &Look) -> Timestamp {
        let last = look.talk.last().copied();
        let horizon = self.channel_horizon(row);
        let closes = last
            .filter(|_| row.member && row.gap_from.is_none())
            .map(|last| self.may_be_cut_at(last, horizon))
            .filter(|closes| {
                look.chapters.end.is_some() || instant_after(*closes, MOST_LATE) > self.clock.now()
            });
        let fold = &look.fold.fold;
        let is_waiting = !self.settings.history.enabled
            || (last.is_some() && look.chapters.end.is_none())
            || fold
                .waiting
                .iter()
                .any(|(chapter, _)| chapter.version > fold.mark.version && !chapter.provisional)
            || !look.threads.is_empty();
        let rest = if is_waiting { WHILE_WORK_WAITS } else { WHILE_NOTHING_WAITS };
        let until = instant_after(self.clock.now(), rest);
        closes.map_or(until, |closes| closes.min(until))
    }

    /// When messages that end with `last` may be cut: once they have settled, or after a long enough pause.
    fn may_be_cut_at(&self, last: MessageTs, horizon: MessageTs) -> Timestamp {
        let idle = if last > horizon { 0 } else { self.settings.history.conversation_idle_seconds };
        let seconds = i64::try_from(idle).unwrap_or(i64::MAX).saturating_add(SETTLING_SECONDS);
        let settled = instant_after(last.to_timestamp(), SignedDuration::from_secs(seconds));
        // One microsecond more: only then a message of that very instant is settled.
        instant_after(settled, SignedDuration::from_micros(1))
    }
}
