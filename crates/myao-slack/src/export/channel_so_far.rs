//! Ranks several elements of a channel that have the same time stamp.

use std::collections::{HashMap, HashSet};

use myao_core::chat::MessageTs;

/// The messages read of one channel so far, a few bytes each, so that a million of them still fit into memory.
#[derive(Debug, Default)]
pub(super) struct ChannelSoFar {
    messages: HashMap<MessageTs, MessageState>,
    unread: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageState {
    Said { form: MessageForm },
    Deleted,
}

/// Which form of a message an element has: the later edit counts, then the later change that is no edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MessageForm {
    pub(super) edited_at: Option<MessageTs>,
    pub(super) changed_at: Option<MessageTs>,
}

/// How an element relates to earlier ones with its time stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// It is the first one.
    First,
    /// It replaces the earlier one, of which it is an edit or the deletion.
    Newer,
    /// The earlier one stays.
    Superseded,
}

impl ChannelSoFar {
    /// Adds a message: the later form wins, else the first one; a deleted message stays deleted.
    pub(super) fn add_message(&mut self, ts: MessageTs, form: MessageForm) -> Rank {
        let rank = match self.messages.get(&ts) {
            None => Rank::First,
            Some(MessageState::Said { form: before }) if form > *before => Rank::Newer,
            Some(MessageState::Said { .. } | MessageState::Deleted) => return Rank::Superseded,
        };
        self.messages.insert(ts, MessageState::Said { form });
        rank
    }

    /// Adds a deletion; it is superseded by an earlier one of the same message.
    pub(super) fn add_deletion(&mut self, ts: MessageTs) -> Rank {
        match self.messages.insert(ts, MessageState::Deleted) {
            None => Rank::First,
            Some(MessageState::Said { .. }) => Rank::Newer,
            Some(MessageState::Deleted) => Rank::Superseded,
        }
    }

    /// Adds an element that was not understood; returns whether it is the first with this key.
    pub(super) fn is_first_unread(&mut self, key: &str) -> bool {
        self.unread.insert(key.to_owned())
    }
}
