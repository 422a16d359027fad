//! What messages and older lists say of people, beside what the platform's directory says now.

use super::{channel::User, ts::MessageTs};

/// Where in a message somebody's name stands, the least telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HearsaySource {
    /// The app that posted for somebody: whether that is its own bot or a person is not known.
    App,
    /// The label of a mention.
    Label,
    /// A profile that came with the message.
    Profile,
}

/// What a message says of its author or of somebody it mentions. It counts as long as nothing more telling is known of
/// them, and never against the directory (ADR 78).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hearsay {
    /// The person or bot.
    pub user: User,
    /// Where that stands.
    pub source: HearsaySource,
    /// When the message was said.
    pub said_at: MessageTs,
}

impl Hearsay {
    /// Whether it is a name of theirs. That of an app through which they post is none.
    pub fn is_their_name(&self) -> bool {
        match self.source {
            HearsaySource::Label | HearsaySource::Profile => true,
            HearsaySource::App => false,
        }
    }
}

/// What somebody was called at a moment, by a source that counts like the directory at that moment: the list of people of
/// an export, or a message that is the only source there is of its author. The latest moment tells what they are called
/// now (ADR 150).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatedUser {
    /// The person or bot.
    pub user: User,
    /// Whether they had left.
    pub has_left: bool,
    /// When they were certainly called so: when their profile was last changed, or else the newest moment of which the
    /// source tells. `None` if neither is known.
    pub named_at: Option<MessageTs>,
    /// The newest moment of which the source tells; `None` if it tells of none.
    pub told_until: Option<MessageTs>,
}

impl DatedUser {
    /// What a message says that was said at this moment.
    pub const fn of_message(user: User, said_at: MessageTs) -> Self {
        Self { user, has_left: false, named_at: Some(said_at), told_until: Some(said_at) }
    }

    /// What a source says that tells no moment, and whether they had left by then.
    pub const fn undated(user: User, has_left: bool) -> Self {
        Self { user, has_left, named_at: None, told_until: None }
    }

    /// The latest moment of which it is known that they were called so or that the source tells of it.
    pub fn known_until(&self) -> Option<MessageTs> {
        self.named_at.max(self.told_until)
    }
}
