//! What people do in the workspace. Each act is checked as a platform would, becomes events, and wakes the tasks it
//! concerns.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Place, UserId, Visibility,
    },
    ports::Clock as _,
};
use myao_slack::text::markup_as_notation;
use myao_store::{LocalReaction, StoreError};

use super::{LocalWorkspace, notation::slack_markup};

/// Most characters of a message: as many as Slack takes.
pub const MOST_POST_CHARS: usize = 40_000;
/// Most characters of a channel's name: as many as Slack takes.
const MOST_NAME_CHARS: usize = 80;
/// Most characters of an emoji: a family of four with its joiners has 7.
const MOST_EMOJI_CHARS: usize = 10;

/// Why an act was refused, in words for the person who tried it. A place that they may not see is reported like one
/// that does not exist.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The channel, person or message is not there, or not for them.
    #[error("there is no such place, person or message here")]
    NotThere,
    /// Somebody else's message.
    #[error("only whoever wrote a message can change it")]
    NotYours,
    /// The message is empty.
    #[error("nothing was written")]
    Empty,
    /// The message is too long.
    #[error("a message has at most {MOST_POST_CHARS} characters")]
    TooLong,
    /// A name that no channel can have.
    #[error(
        "a channel's name has 1 to {MOST_NAME_CHARS} letters, digits, hyphens and underscores, and no capitals"
    )]
    BadName,
    /// A name that another channel has.
    #[error("there is a channel of this name already")]
    NameTaken,
    /// The reaction is not an emoji.
    #[error("a reaction is one emoji")]
    NoEmoji,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A channel to be created.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// Its name, with or without `#`.
    pub name: String,
    /// Whether only those who are in it may read it.
    pub is_private: bool,
}

impl LocalWorkspace {
    /// Says something, in a channel or in a thread of it. Returns the message's time stamp.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn post(&self, who: &UserId, place: &Place, typed: &str) -> Result<MessageTs, LocalError> {
        self.check_sees(who, &place.channel).await?;
        if let Some(root) = place.thread {
            self.standing_message(&place.channel, root).await?;
        }
        let text = self.text_of(who, typed).await?;
        let _turn = self.turn.lock().await;
        let ts = self.next_ts(&place.channel).await?;
        let message = Message {
            channel: place.channel.clone(),
            ts,
            thread_ts: place.thread,
            user: who.clone(),
            kind: MessageKind::Talk,
            text,
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        self.take_in(vec![Event::Message(message)]).await?;
        Ok(ts)
    }

