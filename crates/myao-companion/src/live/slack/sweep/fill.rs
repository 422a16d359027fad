//! Fills the gap of one channel, from the newest page of its history to the oldest.
//!
//! A page is stored as swept once its messages are in the archive, those that it no longer lists are deleted there, and
//! its threads are fetched. A sweep that is killed anywhere therefore continues below its last complete page (ADR 15).
//!
//! Pages go back beyond the gap: to the roots of threads in which something may have been said during the gap, and over
//! the time in which edits and deletions are looked for. Of messages before the gap only those that the archive has are
//! updated: how far the archive goes back is not decided here.

use std::{collections::BTreeSet, pin::pin};

use futures::TryStreamExt as _;
use jiff::SignedDuration;
use myao_core::{
    chat::{Event, Listed, Message, MessageTs, instant_after},
    memory::SETTLING_SECONDS,
};
use myao_slack::history::HistoryPage;
use myao_store::Gap;

use super::{MUCH_IS_MISSING, SweepProgress, SweepTrouble, absent::delete_missing_messages};
use crate::live::{Bell, Lookup, Lookups, RunContext, slack::SlackRun};

/// The most events stored in one transaction, so that an acknowledgement never waits long behind a sweep.
const MOST_AT_ONCE: usize = 400;
/// The age, in seconds, after which threads rarely get replies (design §2: 10 of 2,562).
const THREADS_LIVE: i64 = 30 * 24 * 3600;
/// How far Slack's clock may be ahead of ours.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(1);

/// A sweep of one channel.
pub(super) struct Sweep<'a> {
    pub(super) slack: &'a SlackRun,
    pub(super) gap: &'a Gap,
    pub(super) progress: &'a SweepProgress,
    /// The time from which on edits and deletions are looked for.
    pub(super) recheck_from: MessageTs,
    /// A message after this time is never taken for deleted: it may not be in the history yet.
    settled: MessageTs,
    /// When the sweep began: what it reads shows how things stand then or later.
    began: MessageTs,
    /// The roots of recently active threads that had nothing to fetch.
    pub(super) lively: Vec<MessageTs>,
}

/// A stretch of a channel's history, both ends included.
struct HistoryRange {
    oldest: MessageTs,
    /// `None`: now.
    latest: Option<MessageTs>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(slack: &'a SlackRun, gap: &'a Gap, progress: &'a SweepProgress) -> Self {
        let began = MessageTs::from_timestamp(slack.shared.clock.now());
        let settled = began.plus_seconds(-SETTLING_SECONDS);
        let recheck_from = slack.recheck_from();
        Self { slack, gap, progress, recheck_from, settled, began, lively: Vec::new() }
    }

    /// Fills the gap, and closes it unless the connection was interrupted again meanwhile. Returns the roots of threads
    /// that are still to be rechecked for edits and deletions.
    pub(super) async fn fill(&mut self) -> Result<Vec<MessageTs>, SweepTrouble> {
        let mut is_whole = true;
        for stretch in self.stretches() {
            is_whole &= self.read_stretch(&stretch).await?;
        }
        let subject = format!("history:{}", self.gap.channel);
        if is_whole {
            self.slack.shared.store.memory().clear_after_success(&subject).await?;
        } else {
            self.slack.shared.store.memory().flag_for_person(&subject, MUCH_IS_MISSING).await?;
        }
        if !self.slack.shared.store.hearing().close_filled_gap(self.gap).await? {
            tracing::debug!(channel = %self.gap.channel, "the gap was opened again");
        }
        Ok(std::mem::take(&mut self.lively))
    }

