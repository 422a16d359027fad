//! Takes one event into the archive: a message that is new, changed or deleted.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Sighting, User},
    text::{terms_of_text, with_secrets_masked},
};

use super::{
    batch::{Arrival, Batch, MessageBefore, message_before},
    directory::{UserChange, heard_until, put_channel, put_dated, put_hearsay, put_user},
    expiry,
    followers::{memories_follow, raw_copies_follow},
    row_change::RowChange,
    triggers,
};
use crate::{
    StoreError,
    archive::{EventGrounds, deletions, secrets},
    db::{Tx, values::opt_ts},
    hearing::{
        removals::Removed,
        unread_events::{self, RawCopies},
    },
    recall::word_counts::counted::{WordSource, terms_of_message},
};

impl Batch<'_> {
    pub(super) async fn apply(&mut self, tx: &mut Tx, event: Event) -> Result<(), StoreError> {
        if !self.may_stand_beside_new_rows(&event) {
            self.new_rows.write(tx).await?;
        }
        if self.leave_out_event(tx, &event).await? {
            return Ok(());
        }
        match event {
            Event::Channel(channel) => {
                self.recall.forget_openness();
                let before = put_channel(tx, &channel, self.now).await?;
                self.left_out.note_place_key(tx, &channel).await?;
                self.heed_channel(tx, &channel, before).await
            }
            Event::User(user) => {
                let change = put_user(tx, &user, false, self.now).await?;
                self.heed_name(tx, &user, change).await
            }
            Event::Departed(user) => {
                let change = put_user(tx, &user, true, self.now).await?;
                self.heed_name(tx, &user, change).await
            }
            Event::Dated(dated) => {
                let change = put_dated(tx, &dated, self.now).await?;
                self.heed_name(tx, &dated.user, change).await
            }
            Event::Hearsay(hearsay) => {
                let change = put_hearsay(tx, &hearsay, self.now).await?;
                if hearsay.is_their_name() {
                    self.heed_name(tx, &hearsay.user, change).await
                } else {
                    self.heed_user(tx, &hearsay.user, change).await
                }
            }
            Event::Message(message) => self.take_message(tx, Sighting::from(message)).await,
            Event::Sighting(sighting) => self.take_message(tx, *sighting).await,
            Event::Deleted { channel, ts } => self.store_tombstone(tx, &channel, ts).await,
            Event::HeardUntil { channel, until } => heard_until(tx, &channel, until).await,
            Event::AnswerStopped(stop) => self.stop_answers(tx, stop).await,
            Event::Voted(vote) => self.take_vote(tx, vote).await,
            Event::Unread { key, raw, error } => {
                let raw = if self.masks { secrets::mask_json(&raw) } else { raw };
                let kept = unread_events::keep_raw_copy(tx, &key, &raw, &error, self.now).await?;
                self.arrived.applied.unread += kept;
                Ok(())
            }
        }
    }

    /// Heeds what is told of somebody who bears this name, or bore it.
    async fn heed_name(&mut self, tx: &mut Tx, user: &User, change: UserChange) -> Result<(), StoreError> {
        self.left_out.note_name(tx, user, self.now).await?;
        self.heed_user(tx, user, change).await
    }

    pub(super) fn arrival_in_channel(&self, channel: &ChannelId) -> Arrival {
        self.channels.get(channel).copied().unwrap_or(Arrival::NOWHERE)
    }

    /// Takes a message in: its row, and then what follows from a change of it, in the order in which it happens.
    async fn take_message(&mut self, tx: &mut Tx, sighting: Sighting) -> Result<(), StoreError> {
        let channel = sighting.message.channel.clone();
        let ts = sighting.message.ts;
        if sighting.message.deleted {
            return self.store_tombstone(tx, &channel, ts).await;
        }
        let secrets = secrets::kinds_in_message(&sighting.message);
        let sighting = if self.masks { secrets::mask_sighting(sighting) } else { sighting };
        let arrival = self.arrival_in_channel(&channel);
        if arrival.has_expired && expiry::has_expired(tx, &channel, ts).await? {
            return self.put_expired(tx, &sighting, arrival.revision).await;
        }
        let change = if self.is_later_than_all(ts, arrival) {
            self.add_new_row(tx, &sighting, arrival).await?
        } else {
            self.new_rows.write(tx).await?;
            self.write_message_row(tx, &sighting, arrival).await?
        };
        self.note_changed_words(&sighting.message, arrival, &change, !secrets.is_empty());
        raw_copies_follow(tx, &sighting, &change).await?;
        memories_follow(tx, &sighting.message, arrival, &change).await?;
        self.heed_wish(tx, &sighting, change.fate()).await?;
        if change.asks_for_secrets(&secrets) {
            secrets::note_secret_kinds(tx, &channel, ts, &secrets).await?;
        }
        Ok(())
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
            self.recount_words(channel, ts, before.as_ref(), None, false);
            self.recall.note_message(channel, self.arrival_in_channel(channel).number, ts);
            self.touch_channel(channel);
            triggers::take_out(tx, channel, ts, self.now).await?;
        }
        Ok(())
    }

    /// Counts what became of a message, and notes that its words changed in the index, the counts of words and what was
    /// made from them. All of this is written with the batch.
    fn note_changed_words(
        &mut self,
        message: &Message,
        arrival: Arrival,
        change: &RowChange,
        has_secrets: bool,
    ) {
        let applied = &mut self.arrived.applied;
        match change {
            RowChange::Inserted => applied.new += 1,
            RowChange::BroughtBack => applied.brought_back += 1,
            RowChange::Edited { is_read_better: true, .. } => applied.reread += 1,
            RowChange::Edited { is_read_better: false, .. } => applied.changed += 1,
            RowChange::Unchanged => {
                applied.same += 1;
                return;
            }
        }
        if matches!(change, RowChange::Inserted) {
            self.recall.note_new_message(message, arrival.number, has_secrets);
        } else {
            self.recall.note_message(&message.channel, arrival.number, message.ts);
        }
        self.recount_words(&message.channel, message.ts, change.before(), Some(message), !has_secrets);
        if let RowChange::Edited { before, is_read_better: false } = change
            && before.is_talk()
            && !before.is_said_by(message)
        {
            self.note_removed((&message.channel, message.ts), Some(before), Some(&message.text));
        }
    }

    /// Counts the words that a message holds now instead of those it held before. `is_without_secrets` if it is known that
    /// no text of it holds a secret now.
    pub(super) fn recount_words(
        &mut self,
        channel: &ChannelId,
        ts: MessageTs,
        before: Option<&MessageBefore>,
        after: Option<&Message>,
        is_without_secrets: bool,
    ) {
        if ts.as_micros() > self.arrival_in_channel(channel).words_to {
            return;
        }
        let before = before.filter(|before| before.is_talk());
        let after = after.filter(|after| after.is_talk());
        self.words.note(
            channel,
            before.map(|before| WordSource::of(&before.user, &before.text, &before.files)),
            after.map(|after| WordSource {
                is_without_secrets,
                ..WordSource::of(&after.user, &after.text, &after.files)
            }),
        );
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
