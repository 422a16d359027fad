//! Fetches replies in threads that the archive does not have, and finds those that were edited or deleted.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt as _;
use myao_core::{
    chat::{ChannelId, Event, Listed, Message, MessageTs},
    memory::SETTLING_SECONDS,
};
use myao_slack::{
    api::ApiError,
    history::{HistoryPage, Parent},
};
use myao_store::{ThreadSize, ThreadToRecheck};

use super::{
    absent::{MUCH_IS_MISSING, delete_missing_messages},
    fill::{Sweep, store_fetched},
    progress::SweepProgress,
    trouble::SweepTrouble,
    unsettled::UnsettledSpan,
};
use crate::live::slack::SlackRun;

/// Slack's errors for a thread that is gone with its root.
const GONE: [&str; 2] = ["thread_not_found", "message_not_found"];

/// What came of reading a thread.
struct ThreadRead {
    /// False when so much is missing that nothing was taken for deleted.
    is_whole: bool,
    /// Replies that were not listed, and were too young for that to tell anything.
    unsettled: Option<UnsettledSpan>,
}

impl Sweep<'_> {
    /// Fetches missing replies under the roots of a page, which lie between `oldest` and `newest`, the newest thread
    /// first. A recently active thread without missing replies, even one that only the archive knows, is left to be looked
    /// through for edits and deletions. False when so much is missing in a thread that nothing was taken for deleted.
    pub(super) async fn read_missing_replies(
        &mut self,
        page: &HistoryPage,
        oldest: MessageTs,
        newest: MessageTs,
    ) -> Result<bool, SweepTrouble> {
        let known =
            self.slack.shared.store.hearing().thread_sizes(self.course.channel(), oldest, newest).await?;
        let listed: BTreeMap<MessageTs, &Parent> =
            page.parents.iter().map(|parent| (parent.ts, parent)).collect();
        let roots: BTreeSet<MessageTs> = listed.keys().chain(known.keys()).copied().collect();
        let mut is_whole = true;
        let mut lively = Vec::new();
        for root in roots.into_iter().rev() {
            let parent = listed.get(&root).copied();
            let have = known.get(&root).copied();
            let told = parent.and_then(|parent| parent.latest_reply);
            let latest = told.max(have.map(|have| have.latest)).unwrap_or(root);
            let channel = self.course.channel().clone();
            let recheck_from = self.course.recheck_from;
            let thread = ThreadToRecheck { channel, root, recheck_from, latest, noted: 0 };
            if self.may_miss_replies(parent, have) {
                let from = Some(self.course.gap.from);
                if !self.is_for_asker {
                    self.slack.waiting.let_askers_pass().await;
                }
                let read = read_thread_since(self.slack, self.progress, &thread, from).await?;
                is_whole &= read.is_whole;
                if read.unsettled.is_some() {
                    self.course.unsettled_threads.push(thread);
                }
                self.course.note_unsettled(read.unsettled);
            } else if latest >= self.course.recheck_from {
                let young =
                    have.map(|have| have.latest).filter(|latest| self.is_unsettled_beyond(*latest, parent));
                let waiting = match young {
                    Some(_) => &mut self.course.unsettled_threads,
                    None => &mut lively,
                };
                waiting.push(thread);
                self.course.note_unsettled(young.map(UnsettledSpan::of_message));
            }
        }
        self.slack.shared.store.hearing().note_threads_to_recheck(&lively).await?;
        Ok(is_whole)
    }

    /// Whether the newest reply that the archive has of a thread comes after all that the page tells of, and is too young for
    /// that to tell anything.
    fn is_unsettled_beyond(&self, latest: MessageTs, told: Option<&Parent>) -> bool {
        let told = told.and_then(|parent| parent.latest_reply);
        let is_young = self.settled <= latest && latest < self.began;
        is_young && told < Some(latest)
    }

    /// Whether replies may be missing, or were deleted: the archive has more of them than the page tells of. That it has
    /// fewer means nothing in a thread that is older than the gap, of which the archive need not have all: it is read if
    /// anything was said there since the gap began.
    fn may_miss_replies(&self, parent: Option<&Parent>, have: Option<ThreadSize>) -> bool {
        let told = parent.map_or(0, |parent| parent.reply_count);
        let recheck_from = self.course.recheck_from;
        if have.is_some_and(|have| have.replies > told && have.latest >= recheck_from) {
            return true;
        }
        let Some(parent) = parent else { return false };
        let is_as_told = have.is_some_and(|have| {
            have.replies == parent.reply_count
                && parent.latest_reply.is_none_or(|latest| latest == have.latest)
        });
        match parent.latest_reply {
            Some(latest) if parent.ts < self.course.gap.from => latest >= self.course.gap.from,
            Some(_) | None => !is_as_told,
        }
    }
}