    /// What has to be read. If an earlier sweep was interrupted, the threads were complete up to its newest message, so
    /// that they are read from there on.
    fn stretches(&self) -> Vec<HistoryRange> {
        let back = |from: MessageTs| from.plus_seconds(-THREADS_LIVE).min(self.recheck_from);
        let whole = HistoryRange { oldest: back(self.gap.from), latest: None };
        match self.gap.swept {
            Some((from, to)) if back(to) > from => {
                vec![
                    HistoryRange { oldest: back(to), latest: None },
                    HistoryRange { latest: Some(from), ..whole },
                ]
            }
            _ => vec![whole],
        }
    }

    /// Reads a stretch. False when so much is missing there that nothing was taken for deleted.
    async fn read_stretch(&mut self, stretch: &HistoryRange) -> Result<bool, SweepTrouble> {
        let SlackRun { shared, client, .. } = self.slack;
        let RunContext { store, clock, .. } = &**shared;
        let channel = &self.gap.channel;
        let ahead = instant_after(clock.now(), CLOCKS_APART);
        let latest = stretch.latest.unwrap_or_else(|| MessageTs::from_timestamp(ahead));
        let mut pages = pin!(client.history(channel, stretch.oldest, latest));
        let mut before = stretch.latest.map_or(self.settled, |latest| latest.min(self.settled));
        let mut top = stretch.latest;
        let mut is_whole = true;
        while let Some(page) = pages.try_next().await? {
            store_fetched(self.slack, self.progress, self.events_to_store(&page).await?, self.began).await?;
            let Some((oldest, newest)) = page.oldest().zip(page.newest()) else { continue };
            is_whole &= self.forget_deleted(&page, oldest, before).await?;
            // Up to where the previous page began, to include deleted roots between the two.
            let up_to = if before < newest { newest } else { before.just_before() };
            is_whole &= self.read_missing_replies(&page, oldest, up_to).await?;
            let from = oldest.max(self.gap.from).just_before();
            let to = *top.get_or_insert(newest);
            if from < to {
                // This is ignored until it reaches what was swept before; the page that does stores all of it.
                store.hearing().note_swept(channel, from, to).await?;
            }
            before = before.min(oldest);
        }
        Ok(is_whole)
    }

    /// The events of a page that are to be stored: all in the gap; before it those of messages that the archive has, as
    /// far back as edits are looked for.
    async fn events_to_store(&self, page: &HistoryPage) -> Result<Vec<Event>, SweepTrouble> {
        let begin = self.recheck_from.min(self.gap.from);
        let to = self.gap.from;
        let from = self.recheck_from.just_before();
        let known = match page.oldest() {
            Some(oldest) if oldest < to && from < to => {
                self.slack
                    .shared
                    .store
                    .archive()
                    .held_between(&self.gap.channel, None, from.max(oldest.just_before()), to)
                    .await?
            }
            _ => Vec::new(),
        };
        let known: BTreeSet<MessageTs> = known.into_iter().map(|message| message.ts).collect();
        let is_recent = page.newest().is_none_or(|newest| newest >= begin);
        let is_wanted = |event: &&Event| match event {
            Event::Message(Message { ts, .. }) | Event::Deleted { ts, .. } => {
                *ts >= self.gap.from || known.contains(ts)
            }
            Event::Sighting(told) => told.message.ts >= self.gap.from || known.contains(&told.message.ts),
            Event::Channel(_)
            | Event::User(_)
            | Event::Hearsay(_)
            | Event::HeardUntil { .. }
            | Event::Unread { .. } => is_recent,
        };
        Ok(page.events.iter().filter(is_wanted).cloned().collect())
    }

    /// Deletes messages that a page should list and does not. A page lists everything from its oldest message up to where
    /// the previous page began, or to the present. False when too much is missing.
    async fn forget_deleted(
        &self,
        page: &HistoryPage,
        oldest: MessageTs,
        before: MessageTs,
    ) -> Result<bool, SweepTrouble> {
        let channel = &self.gap.channel;
        let after = oldest.max(self.recheck_from.just_before());
        if after >= before {
            return Ok(true);
        }
        let held = self.slack.shared.store.archive().held_between(channel, None, after, before).await?;
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
