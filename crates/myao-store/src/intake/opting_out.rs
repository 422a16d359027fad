//! Handles what arrives from people and in channels that opted out: nothing of it is archived, and what wants an answer
//! is kept until the answer is given (ADR 51).

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId, Event, Message, User, UserId, name_in_talk},
    judgment::Wish,
};

use super::{
    batch::{Batch, MessageBefore, NeverArchived, is_bot, message_before},
    directory,
    fences::RefusedName,
    opted_out, triggers,
};
use crate::{
    StoreError,
    db::Tx,
    hearing::opt_outs::{OptOutKind, OptOuts, OptedOut},
    replies::{is_unsettled_post, passing},
};

impl<'a> NeverArchived<'a> {
    pub(super) const fn new(opt_outs: &'a OptOuts, by_themselves: BTreeSet<String>) -> Self {
        Self { opt_outs: Some(opt_outs), by_themselves, now: None }
    }

    /// Leaves nobody out.
    pub(super) const fn nobody() -> Self {
        Self { opt_outs: None, by_themselves: BTreeSet::new(), now: None }
    }

    /// Whether nobody is left out.
    pub(super) fn are_none(&self) -> bool {
        self.by_themselves.is_empty() && self.opt_outs.is_none_or(OptOuts::are_empty)
    }

    /// Notes that a channel bears the name of a rule for places, if it does.
    pub(super) async fn note_place_key(&self, tx: &mut Tx, channel: &Channel) -> Result<(), StoreError> {
        let Some(opt_outs) = self.opt_outs else { return Ok(()) };
        let called = name_in_talk(&channel.name);
        if !opt_outs.places().named.contains(&called) {
            return Ok(());
        }
        opted_out::note_bearer(tx, OptOutKind::Place, &called, channel.id.as_str()).await
    }

    /// Notes that somebody bears or bore the name by which the owner left somebody out, if it is one. Whoever is called
    /// otherwise by what is newer is left out as well: by which of their names one of them is meant is not told.
    pub(super) async fn note_name(
        &mut self,
        tx: &mut Tx,
        user: &User,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let called = name_in_talk(&user.name);
        if self.opt_outs.is_some_and(|opt_outs| opt_outs.name_person(&called)) {
            self.now = None;
            opted_out::note_bearer(tx, OptOutKind::User, &called, user.id.as_str()).await?;
            opted_out::hide(tx, false, user.id.as_str(), now).await?;
        }
        Ok(())
    }

    /// The same of somebody whose name is stored nowhere, since they were forgotten. What they said after that is hidden,
    /// which takes a row of theirs.
    pub(super) async fn note_refused_name(
        &mut self,
        tx: &mut Tx,
        refused: &RefusedName,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let RefusedName { user, has_returned } = refused;
        let is_out = self.opt_outs.is_some_and(|outs| outs.name_person(&name_in_talk(&user.name)));
        if is_out && *has_returned {
            directory::put_nameless(tx, &user.id).await?;
        }
        self.note_name(tx, user, now).await
    }

    /// Whom it means at this moment.
    async fn mean(&mut self, tx: &mut Tx, at: Timestamp) -> Result<&OptedOut, StoreError> {
        let now = if let Some(now) = self.now.take() {
            now
        } else {
            let mut now = match self.opt_outs {
                Some(opt_outs) => opt_outs.resolve(tx, at).await?,
                None => OptedOut::default(),
            };
            if !self.by_themselves.is_empty() {
                // Their rows may have come after their wish.
                opted_out::hide_out_by_themselves(tx).await?;
            }
            now.users.extend(self.by_themselves.iter().cloned());
            now
        };
        Ok(self.now.insert(now))
    }

    /// Whether it may be kept that somebody did something in a channel: neither opted out.
    pub(super) async fn may_be_named(
        &mut self,
        tx: &mut Tx,
        user: &UserId,
        channel: &ChannelId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let now = self.mean(tx, at).await?;
        Ok(!now.users.contains(user.as_str()) && !now.channels.contains(channel.as_str()))
    }

    async fn holds(&mut self, tx: &mut Tx, event: &Event, at: Timestamp) -> Result<bool, StoreError> {
        match event {
            Event::User(_) | Event::Departed(_) | Event::Dated(_) | Event::Hearsay(_) | Event::Channel(_) => {
                self.now = None;
                return Ok(false);
            }
            Event::Message(_) | Event::Sighting(_) | Event::Unread { .. } => {}
            Event::Deleted { .. } | Event::HeardUntil { .. } | Event::AnswerStopped(_) | Event::Voted(_) => {
                return Ok(false);
            }
        }
        Ok(self.mean(tx, at).await?.holds(event))
    }
}

impl Batch<'_> {
    /// Leaves an event out of the archive if it has to be; `false` if it has not.
    pub(super) async fn leave_out_event(&mut self, tx: &mut Tx, event: &Event) -> Result<bool, StoreError> {
        if self.left_out.holds(tx, event, self.now).await? {
            self.arrived.applied.left_out += 1;
            if let Some(message) = event.message() {
                self.pass_through(tx, message).await?;
            }
            return Ok(true);
        }
        let Some(message) = event.message() else { return Ok(false) };
        let is_ours = self.words.are_ours(&message.user);
        if !is_ours || message.deleted {
            return Ok(false);
        }
        is_unsettled_post(tx, message).await
    }

    async fn pass_through(&mut self, tx: &mut Tx, message: &Message) -> Result<(), StoreError> {
        match message_before(tx, &message.channel, message.ts).await? {
            // The message is from before they opted out: the earlier words are removed, and the new ones are not kept.
            Some(before) if before.is_replaced_by(message) => {
                return self.store_tombstone(tx, &message.channel, message.ts).await;
            }
            Some(_) => return Ok(()),
            None => {}
        }
        let Some(attention) = self.attention else { return Ok(()) };
        let channel = &message.channel;
        let ts = message.ts;
        let arrival = self.arrival_in_channel(channel);
        let is_bot = is_bot(tx, &message.user).await?;
        match attention.wish(message, arrival.kind, is_bot, self.now) {
            Wish::None => {
                triggers::take_out(tx, channel, ts, self.now).await?;
                passing::wipe_words(tx, channel, ts).await
            }
            Wish::TooOld(cause) => {
                let place = attention.place(message, cause);
                triggers::record_skipped(tx, message, &place, cause, self.now).await
            }
            Wish::Reply(cause) => {
                let place = attention.place(message, cause);
                if triggers::want_answer(tx, message, &place, cause, self.now).await? {
                    passing::keep_until_answered(tx, message, arrival.revision, self.now).await?;
                    self.arrived.places.insert(place);
                } else if passing::knows_message(tx, channel, ts).await? {
                    passing::keep_until_answered(tx, message, arrival.revision, self.now).await?;
                }
                Ok(())
            }
        }
    }
}

impl MessageBefore {
    /// Whether a later edit says something other than what was archived.
    fn is_replaced_by(&self, message: &Message) -> bool {
        self.is_talk() && message.edited_at > self.edited_at && !self.is_said_by(message)
    }
}
