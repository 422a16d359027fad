//! What people ask of us by a command, a button, a shortcut or a form, not by saying something.

use std::collections::BTreeMap;

use super::{
    answer_vote::Vote,
    ids::{ChannelId, UserId},
    ts::MessageTs,
};

/// Something that somebody asks of us and that is no message. It is done once, however often it is told.
#[derive(Clone, PartialEq, Eq)]
pub struct Interaction {
    /// Identifies it: what is told again has the same key.
    pub key: String,
    /// Who asks.
    pub user: UserId,
    /// Where they ask; `None` if that is no channel, or not told.
    pub channel: Option<ChannelId>,
    /// What they ask.
    pub request: InteractionRequest,
    /// Where the platform takes an answer that only they see; `None` if it takes none. Whoever knows the address can write
    /// there, so it stands in no log.
    pub answer_to: Option<String>,
    /// What the platform takes for a few seconds to show something in answer; `None` if it gave nothing, and for what was
    /// stored: it is worth nothing by then.
    pub trigger: Option<String>,
    /// What of ours it was done in; `None` if it was done elsewhere.
    pub view: Option<InteractionView>,
}

/// Something of ours that one person sees, and as what they saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteractionView {
    /// The platform's name of it.
    pub id: String,
    /// What changes with everything that is shown in it.
    pub hash: String,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InteractionRequest {
    /// A command was typed.
    Command {
        /// Its name, as in `/myao`.
        name: String,
        /// What was typed behind it.
        text: String,
    },
    /// A button of ours was pressed.
    Button {
        /// Which: the name that we gave it.
        action: String,
        /// What we wrote on it for ourselves.
        value: String,
    },
    /// Somebody said by a button what they think of a message of ours.
    Vote {
        /// The message.
        ts: MessageTs,
        /// What they think.
        vote: Vote,
    },
    /// An entry of a message's menu was chosen.
    Shortcut {
        /// Which: the name that we gave it.
        name: String,
        /// The message.
        ts: MessageTs,
    },
    /// A form of ours was filled in and sent.
    Submission {
        /// Which, with its version: the name that we gave it.
        name: String,
        /// What we wrote on it for ourselves.
        note: String,
        /// What stands in each of its fields, by the names that we gave them.
        values: BTreeMap<String, String>,
    },
    /// Somebody looks at what we show them of ourselves.
    HomeOpened,
    /// Nothing that we know, or not ours to do.
    Refused {
        /// Why, in a word: it is counted by this.
        why: RefusedInteraction,
    },
}

/// Why nothing is done for an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusedInteraction {
    /// It comes from another workspace.
    Foreign,
    /// It is of a kind that we do not know: from a newer platform, or an older version of ours.
    Unknown,
}

/// The address and the trigger stand in no log.
impl std::fmt::Debug for Interaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interaction")
            .field("key", &self.key)
            .field("user", &self.user)
            .field("channel", &self.channel)
            .field("request", &self.request)
            .field("view", &self.view)
            .field("has_answer_to", &self.answer_to.is_some())
            .field("has_trigger", &self.trigger.is_some())
            .finish()
    }
}
