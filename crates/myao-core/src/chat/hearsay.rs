//! What messages say of people, beside what the platform's directory says.

use super::channel::User;

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
}