/// Looks for recent edits and deletions in a thread.
pub(super) async fn recheck_recent_changes(
    slack: &SlackRun,
    progress: &SweepProgress,
    thread: &ThreadToRecheck,
) -> Result<(), SweepTrouble> {
    if !read_thread_since(slack, progress, thread, None).await?.is_whole {
        let subject = format!("history:{}", thread.channel);
        slack.shared.store.memory().flag_for_person(&subject, MUCH_IS_MISSING).await?;
    }
    Ok(())
}

/// Reads a thread from the time on from which edits are looked for, or from `gap_from` if that is earlier. Replies
/// before `gap_from`, or all if it is `None`, are stored only if the archive has them; a reply that the archive has and
/// the thread does not was deleted.
async fn read_thread_since(
    slack: &SlackRun,
    progress: &SweepProgress,
    thread: &ThreadToRecheck,
    gap_from: Option<MessageTs>,
) -> Result<ThreadRead, SweepTrouble> {
    let &ThreadToRecheck { ref channel, root, recheck_from, .. } = thread;
    let from = gap_from.map_or(recheck_from, |gap| gap.min(recheck_from)).max(root);
    let began = MessageTs::from_timestamp(slack.shared.clock.now());
    let pages = pages_of_thread(slack, channel, root, from).await?;
    let held = slack
        .shared
        .store
        .archive()
        .held_between(channel, Some(root), from.just_before(), MessageTs::MAX)
        .await?;
    let known: BTreeSet<MessageTs> = held.iter().map(|message| message.ts).collect();
    let is_new = |ts: MessageTs| gap_from.is_some_and(|gap| ts >= gap || ts == root);
    let is_wanted = |event: &&Event| match event {
        Event::Message(Message { ts, .. }) | Event::Deleted { ts, .. } => is_new(*ts) || known.contains(ts),
        Event::Sighting(told) => is_new(told.message.ts) || known.contains(&told.message.ts),
        Event::Channel(_)
        | Event::User(_)
        | Event::Departed(_)
        | Event::Dated(_)
        | Event::Hearsay(_)
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => gap_from.is_some(),
    };
    for page in &pages {
        store_fetched(slack, progress, page.events.iter().filter(is_wanted).cloned().collect(), began)
            .await?;
    }
    let seen: Vec<MessageTs> = pages.iter().flat_map(|page| page.seen.iter().copied()).collect();
    // A reply after this time may not be in the history yet.
    let settled = began.plus_seconds(-SETTLING_SECONDS);
    let hides_older = pages.iter().any(|page| page.hides_older);
    let after = from.max(recheck_from).just_before();
    let listed = Listed { seen: &seen, after, before: settled, hides_older, is_announced: false };
    let is_whole = delete_missing_messages(slack, channel, &held, listed, began).await?;
    let unsettled = UnsettledSpan::of_unlisted(&held, &seen, settled.max(after), began);
    Ok(ThreadRead { is_whole, unsettled: unsettled.filter(|_| !hides_older) })
}

/// The pages of a thread since `from`, with its root; empty if the thread is gone.
pub(super) async fn pages_of_thread(
    slack: &SlackRun,
    channel: &ChannelId,
    root: MessageTs,
    from: MessageTs,
) -> Result<Vec<HistoryPage>, SweepTrouble> {
    match slack.client.replies(channel, root, from).try_collect().await {
        Ok(pages) => Ok(pages),
        Err(ApiError::Refused { error, .. }) if GONE.contains(&error.as_str()) => {
            tracing::debug!(%channel, %root, "the thread is gone");
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}
