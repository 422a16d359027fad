//! The talk of one channel, as a prompt or a summary reads it.

use std::collections::BTreeSet;

use crate::chat::{Channel, Message, MessageTs};

/// Messages of one channel, in the order they were said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelMessages {
    channel: Channel,
    messages: Vec<Message>,
    waiting: BTreeSet<MessageTs>,
    unread: u64,
}

impl ChannelMessages {
    /// Sorts the messages by time stamp, and leaves out what is not talk or was said in another channel.
    pub fn new(channel: Channel, messages: impl IntoIterator<Item = Message>) -> Self {
        let mut messages: Vec<Message> =
            messages.into_iter().filter(|m| m.is_talk() && m.channel == channel.id).collect();
        messages.sort_by_key(|m| m.ts);
        messages.dedup_by_key(|m| m.ts);
        Self { channel, messages, waiting: BTreeSet::new(), unread: 0 }
    }

    /// The same messages, of which `waiting` wait for an answer of ours.
    #[must_use]
    pub fn with_waiting(mut self, waiting: impl IntoIterator<Item = MessageTs>) -> Self {
        self.waiting = waiting.into_iter().collect();
        self
    }

    /// The same messages, with the number of further ones that belong to the conversation but were not read.
    #[must_use]
    pub fn with_unread(mut self, messages: u64) -> Self {
        self.unread = messages;
        self
    }

    /// The channel.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// All messages, of the top level and of threads, oldest first.
    pub fn get_all_messages(&self) -> &[Message] {
        &self.messages
    }

    /// The messages that wait for an answer of ours.
    pub fn waiting(&self) -> &BTreeSet<MessageTs> {
        &self.waiting
    }

    /// How many messages belong to the conversation but were not read.
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// A thread: its root, where present, and its replies, oldest first.
    pub fn get_thread(&self, thread_ts: MessageTs) -> Vec<&Message> {
        self.messages.iter().filter(|m| m.thread() == thread_ts).collect()
    }
}
