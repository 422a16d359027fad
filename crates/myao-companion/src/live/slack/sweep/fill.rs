//! Fills the gap of one channel, from the newest page of its history to the oldest, one page at a turn (ADR 117).
//!
//! A page is stored as swept once its messages are in the archive, those that it no longer lists are deleted there, and
//! its threads are fetched. A sweep that is killed anywhere therefore continues below its last complete page (ADR 15).
//!
//! Pages go back beyond the gap: to the roots of threads in which something may have been said during the gap, and over
//! the time in which edits and deletions are looked for. Of messages before the gap only those that the archive has are
//! updated: how far the archive goes back is not decided here.

use std::{collections::BTreeSet, pin::pin, sync::Arc};

use futures::TryStreamExt as _;
use jiff::SignedDuration;
use myao_core::{
    chat::{Event, Listed, Message, MessageTs, instant_after},
    memory::SETTLING_SECONDS,
};
use myao_slack::history::HistoryPage;
use tokio::sync::{Notify, OwnedSemaphorePermit};

use super::{
    absent::{MUCH_IS_MISSING, delete_missing_messages},
    course::{HistoryRange, SweepCourse},
    progress::SweepProgress,
    trouble::SweepTrouble,
    unsettled::UnsettledSpan,
};
use crate::live::{Bell, Lookup, Lookups, RunContext, slack::SlackRun};

/// The most events stored in one transaction, so that an acknowledgement never waits long behind a sweep.
const MOST_AT_ONCE: usize = 400;
/// How far Slack's clock may be ahead of ours.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(1);

/// The turn to ask for a page of a channel's history. Dropped once the page is here, so that the next channel is asked
/// for while this one's threads are read.
#[derive(Debug)]
pub(super) struct PageTurn {
    permit: Option<OwnedSemaphorePermit>,
    freed: Arc<Notify>,
}

impl PageTurn {
    pub(super) fn new(permit: OwnedSemaphorePermit, freed: Arc<Notify>) -> Self {
        Self { permit: Some(permit), freed }
    }
}

impl Drop for PageTurn {
    fn drop(&mut self) {
        self.permit.take();
        self.freed.notify_one();
    }
}

