//! Takes messages for deleted that are missing somewhere, and brings back those that are seen again (ADR 82).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Event, Message, MessageTs};

use super::{
    arrive::take_in_batch,
    batch::{Applied, Taking},
    fences::ForgetFences,
};
use crate::{
    IntakeHandle, StoreError,
    archive::{DeletedAddress, EventGrounds, MissingIn},
};

impl IntakeHandle<'_> {
    /// Does the same as [`IntakeHandle::apply`] for events that show how things stood at `seen_at`, as an export or a
    /// history does: a message among them that was taken for deleted comes back, unless it was missing later than that
    /// in something that is known to hold everything.
    #[boxed]
    pub async fn apply_seen(
        &self,
        events: Vec<Event>,
        seen_at: MessageTs,
        now: Timestamp,
    ) -> Result<Applied, StoreError> {
        self.apply_on(events, EventGrounds::SeenAt(seen_at), now).await
    }

    /// Brings back messages that a person wants back: those that were taken for deleted, and those that an earlier
    /// version deleted without saying why. What the platform said, and what was forgotten, stays deleted.
    #[boxed]
    pub async fn bring_back(&self, messages: Vec<Message>, now: Timestamp) -> Result<Applied, StoreError> {
        let events = messages.into_iter().map(Event::Message).collect();
        self.apply_on(events, EventGrounds::WantedBack, now).await
    }

    /// Takes messages for deleted, since they are missing in something. They come back when they are seen later.
    #[boxed]
    pub async fn take_for_deleted(
        &self,
        channel: &ChannelId,
        missing: &[MessageTs],
        missing_in: MissingIn,
        now: Timestamp,
    ) -> Result<Applied, StoreError> {
        let deleted = |ts: &MessageTs| Event::Deleted { channel: channel.clone(), ts: *ts };
        self.apply_on(missing.iter().map(deleted).collect(), EventGrounds::Missing(missing_in), now).await
    }

    /// Which of these messages may come back: those that are neither forgotten nor of people and channels that opted out.
    #[boxed]
    pub async fn may_come_back(
        &self,
        messages: Vec<Message>,
    ) -> Result<BTreeSet<DeletedAddress>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let events: Vec<Event> = messages.into_iter().map(Event::Message).collect();
        let fences = ForgetFences::read(&mut tx, &events).await?;
        let opted_out = self.store.opt_outs.means(&mut tx).await?;
        let mut free = BTreeSet::new();
        for event in events.into_iter().filter(|event| !opted_out.holds(event)) {
            if let Event::Message(message) = event
                && !fences.covers(&message)
            {
                free.insert((message.channel, message.ts));
            }
        }
        Ok(free)
    }

    async fn apply_on(
        &self,
        events: Vec<Event>,
        grounds: EventGrounds,
        now: Timestamp,
    ) -> Result<Applied, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            // What is deleted is deleted whoever said it.
            let opt_outs = (!matches!(grounds, EventGrounds::Missing(_))).then_some(&*store.opt_outs);
            let taking = Taking { attention: None, opt_outs, masks: store.masks_archive, grounds };
            let applied = take_in_batch(&mut tx, events.clone(), taking, now).await?.applied;
            tx.commit().await?;
            Ok(applied)
        })
        .await
    }
}
