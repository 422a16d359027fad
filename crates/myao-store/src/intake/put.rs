//! Takes one event into the archive: a message that is new, changed or deleted.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Sighting},
    memory::{MemoryScope, MemoryType, make_thread_scope_id},
    text::{terms_of_text, with_secrets_masked},
};

use super::{
    batch::{Arrival, Batch, MessageBefore, MessageChange, message_before},
    directory::{heard_until, put_channel, put_hearsay, put_user},
    expiry, triggers,
};
use crate::{
    StoreError,
    archive::{
        EventGrounds,
        deletions::{self, changed_at},
        secrets,
    },
    db::{
        Tx,
        values::{opt_ts, ts_or_zero},
    },
    hearing::{
        removals::Removed,
        unread_events::{self, RawCopies},
    },
    memory::memories,
    recall::word_counts::counted::terms_of_message,
};

impl Batch<'_> {
    pub(super) async fn apply(&mut self, tx: &mut Tx, event: Event) -> Result<(), StoreError> {
        if self.leave_out_event(tx, &event).await? {
            return Ok(());
        }
        match event {
            Event::Channel(channel) => {
                let before = put_channel(tx, &channel, self.now).await?;
                self.heed_channel(tx, &channel, before).await
            }
            Event::User(user) => {
                let change = put_user(tx, &user).await?;
                self.heed_user(tx, &user, change).await
            }
            Event::Hearsay(hearsay) => {
                let change = put_hearsay(tx, &hearsay).await?;
                self.heed_user(tx, &hearsay.user, change).await
            }
            Event::Message(message) => self.take_message(tx, Sighting::from(message)).await,
            Event::Sighting(sighting) => self.take_message(tx, *sighting).await,
            Event::Deleted { channel, ts } => self.store_tombstone(tx, &channel, ts).await,
            Event::HeardUntil { channel, until } => heard_until(tx, &channel, until).await,
            Event::Unread { key, raw, error } => {
                let raw = if self.masks { secrets::mask_json(&raw) } else { raw };
                let kept = unread_events::keep_raw_copy(tx, &key, &raw, &error, self.now).await?;
                self.arrived.applied.unread += kept;
                Ok(())
            }
        }
    }

    pub(super) fn arrival_in_channel(&self, channel: &ChannelId) -> Arrival {
        self.channels.get(channel).copied().unwrap_or(Arrival::NOWHERE)
    }

    async fn take_message(&mut self, tx: &mut Tx, sighting: Sighting) -> Result<(), StoreError> {
        if sighting.message.deleted {
            return self.store_tombstone(tx, &sighting.message.channel, sighting.message.ts).await;
        }
        self.take_in_message(tx, sighting).await
    }

    /// Takes a message in, and notes which secrets it holds.
    async fn take_in_message(&mut self, tx: &mut Tx, sighting: Sighting) -> Result<(), StoreError> {
        let kinds = secrets::kinds_in_message(&sighting.message);
        let sighting = if self.masks { secrets::mask_sighting(sighting) } else { sighting };
        let channel = sighting.message.channel.clone();
        let ts = sighting.message.ts;
        match self.put_message(tx, &sighting).await? {
            MessageChange::New if kinds.is_empty() => Ok(()),
            MessageChange::Same => Ok(()),
            MessageChange::New | MessageChange::Changed | MessageChange::ReadBetter => {
                secrets::note_secret_kinds(tx, &channel, ts, &kinds).await.map(drop)
            }
        }
    }

    async fn put_message(&mut self, tx: &mut Tx, sighting: &Sighting) -> Result<MessageChange, StoreError> {
        let message = &sighting.message;
        let files = serde_json::to_string(&message.files)?;
        let arrival = self.arrival_in_channel(&message.channel);
        if arrival.has_expired && expiry::has_expired(tx, &message.channel, message.ts).await? {
            self.put_expired(tx, sighting, arrival.revision).await?;
            return Ok(MessageChange::Same);
        }
        let new = on!(tx, c => sqlx::query(
            "INSERT INTO messages
                (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10) ON CONFLICT (channel_id, ts) DO NOTHING")
            .bind(message.channel.as_str()).bind(message.ts.as_micros())
            .bind(ts_or_zero(message.thread_ts)).bind(message.user.as_str()).bind(message.kind.as_str())
            .bind(&message.text).bind(&files).bind(ts_or_zero(message.edited_at)).bind(arrival.revision)
            .bind(ts_or_zero(changed_at(sighting.telling)))
            .execute(c).await.map(|done| done.rows_affected()))?;
        if new == 1 {
            self.recall.note_message(&message.channel, arrival.number, message.ts);
            self.arrived.applied.new += 1;
            if message.edited_at.is_some() || changed_at(sighting.telling).is_some() {
                unread_events::drop_superseded_copy(tx, &message.channel, message.ts).await?;
            }
            if message.is_talk() {
                self.recount_words(&message.channel, message.ts, None, Some(message));
                comes_late(tx, message, arrival).await?;
            }
            self.heed_wish(tx, sighting, MessageChange::New).await?;
            return Ok(MessageChange::New);
        }
        let before = message_before(tx, &message.channel, message.ts).await?;
        if self.stands_again(tx, sighting, before.as_ref()).await? {
            return self.restore_message(tx, sighting, &files, arrival).await;
        }
        let change = self.edit_stored_message(tx, sighting, &files, before, arrival).await?;
        self.heed_wish(tx, sighting, change).await?;
        Ok(change)
    }

    /// Stores a tombstone, even if there is no message yet: nothing may bring the message back, unless it was only
    /// concluded that it was deleted.
    pub(super) async fn store_tombstone(
        &mut self,
        tx: &mut Tx,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<(), StoreError> {
        let before = message_before(tx, channel, ts).await?;
        let gone = on!(tx, c => sqlx::query(
            "INSERT INTO messages
                (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
             VALUES ($1, $2, 0, '', 'talk', '', '[]', 0, 1, $3)
             ON CONFLICT (channel_id, ts) DO UPDATE
             SET text = '', files = '[]', deleted = 1, revision = excluded.revision
             WHERE messages.deleted <> 1")
            .bind(channel.as_str()).bind(ts.as_micros()).bind(self.arrival_in_channel(channel).revision)
            .execute(c).await.map(|done| done.rows_affected()))?;
        self.arrived.applied.deleted += gone;
        self.arrived.applied.same += 1 - gone.min(1);
        if gone == 1 || self.grounds.are_final() {
            deletions::note_deletion_grounds(tx, channel, ts, self.grounds).await?;
        }
        if gone == 1 {
            unread_events::forget_raw_copies(tx, &RawCopies::OfMessage(channel.clone(), ts)).await?;
            secrets::note_secret_kinds(tx, channel, ts, &BTreeSet::new()).await?;
            deletions::follow_deletion(tx, channel, ts).await?;
            self.note_removed((channel, ts), before.as_ref(), None);
            self.recount_words(channel, ts, before.as_ref(), None);
            self.recall.note_message(channel, self.arrival_in_channel(channel).number, ts);
            self.touch_channel(channel);
            triggers::take_out(tx, channel, ts, self.now).await?;
        }
        Ok(())
    }

    /// Counts the words that a message holds now instead of those it held before.
    pub(super) fn recount_words(
        &mut self,
        channel: &ChannelId,
        ts: MessageTs,
        before: Option<&MessageBefore>,
        after: Option<&Message>,
    ) {
        if ts.as_micros() > self.arrival_in_channel(channel).words_to {
            return;
        }
        let before = before.filter(|before| before.is_talk()).map(|b| (&b.user, b.text.as_str(), &*b.files));
        let after = after.filter(|after| after.is_talk()).map(|a| (&a.user, a.text.as_str(), &*a.files));
        self.words.note(channel, before, after);
    }

    /// Notes words that are no longer said. A forgetting goes by what people said alone (ADR 89), and lists our posts
    /// before; else those made from what others said follow at once.
    pub(super) fn note_removed(
        &mut self,
        (channel, ts): (&ChannelId, MessageTs),
        before: Option<&MessageBefore>,
        after: Option<&str>,
    ) {
        let Some(mut one) = removed_words(channel, ts, before, after) else { return };
        let are_ours = before.is_some_and(|before| self.words.are_ours(&before.user));
        let are_forgotten = self.grounds == EventGrounds::Forgotten;
        if are_ours && are_forgotten {
            one.terms.clear();
        }
        one.do_posts_follow = !are_ours && !are_forgotten;
        self.removed.push(one);
    }
}

/// The words that are no longer said, if there were any; `after` is the new text of an edit.
fn removed_words(
    channel: &ChannelId,
    ts: MessageTs,
    before: Option<&MessageBefore>,
    after: Option<&str>,
) -> Option<Removed> {
    let before = before.filter(|before| before.is_talk() || before.is_expired)?;
    Some(Removed {
        channel: channel.clone(),
        ts,
        thread: opt_ts(before.thread).unwrap_or(ts),
        revision: before.revision,
        is_gone: after.is_none(),
        is_expired: before.is_expired,
        terms: &terms_of_message(&before.text, &before.files)
            - &terms_of_text(&with_secrets_masked(after.unwrap_or_default())),
        do_posts_follow: false,
    })
}

/// Talk that arrives inside a chapter that is already cut makes the chapter outdated: it is shown until it is rebuilt
/// (specification §6). The memory of the talk's thread is written anew.
pub(super) async fn comes_late(tx: &mut Tx, message: &Message, arrival: Arrival) -> Result<(), StoreError> {
    if message.ts.as_micros() > arrival.chapters_end {
        return Ok(());
    }
    on!(tx, c => sqlx::query(
        "UPDATE chapters SET late_revision = $3 WHERE channel_id = $1 AND from_ts < $2 AND to_ts >= $2")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(arrival.revision)
        .execute(c).await.map(drop))?;
    let thread = make_thread_scope_id(&message.channel, message.thread());
    memories::delete_versions(tx, MemoryScope::Thread, &thread, MemoryType::ShortTerm, 1).await
}
