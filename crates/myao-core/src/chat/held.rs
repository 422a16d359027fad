//! What the archive holds of a channel, as far as it tells why a message may be missing elsewhere.

use super::{ids::UserId, ts::MessageTs};

/// A message of the archive, without its words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a message is in four ways that have nothing to do with each other"
)]
pub struct HeldMessage {
    /// Its time stamp.
    pub ts: MessageTs,
    /// Who said it.
    pub author: UserId,
    /// Whether its author is known to be a bot.
    pub is_by_bot: bool,
    /// Whether it is a reply in a thread.
    pub is_reply: bool,
    /// Whether files were shared with it.
    pub has_files: bool,
    /// Whether it was edited.
    pub is_edited: bool,
    /// What became of it.
    pub state: HeldState,
}

/// What became of a message that the archive has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldState {
    /// It stands.
    Standing,
    /// Its words have expired.
    Expired,
    /// It was taken for deleted, since it was missing somewhere.
    TakenForDeleted {
        /// Whether it was missing in something that is known to hold everything.
        is_proven: bool,
    },
}

impl HeldMessage {
    /// Whether it is not deleted yet.
    pub fn stands(&self) -> bool {
        match self.state {
            HeldState::Standing | HeldState::Expired => true,
            HeldState::TakenForDeleted { .. } => false,
        }
    }
}
