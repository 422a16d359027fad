//! What the app shows to one person alone. It stands in no history.

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::Value;

use super::drawn;

/// A message that only one person sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Ephemeral {
    /// The channel in which the person sees it.
    pub channel: ChannelId,
    /// The person who sees it.
    pub user: UserId,
    /// Its time stamp, which no history knows.
    pub ts: MessageTs,
    /// The thread in which it is shown. `None` at top level.
    pub thread_ts: Option<MessageTs>,
    /// The text as it was sent.
    pub text: String,
    /// The blocks, each with its `block_id`. `None` without blocks.
    pub blocks: Option<Value>,
    /// When it was shown first, in the workspace's time.
    pub at: Timestamp,
}

impl Ephemeral {
    /// The message as the person reads it: the blocks if it has any, else the text.
    pub fn drawn(&self) -> String {
        drawn::draw_message(&self.text, self.blocks.as_ref())
    }
}

/// All that is shown to somebody alone and was not removed.
#[derive(Default)]
pub(super) struct Ephemerals(Vec<Ephemeral>);

impl Ephemerals {
    /// What this person sees.
    pub(super) fn of_user(&self, user: &UserId) -> Vec<Ephemeral> {
        self.0.iter().filter(|one| one.user == *user).cloned().collect()
    }

    pub(super) fn show(&mut self, new: Ephemeral) {
        self.0.push(new);
    }

    pub(super) fn replace(&mut self, ts: MessageTs, text: &str, blocks: Option<Value>) {
        if let Some(one) = self.0.iter_mut().find(|one| one.ts == ts) {
            text.clone_into(&mut one.text);
            one.blocks = blocks;
        }
    }

    pub(super) fn remove(&mut self, ts: MessageTs) {
        self.0.retain(|one| one.ts != ts);
    }
}
