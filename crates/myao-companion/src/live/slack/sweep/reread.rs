//! Reads a channel's history again after the platform said that much of it was changed at once (a purge, retention, an
//! import): what is missing then was deleted, however much it is (ADR 81).

use std::{collections::BTreeSet, pin::pin};

use futures::TryStreamExt as _;
use myao_core::chat::{ChannelId, Event, HeldMessage, Listed, MessageTs};

use super::{
    SweepProgress, SweepTrouble, absent::delete_missing_messages, fill::store_fetched,
    threads::pages_of_thread,
};
use crate::live::slack::SlackRun;

/// Reads everything again that the archive has of a channel up to `until`, both included.
pub(super) async fn reread_channel_until(
    slack: &SlackRun,
    progress: &SweepProgress,
    channel: &ChannelId,
    until: MessageTs,
) -> Result<(), SweepTrouble> {
    let store = &slack.shared.store;
    let began = MessageTs::from_timestamp(slack.shared.clock.now());
    let end = MessageTs::from_micros(until.as_micros().saturating_add(1));
    let again = Again { slack, progress, channel, began };
    let top = store.archive().held_between(channel, None, MessageTs::MIN, end).await?;
    if let Some(first) = top.first().map(|message| message.ts) {
        again.top_level(&top, first, until).await?;
    }
    // Newest first, as everywhere.
    for root in store.hearing().thread_sizes(channel, MessageTs::MIN, until).await?.into_keys().rev() {
        again.read_thread_again(root, end).await?;
    }
    store.hearing().history_read_again(channel, until).await?;
    Ok(())
}

struct Again<'a> {
    slack: &'a SlackRun,
    progress: &'a SweepProgress,
    channel: &'a ChannelId,
    began: MessageTs,
}

impl Again<'_> {
    async fn top_level(
        &self,
        held: &[HeldMessage],
        first: MessageTs,
        until: MessageTs,
    ) -> Result<(), SweepTrouble> {
        let mut pages = pin!(self.slack.client.history(self.channel, first, until));
        let mut before = MessageTs::from_micros(until.as_micros().saturating_add(1));
        let mut hides_older = false;
        while let Some(page) = pages.try_next().await? {
            hides_older |= page.hides_older;
            store_fetched(self.slack, self.progress, page.events.clone(), self.began).await?;
            let Some(oldest) = page.oldest() else { continue };
            self.delete_missing_between(held, &page.seen, oldest, before, page.hides_older).await?;
            before = before.min(oldest);
        }
        // Nothing more is listed down to the beginning.
        self.delete_missing_between(held, &[], first.just_before(), before, hides_older).await
    }

    async fn read_thread_again(&self, root: MessageTs, end: MessageTs) -> Result<(), SweepTrouble> {
        let pages = pages_of_thread(self.slack, self.channel, root, root).await?;
        let held =
            self.slack.shared.store.archive().held_between(self.channel, Some(root), root, end).await?;
        let known: BTreeSet<MessageTs> = held.iter().map(|message| message.ts).collect();
        for page in &pages {
            let is_wanted = |event: &&Event| match event {
                Event::Message(message) => known.contains(&message.ts),
                Event::Sighting(told) => known.contains(&told.message.ts),
                Event::Deleted { ts, .. } => known.contains(ts),
                Event::Channel(_)
                | Event::User(_)
                | Event::Departed(_)
                | Event::Dated(_)
                | Event::Hearsay(_)
                | Event::HeardUntil { .. }
                | Event::AnswerStopped(_)
                | Event::Voted(_)
                | Event::Unread { .. } => false,
            };
            let events = page.events.iter().filter(is_wanted).cloned().collect();
            store_fetched(self.slack, self.progress, events, self.began).await?;
        }
        let seen: Vec<MessageTs> = pages.iter().flat_map(|page| page.seen.iter().copied()).collect();
        let hides_older = pages.iter().any(|page| page.hides_older);
        self.delete_missing_between(&held, &seen, root, end, hides_older).await
    }

    /// Takes for deleted what is missing between two time stamps, exclusive.
    async fn delete_missing_between(
        &self,
        held: &[HeldMessage],
        seen: &[MessageTs],
        after: MessageTs,
        before: MessageTs,
        hides_older: bool,
    ) -> Result<(), SweepTrouble> {
        let listed = Listed { seen, after, before, hides_older, is_announced: true };
        delete_missing_messages(self.slack, self.channel, held, listed, self.began).await.map(drop)
    }
}
