//! The talk of one channel, as a prompt or a summary reads it.

use crate::chat::{Channel, Message, MessageTs};

/// Messages of one channel, in the order they were said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelMessages {
    channel: Channel,
    messages: Vec<Message>,
}

impl ChannelMessages {
    /// Sorts by time stamp; what is no talk, or was said in another channel, is left out.
    pub fn new(channel: Channel, messages: impl IntoIterator<Item = Message>) -> Self {
        let mut messages: Vec<Message> =
            messages.into_iter().filter(|m| m.is_talk() && m.channel == channel.id).collect();
        messages.sort_by_key(|m| m.ts);
        messages.dedup_by_key(|m| m.ts);
        Self { channel, messages }
    }

    /// The channel.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Everything, top level and threads together, oldest first.
    pub fn get_all_messages(&self) -> &[Message] {
        &self.messages
    }

    /// A thread: its root, where present, and its replies, oldest first.
    pub fn get_thread(&self, thread_ts: MessageTs) -> Vec<&Message> {
        self.messages.iter().filter(|m| m.thread() == thread_ts).collect()
    }
}
