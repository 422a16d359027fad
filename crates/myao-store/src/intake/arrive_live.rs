//! Takes in what arrives while we listen: like every event, but also noting what wants an answer (design §5, T1).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{Event, MessageTs},
    judgment::Attention,
};

use super::{
    arrive::take_in_batch,
    batch::{Applied, Arrived},
    echo::are_echoes,
};
use crate::{IntakeHandle, StoreError, archive::EventGrounds};

impl IntakeHandle<'_> {
    /// Does the same as [`IntakeHandle::apply`] for what happens now or is caught up with: messages that want an answer
    /// become triggers in the same transaction, so that none is lost between the archive and the answer.
    ///
    /// The message as it stands counts, not the event. The same mention told twice is one trigger; an edit that adds a
    /// mention makes a trigger; an edit that removes the mention, or a deletion, takes the trigger out unless it is
    /// answered already. A trigger that comes too late is recorded as skipped.
    #[boxed]
    pub async fn apply_live(
        &self,
        events: Vec<Event>,
        attention: &Attention,
        now: Timestamp,
    ) -> Result<Arrived, StoreError> {
        self.apply_heeding(events, attention, EventGrounds::Told, now).await
    }

    /// Does the same as [`IntakeHandle::apply_live`] for a page of the platform's history, which shows how
    /// things stood at `seen_at`: a message on it that was taken for deleted before stands again
    /// ([`IntakeHandle::apply_seen`]).
    #[boxed]
    pub async fn apply_history(
        &self,
        events: Vec<Event>,
        attention: &Attention,
        seen_at: MessageTs,
        now: Timestamp,
    ) -> Result<Arrived, StoreError> {
        let events = events.into_iter().map(|event| event.listed_at(seen_at)).collect();
        self.apply_heeding(events, attention, EventGrounds::SeenAt(seen_at), now).await
    }

    async fn apply_heeding(
        &self,
        events: Vec<Event>,
        attention: &Attention,
        grounds: EventGrounds,
        now: Timestamp,
    ) -> Result<Arrived, StoreError> {
        let store = self.store.clone();
        let attention = attention.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if are_echoes(&mut tx, &events, &attention.own, store.masks_archive).await? {
                let posts = events.iter().filter(|event| event.message().is_some()).count();
                let same = u64::try_from(posts).unwrap_or(u64::MAX);
                return Ok(Arrived { applied: Applied { same, ..Applied::default() }, ..Arrived::default() });
            }
            let taking = store.intake().taking(Some(&attention), grounds);
            let arrived = take_in_batch(&mut tx, events.clone(), taking, now).await?;
            tx.commit().await?;
            Ok(arrived)
        })
        .await
    }
}
