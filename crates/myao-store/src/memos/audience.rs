//! Says who sees a memo (ADR 77).

use myao_core::chat::ChannelId;

/// Who sees a memo. Only the owner gives it another audience; what a reply wrote stays its channel's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoAudience {
    /// Whoever sees this channel.
    Channel(ChannelId),
    /// Every place that sees open channels, since the owner said so. Where people from outside take part it is not
    /// seen.
    Everybody,
    /// The owner alone.
    Owner,
    /// The owner alone: it was taken over from the predecessor, and nobody has said yet who is to see it.
    Undecided,
}

impl MemoAudience {
    /// The name in storage.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Channel(_) => "channel",
            Self::Everybody => "everybody",
            Self::Owner => "owner",
            Self::Undecided => "undecided",
        }
    }

    /// The channel, if it is a channel's.
    pub const fn channel(&self) -> Option<&ChannelId> {
        match self {
            Self::Channel(channel) => Some(channel),
            Self::Everybody | Self::Owner | Self::Undecided => None,
        }
    }

    /// The audience in a row; `None` if it makes no sense.
    pub(super) fn read(channel: Option<String>, audience: &str) -> Option<Self> {
        match (channel, audience) {
            (Some(channel), "channel") => Some(Self::Channel(ChannelId::new(channel))),
            (None, "everybody") => Some(Self::Everybody),
            (None, "owner") => Some(Self::Owner),
            (None, "undecided") => Some(Self::Undecided),
            (Some(_) | None, _) => None,
        }
    }
}

impl From<Option<ChannelId>> for MemoAudience {
    /// A channel's, or without one the owner's own.
    fn from(channel: Option<ChannelId>) -> Self {
        channel.map_or(Self::Owner, Self::Channel)
    }
}