    /// Replaces the words of a message that `who` wrote.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn edit(
        &self,
        who: &UserId,
        channel: &ChannelId,
        ts: MessageTs,
        typed: &str,
    ) -> Result<(), LocalError> {
        let message = self.own_message(who, channel, ts).await?;
        let text = self.text_of(who, typed).await?;
        if text == message.text {
            return Ok(());
        }
        let now = MessageTs::from_timestamp(self.clock.now());
        // The later edit wins, also of two within a microsecond.
        let edited_at =
            message.edited_at.map_or(now, |before| now.max(MessageTs::from_micros(before.as_micros() + 1)));
        let edited = Message { text, edited_at: Some(edited_at), ..message };
        self.take_in(vec![Event::Message(edited)]).await?;
        Ok(())
    }

    /// Deletes a message that `who` wrote.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn delete(&self, who: &UserId, channel: &ChannelId, ts: MessageTs) -> Result<(), LocalError> {
        self.own_message(who, channel, ts).await?;
        self.take_in(vec![Event::Deleted { channel: channel.clone(), ts }]).await?;
        Ok(())
    }

    /// Adds a reaction if `is_on`, otherwise removes it.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn react(
        &self,
        who: &UserId,
        channel: &ChannelId,
        ts: MessageTs,
        emoji: &str,
        is_on: bool,
    ) -> Result<(), LocalError> {
        self.check_sees(who, channel).await?;
        let emoji = emoji.trim();
        if !is_emoji(emoji) {
            return Err(LocalError::NoEmoji);
        }
        let reaction = LocalReaction { ts, emoji: emoji.to_owned(), user: who.clone() };
        if !self.store.local().set_reaction(channel, reaction, is_on).await? {
            return Err(LocalError::NotThere);
        }
        self.note_change();
        Ok(())
    }

    /// Opens the direct message between us, `who` and `others`, of whom there may be none. The same people get the same
    /// one each time.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn open_direct(&self, who: &UserId, others: &[UserId]) -> Result<ChannelId, LocalError> {
        let mut people: Vec<UserId> =
            others.iter().chain([who]).filter(|one| *one != self.own()).cloned().collect();
        people.sort();
        people.dedup();
        let names = self.store.archive().names(&Visibility::Owner).await?;
        if people.iter().any(|person| !names.knows(person)) {
            return Err(LocalError::NotThere);
        }
        let (kind, sign) =
            if people.len() == 1 { (ChannelKind::Dm, "D") } else { (ChannelKind::GroupDm, "G") };
        // Each id stands behind its length: otherwise the joined ids of other people could read the same.
        let ids: Vec<String> =
            people.iter().map(|person| format!("{}.{person}", person.as_str().len())).collect();
        let id = ChannelId::new(format!("{sign}{}", ids.concat()));
        if self.store.archive().channel(&id).await?.is_none() {
            let called: Vec<&str> = people.iter().map(|person| names.user(person)).collect();
            self.begin_channel(
                Channel { id: id.clone(), name: called.join(", "), kind, external: false },
                &people,
            )
            .await?;
        }
        Ok(id)
    }

    /// Creates a channel, with `who` and us in it.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn create_channel(&self, who: &UserId, new: &NewChannel) -> Result<ChannelId, LocalError> {
        let name = new.name.trim().trim_start_matches(['#', '＃']).to_lowercase();
        let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.chars().count() > MOST_NAME_CHARS || !name.chars().all(is_name) {
            return Err(LocalError::BadName);
        }
        let _turn = self.turn.lock().await;
        // As on every platform, a name counts as taken even for those who may not see the channel that has it.
        if !self.store.archive().channels_named(&name).await?.is_empty() {
            return Err(LocalError::NameTaken);
        }
        let kind = if new.is_private { ChannelKind::Private } else { ChannelKind::Public };
        let id = ChannelId::new(format!("C{}", self.clock.now().as_microsecond()));
        self.begin_channel(
            Channel { id: id.clone(), name, kind, external: false },
            std::slice::from_ref(who),
        )
        .await?;
        Ok(id)
    }

    /// Lets `whom` into a channel that `who` may read.
    ///
    /// # Errors
    /// See [`LocalError`].
    #[boxed]
    pub async fn invite(&self, who: &UserId, channel: &ChannelId, whom: &UserId) -> Result<(), LocalError> {
        self.check_sees(who, channel).await?;
        let is_known = self.store.archive().names(&Visibility::Owner).await?.knows(whom);
        let kind = self.store.archive().channel(channel).await?.map(|channel| channel.kind);
        // Nobody can be added to a direct message.
        if !is_known || !matches!(kind, Some(ChannelKind::Public | ChannelKind::Private)) {
            return Err(LocalError::NotThere);
        }
        self.store.local().add_to_channel(channel, std::slice::from_ref(whom)).await?;
        self.note_change();
        Ok(())
    }

    async fn begin_channel(&self, channel: Channel, people: &[UserId]) -> Result<(), StoreError> {
        let id = channel.id.clone();
        self.store.local().add_to_channel(&id, people).await?;
        self.take_in(vec![Event::Channel(channel)]).await?;
        self.store.local().hear_all(self.clock.now()).await
    }

    async fn check_sees(&self, who: &UserId, channel: &ChannelId) -> Result<(), LocalError> {
        if self.sees(who, channel).await? { Ok(()) } else { Err(LocalError::NotThere) }
    }

    async fn standing_message(&self, channel: &ChannelId, ts: MessageTs) -> Result<Message, LocalError> {
        let place = Visibility::only(channel);
        let message = self.store.archive().message(&place, channel, ts).await?;
        message.filter(Message::is_talk).ok_or(LocalError::NotThere)
    }

    async fn own_message(
        &self,
        who: &UserId,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Message, LocalError> {
        self.check_sees(who, channel).await?;
        let message = self.standing_message(channel, ts).await?;
        if message.user == *who { Ok(message) } else { Err(LocalError::NotYours) }
    }

    /// The time stamp of a message that is said now: later than all others of the channel. To be called under `turn`.
    pub(super) async fn next_ts(&self, channel: &ChannelId) -> Result<MessageTs, StoreError> {
        let newest = self.store.local().newest_time_stamp(channel).await?;
        let now = MessageTs::from_timestamp(self.clock.now());
        Ok(now.max(MessageTs::from_micros(newest.as_micros().saturating_add(1))))
    }

    /// What somebody typed, in the core's notation. Only what they may see becomes a reference.
    async fn text_of(&self, who: &UserId, typed: &str) -> Result<String, LocalError> {
        let typed = typed.replace("\r\n", "\n");
        if typed.chars().count() > MOST_POST_CHARS {
            return Err(LocalError::TooLong);
        }
        let people: BTreeMap<String, String> =
            self.people().await?.into_iter().map(|person| (person.name, person.id.to_string())).collect();
        let channels = self.channels_of(who).await?;
        let channels: BTreeMap<String, String> =
            channels.into_iter().map(|channel| (channel.name, channel.id.to_string())).collect();
        let text = markup_as_notation(&slack_markup(typed.trim(), &people, &channels));
        if text.trim().is_empty() { Err(LocalError::Empty) } else { Ok(text) }
    }
}

/// Whether a text can be a reaction: a few characters, none of which is a letter, a blank or a sign of ASCII.
pub(super) fn is_emoji(text: &str) -> bool {
    let is_part = |c: char| !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control();
    !text.is_empty() && text.chars().count() <= MOST_EMOJI_CHARS && text.chars().all(is_part)
}