/// A step of a channel's sweep: one page and its threads.
pub(super) struct Sweep<'a> {
    pub(super) slack: &'a SlackRun,
    pub(super) progress: &'a SweepProgress,
    pub(super) course: &'a mut SweepCourse,
    /// Whether somebody asked in the channel: then nobody else's threads are read before.
    pub(super) is_for_asker: bool,
    /// A message after this time is not taken for deleted yet: it may not be in the history.
    pub(super) settled: MessageTs,
    /// When the step began: what it reads shows how things stand then or later.
    pub(super) began: MessageTs,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(
        slack: &'a SlackRun,
        progress: &'a SweepProgress,
        course: &'a mut SweepCourse,
        is_for_asker: bool,
    ) -> Self {
        let began = MessageTs::from_timestamp(slack.shared.clock.now());
        let settled = began.plus_seconds(-SETTLING_SECONDS);
        Self { slack, progress, course, is_for_asker, settled, began }
    }

    /// Reads the next page. When nothing is left, closes the gap, unless the connection was interrupted again meanwhile,
    /// and returns true. Where something was not listed that was too young for that to tell anything, that much of the gap
    /// stays open, and is left to be read again.
    pub(super) async fn read_next_page(&mut self, turn: PageTurn) -> Result<bool, SweepTrouble> {
        if let Some(range) = self.course.left.last().copied() {
            let page = self.fetch_page(&range).await?;
            drop(turn);
            self.take_in_page(&range, &page).await?;
        }
        if !self.course.left.is_empty() || self.keep_unsettled_part().await? {
            return Ok(false);
        }
        let unsettled = std::mem::take(&mut self.course.unsettled_threads);
        self.slack.shared.store.hearing().note_threads_to_recheck(&unsettled).await?;
        self.close_gap().await?;
        Ok(true)
    }

    /// Keeps open what of the gap holds messages that were not listed, and were too young for that to tell anything. False
    /// where there are none, or hearing was interrupted again.
    async fn keep_unsettled_part(&mut self) -> Result<bool, SweepTrouble> {
        let Some(span) = self.course.unsettled.take() else { return Ok(false) };
        let RunContext { store, clock, .. } = &*self.slack.shared;
        if !store.hearing().narrow_filled_gap(&self.course.gap, span.first).await? {
            return Ok(false);
        }
        let again_in = span.settles_in(clock.now());
        tracing::debug!(channel = %self.course.channel(), ?again_in, "something is missing that may only be late");
        self.course.read_again_from(span.first, instant_after(clock.steady(), again_in));
        self.look_at_rows().await?;
        Ok(true)
    }

    async fn close_gap(&self) -> Result<(), SweepTrouble> {
        let store = &self.slack.shared.store;
        let subject = format!("history:{}", self.course.channel());
        if !self.course.is_whole {
            store.memory().flag_for_person(&subject, MUCH_IS_MISSING).await?;
        }
        if !store.hearing().close_filled_gap(&self.course.gap).await? {
            tracing::debug!(channel = %self.course.channel(), "the gap was opened again");
        }
        Ok(())
    }

    /// The newest page of a stretch that has messages, with what was not understood on those before it; one without any
    /// messages if there is none.
    async fn fetch_page(&self, range: &HistoryRange) -> Result<HistoryPage, SweepTrouble> {
        let SlackRun { shared, client, .. } = self.slack;
        let ahead = instant_after(shared.clock.now(), CLOCKS_APART);
        let latest = range.latest.unwrap_or_else(|| MessageTs::from_timestamp(ahead));
        let mut pages = pin!(client.history(self.course.channel(), range.oldest, latest));
        let mut read = HistoryPage::default();
        while let Some(page) = pages.try_next().await? {
            read.events.extend(page.events);
            read.hides_older |= page.hides_older;
            read.seen = page.seen;
            read.parents = page.parents;
            read.is_followed = page.is_followed;
            if !read.seen.is_empty() {
                break;
            }
        }
        if read.is_followed {
            self.progress.note_page_size(read.seen.len());
        }
        Ok(read)
    }

    async fn take_in_page(&mut self, range: &HistoryRange, page: &HistoryPage) -> Result<(), SweepTrouble> {
        store_fetched(self.slack, self.progress, self.events_to_store(page).await?, self.began).await?;
        let end = range.latest.unwrap_or(MessageTs::MAX);
        let is_whole = match Self::listed_after(range, page) {
            Some(after) => self.forget_deleted(page, after, end).await?,
            None => true,
        };
        self.course.is_whole &= is_whole;
        if let Some((oldest, newest)) = page.oldest().zip(page.newest()) {
            let before = end.min(self.settled);
            // Up to where the previous page began, to include deleted roots between the two.
            let up_to = if before < newest { newest } else { before.just_before() };
            self.course.is_whole &= self.read_missing_replies(page, oldest, up_to).await?;
            self.note_swept(range, oldest.just_before(), newest).await?;
            self.course.read_down_to(oldest);
        }
        if !page.is_followed || self.course.is_stretch_read() {
            self.end_stretch().await?;
        }
        Ok(())
    }

    /// Notes what a page has filled, so that any process goes on below it.
    async fn note_swept(
        &mut self,
        range: &HistoryRange,
        from: MessageTs,
        newest: MessageTs,
    ) -> Result<(), SweepTrouble> {
        let to = *self.course.top.get_or_insert(newest);
        if from >= to {
            return Ok(());
        }
        let hearing = self.slack.shared.store.hearing();
        let is_first_of_all = range.latest.is_none() && self.course.joins.is_none();
        if !is_first_of_all || !hearing.note_swept_up_to_now(&self.course.gap, from).await? {
            // This is ignored until it reaches what was swept before; the page that does stores all of it.
            hearing.note_swept(self.course.channel(), from, to).await?;
        }
        self.look_at_rows().await
    }

    async fn end_stretch(&mut self) -> Result<(), SweepTrouble> {
        self.course.end_stretch();
        if let Some(from) = self.course.joins.take() {
            let gap = &self.course.gap;
            self.slack.shared.store.hearing().note_swept_up_to_now(gap, from).await?;
            self.look_at_rows().await?;
        }
        Ok(())
    }

    /// Remembers the rows as they stand after a note, by which the next step sees whether anybody else read on. An
    /// interruption of hearing stays unknown, so that the gap is not closed.
    async fn look_at_rows(&mut self) -> Result<(), SweepTrouble> {
        let gap = self.slack.shared.store.hearing().gap_of(self.course.channel()).await?;
        if let Some(gap) = gap.filter(|gap| gap.opened == self.course.gap.opened) {
            self.course.gap = gap;
        }
        Ok(())
    }

    /// The events of a page that are to be stored: all in the gap; before it those of messages that the archive has, as
    /// far back as edits are looked for.
    async fn events_to_store(&self, page: &HistoryPage) -> Result<Vec<Event>, SweepTrouble> {
        let begin = self.course.recheck_from.min(self.course.gap.from);
        let to = self.course.gap.from;
        let from = self.course.recheck_from.just_before();
        let known = match page.oldest() {
            Some(oldest) if oldest < to && from < to => {
                self.slack
                    .shared
                    .store
                    .archive()
                    .held_between(self.course.channel(), None, from.max(oldest.just_before()), to)
                    .await?
            }
            _ => Vec::new(),
        };
        let known: BTreeSet<MessageTs> = known.into_iter().map(|message| message.ts).collect();
        let is_recent = page.newest().is_none_or(|newest| newest >= begin);
        let is_wanted = |event: &&Event| match event {
            Event::Message(Message { ts, .. }) | Event::Deleted { ts, .. } => {
                *ts >= self.course.gap.from || known.contains(ts)
            }
            Event::Sighting(told) => {
                told.message.ts >= self.course.gap.from || known.contains(&told.message.ts)
            }
            Event::Channel(_)
            | Event::User(_)
            | Event::Departed(_)
            | Event::Dated(_)
            | Event::Hearsay(_)
            | Event::HeardUntil { .. }
            | Event::AnswerStopped(_)
            | Event::Voted(_)
            | Event::Unread { .. } => is_recent,
        };
        Ok(page.events.iter().filter(is_wanted).cloned().collect())
    }

    /// The time after which a page lists everything, up to where the previous page began, or to the present: that of its
    /// oldest message, or the begin of the stretch where it is the last page of it: a channel whose first or only message
    /// was deleted lists nothing that old. `None` where a page lists nothing and another one follows.
    fn listed_after(range: &HistoryRange, page: &HistoryPage) -> Option<MessageTs> {
        if page.is_followed { page.oldest() } else { Some(range.oldest.just_before()) }
    }

    /// Deletes messages that a page should list and does not, `after` a time up to an `end`, both exclusive, and remembers
    /// those that are too young for that. False when too much is missing.
    async fn forget_deleted(
        &mut self,
        page: &HistoryPage,
        after: MessageTs,
        end: MessageTs,
    ) -> Result<bool, SweepTrouble> {
        let channel = self.course.channel();
        let after = after.max(self.course.recheck_from.just_before());
        let end = end.min(self.began);
        if after >= end {
            return Ok(true);
        }
        let held = self.slack.shared.store.archive().held_between(channel, None, after, end).await?;
        if !page.hides_older {
            let span = UnsettledSpan::of_unlisted(&held, &page.seen, self.settled, self.began);
            self.course.note_unsettled(span);
        }
        let channel = self.course.channel();
        let before = end.min(self.settled);
        let listed =
            Listed { seen: &page.seen, after, before, hides_older: page.hides_older, is_announced: false };
        delete_missing_messages(self.slack, channel, &held, listed, self.began).await
    }
}

