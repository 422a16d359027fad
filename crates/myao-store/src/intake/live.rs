//! Notes what wants an answer as events arrive (design §5, T1).

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Message, Sighting, Telling, User, WritingProgress, instant_after,
    },
    judgment::{Attention, Wish},
};

use super::{
    batch::{Batch, MessageChange, is_bot},
    directory::UserChange,
    triggers,
};
use crate::{
    StoreError,
    archive::{
        self, message_columns, read,
        rows::{MessageRow, message_of_row},
    },
    db::{Tx, query_as},
};

/// How long a program's message has to stand unchanged before it is answered: programs that write piece by piece change it
/// every second or two.
const REST: SignedDuration = SignedDuration::from_secs(10);

/// The same while the platform says that more will come: a stream that nobody goes on with ends after about that time.
const LONGEST_SILENCE: SignedDuration = SignedDuration::from_mins(5);

impl Batch<'_> {
    pub(super) fn touch_channel(&mut self, channel: &ChannelId) {
        if !self.arrived.channels.contains(channel) {
            self.arrived.channels.insert(channel.clone());
        }
    }

    /// Notes or takes back what a message wants, as the message stands.
    pub(super) async fn heed_wish(
        &mut self,
        tx: &mut Tx,
        sighting: &Sighting,
        fate: MessageChange,
    ) -> Result<(), StoreError> {
        let message = &sighting.message;
        if fate != MessageChange::Same {
            self.touch_channel(&message.channel);
        }
        let Some(attention) = self.attention else { return Ok(()) };
        let kind = self.channels.get(&message.channel).map_or(ChannelKind::Unknown, |arrival| arrival.kind);
        // Most messages want nothing from us, and cost nothing here.
        let concerns_us = kind == ChannelKind::Dm || attention.is_mentioned(&message.text);
        match fate {
            MessageChange::Changed => self.settle_wish(tx, attention, message, kind, sighting.progress).await,
            // What a program adds to its message may call us; what we read better in an old one calls nobody any more.
            MessageChange::ReadBetter if matches!(sighting.telling, Telling::Changed(_)) && concerns_us => {
                self.settle_wish(tx, attention, message, kind, sighting.progress).await
            }
            MessageChange::New if concerns_us => {
                self.settle_wish(tx, attention, message, kind, sighting.progress).await
            }
            MessageChange::Same if concerns_us => {
                let Some(standing) = archive::standing_message(tx, &message.channel, message.ts).await?
                else {
                    return Ok(());
                };
                self.settle_wish(tx, attention, &standing, kind, sighting.progress).await
            }
            MessageChange::New | MessageChange::Same | MessageChange::ReadBetter => Ok(()),
        }
    }

    async fn settle_wish(
        &mut self,
        tx: &mut Tx,
        attention: &Attention,
        message: &Message,
        kind: ChannelKind,
        progress: WritingProgress,
    ) -> Result<(), StoreError> {
        let is_bot = is_bot(tx, &message.user).await?;
        match attention.wish(message, kind, is_bot, self.now) {
            Wish::None => triggers::take_out(tx, &message.channel, message.ts, self.now).await?,
            Wish::TooOld(cause) => {
                let place = attention.place(message, cause);
                triggers::record_skipped(tx, message, &place, cause, self.now).await?;
            }
            Wish::Reply(cause) => {
                let place = attention.place(message, cause);
                if triggers::want_answer(tx, message, &place, cause, self.now).await? {
                    self.arrived.places.insert(place);
                }
                if is_bot {
                    let until = rests_until(progress, self.now);
                    triggers::put_off(tx, &message.channel, message.ts, until).await?;
                } else {
                    triggers::hurry_reply(tx, &message.channel, message.ts).await?;
                }
            }
        }
        Ok(())
    }

    /// Handles a channel that turns out to be a direct message: what was said there before that was known wants an
    /// answer too.
    pub(super) async fn heed_channel(
        &mut self,
        tx: &mut Tx,
        channel: &Channel,
        before: Option<ChannelKind>,
    ) -> Result<(), StoreError> {
        if let Some(arrival) = self.channels.get_mut(&channel.id) {
            arrival.kind = channel.kind;
        }
        let Some(attention) = self.attention else { return Ok(()) };
        if channel.kind != ChannelKind::Dm || before.is_none_or(|kind| kind == ChannelKind::Dm) {
            return Ok(());
        }
        let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m WHERE m.channel_id = $1 AND m.ts >= $2 AND m.kind = 'talk' AND m.deleted = 0
              ORDER BY m.ts"))
            .bind(channel.id.as_str()).bind(attention.oldest(self.now).as_micros()).fetch_all(c).await)?;
        for row in rows {
            self.settle_wish(tx, attention, &message_of_row(row)?, channel.kind, WritingProgress::Unknown)
                .await?;
        }
        Ok(())
    }

    /// Handles a user who turns out to be a bot: its messages no longer wait for our answer, unless it is a bot that we
    /// answer. What somebody said lately who counted as a bot, and turns out to be a person, may want one.
    pub(super) async fn heed_user(
        &mut self,
        tx: &mut Tx,
        user: &User,
        change: UserChange,
    ) -> Result<(), StoreError> {
        let Some(attention) = self.attention else { return Ok(()) };
        match change {
            UserChange::BecameBot if !attention.answers_bot(&user.id) => {
                for (channel, ts) in triggers::waiting_of(tx, &user.id).await? {
                    triggers::take_out(tx, &channel, ts, self.now).await?;
                }
                Ok(())
            }
            UserChange::BecamePerson => {
                for (message, kind) in read::said_lately(tx, &user.id, attention.oldest(self.now)).await? {
                    self.settle_wish(tx, attention, &message, kind, WritingProgress::Unknown).await?;
                }
                Ok(())
            }
            UserChange::BecameBot | UserChange::Other => Ok(()),
        }
    }
}

/// When a program's message may be answered: programs write piece by piece, and the first piece is no question yet.
fn rests_until(progress: WritingProgress, now: Timestamp) -> Timestamp {
    match progress {
        WritingProgress::Finished => now,
        WritingProgress::Unknown => instant_after(now, REST),
        WritingProgress::Unfinished => instant_after(now, LONGEST_SILENCE),
    }
}
