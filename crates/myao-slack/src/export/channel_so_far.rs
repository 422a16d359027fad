//! What already stands of a channel: how several elements with one time stamp are told apart.

use std::collections::{HashMap, HashSet};

use myao_core::chat::MessageTs;

/// What was read of one channel so far: a few words a message, so that a channel of a million is still
/// small.
#[derive(Debug, Default)]
pub(super) struct ChannelSoFar {
    messages: HashMap<MessageTs, MessageState>,
    unread: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageState {
    Said { edited_at: Option<MessageTs> },
    Deleted,
}

/// What a further element is to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// Nothing with its time stamp came before.
    First,
    /// A later edit than what came before.
    Newer,
    /// What came before stays.
    Superseded,
}

impl ChannelSoFar {
    /// A message: the later edit stands, else the first; what is deleted stays deleted.
    pub(super) fn said(&mut self, ts: MessageTs, edited_at: Option<MessageTs>) -> Rank {
        let rank = match self.messages.get(&ts) {
            None => Rank::First,
            Some(MessageState::Said { edited_at: before }) if edited_at > *before => Rank::Newer,
            Some(MessageState::Said { .. } | MessageState::Deleted) => return Rank::Superseded,
        };
        self.messages.insert(ts, MessageState::Said { edited_at });
        rank
    }

    /// A deletion; superseded by an earlier one of the same message.
    pub(super) fn deleted(&mut self, ts: MessageTs) -> Rank {
        match self.messages.insert(ts, MessageState::Deleted) {
            None => Rank::First,
            Some(MessageState::Said { .. }) => Rank::Newer,
            Some(MessageState::Deleted) => Rank::Superseded,
        }
    }

    /// Whether this is the first element under this key that was not understood.
    pub(super) fn is_first_unread(&mut self, key: &str) -> bool {
        self.unread.insert(key.to_owned())
    }
}
