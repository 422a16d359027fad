//! What was said in threads, as far as it is not in the archive.

use std::collections::BTreeSet;

use futures::TryStreamExt as _;
use myao_core::chat::{ChannelId, Event, MessageTs};
use myao_slack::{
    api::ApiError,
    history::{Page, Parent},
};
use myao_store::ThreadSize;

use super::{
    Progress, Trouble,
    fill::{Sweep, apply},
};
use crate::live::Shared;

/// Slack's words for a thread that is gone with its root.
const GONE: [&str; 2] = ["thread_not_found", "message_not_found"];

impl Sweep<'_> {
    /// Fetches the replies that are missing under the roots of a page, the newest thread first.
    pub(super) async fn read_threads(
        &mut self,
        page: &Page,
        oldest: MessageTs,
        newest: MessageTs,
    ) -> Result<(), Trouble> {
        if page.parents.is_empty() {
            return Ok(());
        }
        let sizes = self.shared.store.thread_sizes(&self.gap.channel, oldest, newest).await?;
        let mut parents: Vec<&Parent> = page.parents.iter().collect();
        parents.sort_unstable_by_key(|parent| std::cmp::Reverse(parent.ts));
        for parent in parents {
            if self.may_miss_replies(parent, sizes.get(&parent.ts).copied()) {
                for replies in replies(self.shared, &self.gap.channel, parent.ts, self.gap.from).await? {
                    self.apply(replies).await?;
                }
            } else if parent.latest_reply.is_some_and(|latest| latest >= self.recheck_from) {
                self.lively.push(parent.ts);
            }
        }
        Ok(())
    }

    /// Of an older thread the archive need not have everything, so that its size tells nothing: it is looked
    /// into if anything was said there since the gap began.
    fn may_miss_replies(&self, parent: &Parent, have: Option<ThreadSize>) -> bool {
        let is_as_told = have.is_some_and(|have| {
            have.replies == parent.reply_count
                && parent.latest_reply.is_none_or(|latest| latest == have.latest)
        });
        match parent.latest_reply {
            Some(latest) if parent.ts < self.gap.from => latest >= self.gap.from,
            Some(_) | None => !is_as_told,
        }
    }
}

/// Looks for what was edited in a thread of late. A reply that is absent is not taken for deleted.
pub(super) async fn recheck(
    shared: &Shared,
    progress: &Progress,
    channel: &ChannelId,
    root: MessageTs,
) -> Result<(), Trouble> {
    let from = shared.recheck_from();
    for events in replies(shared, channel, root, from).await? {
        let begin = from.max(root).just_before();
        let known = shared.store.talk_between(channel, Some(root), begin, MessageTs::MAX).await?;
        let known: BTreeSet<MessageTs> = known.into_iter().collect();
        let is_known = |event: &Event| match event {
            Event::Message(message) => known.contains(&message.ts),
            Event::Deleted { ts, .. } => known.contains(ts),
            Event::Channel(_) | Event::User(_) | Event::HeardUntil { .. } | Event::Unread { .. } => false,
        };
        apply(shared, progress, events.into_iter().filter(|event| is_known(event)).collect()).await?;
    }
    Ok(())
}

/// The replies of a thread since `from`, page by page, its root besides; nothing where it is gone.
async fn replies(
    shared: &Shared,
    channel: &ChannelId,
    root: MessageTs,
    from: MessageTs,
) -> Result<Vec<Vec<Event>>, Trouble> {
    let pages = shared.client.replies(channel, root, root.max(from));
    match pages.map_ok(|page| page.events).try_collect().await {
        Ok(pages) => Ok(pages),
        Err(ApiError::Refused { error, .. }) if GONE.contains(&error.as_str()) => {
            tracing::debug!(%channel, %root, "the thread is gone");
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}
