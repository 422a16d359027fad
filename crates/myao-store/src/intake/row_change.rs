//! What became of the row of a message that arrived; everything else of it follows from that.

use std::collections::BTreeSet;

use super::batch::{MessageBefore, MessageChange};

/// What became of the row of a message that arrived.
pub(super) enum RowChange {
    /// It is new.
    Inserted,
    /// It was a tombstone that was only concluded, and has its words again.
    BroughtBack,
    /// Its words replaced earlier ones.
    Edited {
        /// The message as it was.
        before: MessageBefore,
        /// Whether it says what it said before, and has more of its words, or its right author.
        is_read_better: bool,
    },
    /// It was there already, unchanged or in a newer form.
    Unchanged,
}

impl RowChange {
    /// What became of the message.
    pub(super) fn fate(&self) -> MessageChange {
        match self {
            Self::Inserted | Self::BroughtBack => MessageChange::New,
            Self::Edited { is_read_better: true, .. } => MessageChange::ReadBetter,
            Self::Edited { is_read_better: false, .. } => MessageChange::Changed,
            Self::Unchanged => MessageChange::Same,
        }
    }

    /// The message whose words are replaced.
    pub(super) fn before(&self) -> Option<&MessageBefore> {
        match self {
            Self::Edited { before, .. } => Some(before),
            Self::Inserted | Self::BroughtBack | Self::Unchanged => None,
        }
    }

    /// Whether it has to be noted which kinds of secrets the message holds.
    pub(super) fn asks_for_secrets(&self, kinds: &BTreeSet<&'static str>) -> bool {
        match self.fate() {
            MessageChange::New => !kinds.is_empty(),
            MessageChange::Same => false,
            MessageChange::Changed | MessageChange::ReadBetter => true,
        }
    }
}
