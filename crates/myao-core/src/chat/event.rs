//! Everything that can happen in a workspace, as far as the archive cares.

use super::{
    answer_stop::AnswerStop,
    answer_vote::AnswerVote,
    channel::{Channel, User},
    hearsay::{DatedUser, Hearsay},
    ids::ChannelId,
    message::Message,
    sighting::{Sighting, Telling},
    ts::MessageTs,
};

/// One thing that happened, from whatever platform or file. The archive takes nothing else (design §2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A channel exists, with this name and kind.
    Channel(Channel),
    /// A person or bot exists, with this name: so the platform's directory says now.
    User(User),
    /// The same of a person or bot who has left: the directory still tells what they are called.
    Departed(User),
    /// A person or bot existed, with this name: so the directory said at a moment, or the only source there is.
    Dated(DatedUser),
    /// A message says what somebody is called.
    Hearsay(Hearsay),
    /// A message as it stands now, posted or edited. Of two forms the one with the later `edited_at` is kept; a
    /// tombstone replaces any other form.
    Message(Message),
    /// The same, with what else its source tells of it.
    Sighting(Box<Sighting>),
    /// A message was deleted; may arrive before the message itself.
    Deleted {
        /// The channel it was said in.
        channel: ChannelId,
        /// Its time stamp.
        ts: MessageTs,
    },
    /// The channel is known to be complete up to this instant (the catch-up cursor; it never goes back).
    HeardUntil {
        /// The channel.
        channel: ChannelId,
        /// Everything said up to here has been delivered.
        until: MessageTs,
    },
    /// Somebody stopped the answer that was being written in a place.
    AnswerStopped(AnswerStop),
    /// Somebody says what they think of a message of ours.
    Voted(AnswerVote),
    /// Something that was not understood: kept in its raw form and counted, never dropped silently.
    Unread {
        /// Identifies the occurrence (`channel/ts`, or file and position), so that a redelivery is recognised.
        key: String,
        /// What arrived, as text.
        raw: String,
        /// What was wrong with it.
        error: String,
    },
}

impl Event {
    /// The message that it tells, if it tells one.
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Sighting(sighting) => Some(&sighting.message),
            Self::Channel(_)
            | Self::User(_)
            | Self::Departed(_)
            | Self::Dated(_)
            | Self::Hearsay(_)
            | Self::Deleted { .. }
            | Self::HeardUntil { .. }
            | Self::AnswerStopped(_)
            | Self::Voted(_)
            | Self::Unread { .. } => None,
        }
    }

    /// The message that it tells, if it tells one.
    pub fn into_message(self) -> Option<Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Sighting(sighting) => Some(sighting.message),
            Self::Channel(_)
            | Self::User(_)
            | Self::Departed(_)
            | Self::Dated(_)
            | Self::Hearsay(_)
            | Self::Deleted { .. }
            | Self::HeardUntil { .. }
            | Self::AnswerStopped(_)
            | Self::Voted(_)
            | Self::Unread { .. } => None,
        }
    }

    /// The person or bot of whom it tells, whatever tells it.
    pub fn person(&self) -> Option<&User> {
        match self {
            Self::User(user)
            | Self::Departed(user)
            | Self::Dated(DatedUser { user, .. })
            | Self::Hearsay(Hearsay { user, .. }) => Some(user),
            Self::Channel(_)
            | Self::Message(_)
            | Self::Sighting(_)
            | Self::Deleted { .. }
            | Self::HeardUntil { .. }
            | Self::AnswerStopped(_)
            | Self::Voted(_)
            | Self::Unread { .. } => None,
        }
    }

    /// What a source tells of a message, as short as that can be said.
    pub fn of_sighting(sighting: Sighting) -> Self {
        if sighting.is_plain() { Self::Message(sighting.message) } else { Self::Sighting(Box::new(sighting)) }
    }

    /// The same event, of a list that was read at this instant: a message in it stood like that then.
    #[must_use]
    pub fn listed_at(self, at: MessageTs) -> Self {
        let mut sighting = match self {
            Self::Message(message) => Sighting::from(message),
            Self::Sighting(sighting) => *sighting,
            other @ (Self::Channel(_)
            | Self::User(_)
            | Self::Departed(_)
            | Self::Dated(_)
            | Self::Hearsay(_)
            | Self::Deleted { .. }
            | Self::HeardUntil { .. }
            | Self::AnswerStopped(_)
            | Self::Voted(_)
            | Self::Unread { .. }) => return other,
        };
        if sighting.telling == Telling::Posted && sighting.message.ts < at {
            sighting.telling = Telling::Listed(at);
        }
        Self::of_sighting(sighting)
    }
}