/// Stores what was fetched, and queues lookups of its authors.
/// They show how things stood at `seen_at`.
pub(super) async fn store_fetched(
    slack: &SlackRun,
    progress: &SweepProgress,
    events: Vec<Event>,
    seen_at: MessageTs,
) -> Result<(), SweepTrouble> {
    let SlackRun { shared, lookups, .. } = slack;
    let RunContext { store, clock, attention, bells, .. } = &**shared;
    for event in &events {
        let author = event.message().map(|message| &message.user);
        for id in author.into_iter().chain(event.person().map(|person| &person.id)) {
            lookups.want(Lookup::Person(id.clone()));
        }
        want_files(lookups, event);
    }
    for batch in events.chunks(MOST_AT_ONCE) {
        let arrived = store.intake().apply_history(batch.to_vec(), attention, seen_at, clock.now()).await?;
        if !arrived.places.is_empty() {
            bells.ring(Bell::Replies);
        }
        progress.fetched(arrived.applied.new, clock.now());
    }
    Ok(())
}

/// Queues lookups of the files of which a message tells only the id.
pub(in crate::live::slack) fn want_files(lookups: &Lookups, event: &Event) {
    let Event::Sighting(told) = event else { return };
    for id in &told.stubs {
        let channel = told.message.channel.clone();
        let ts = told.message.ts;
        lookups.want(Lookup::File { channel, ts, id: id.clone() });
    }
}
