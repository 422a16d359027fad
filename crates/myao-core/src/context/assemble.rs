//! The [`Context`]: everything that a prompt or a summary is made from.

use std::collections::BTreeMap;

use super::{
    conversation::ChannelMessages,
    memo::Memo,
    memories::{ChannelMemory, ThreadMemory},
};
use crate::chat::{ChannelId, MessageTs};

/// Who speaks (`persona.*` of the configuration).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persona {
    /// The name people call it by.
    pub name: String,
    /// Who it is, in the owner's words.
    pub system_prompt: String,
}

/// What a prompt or a summary is made from (specification §3). Whoever gathers it has applied the visibility.
#[derive(Clone, Debug)]
pub struct Context {
    /// Who speaks.
    pub persona: Persona,
    /// The talk.
    pub conversation_history: ChannelMessages,
    /// The workspace's memory.
    pub workspace_long_term_memory: Option<String>,
    /// The channels' memories, each under its id.
    pub channel_memories: BTreeMap<ChannelId, ChannelMemory>,
    /// Threads of the place's channel, oldest first.
    pub thread_memories: Vec<ThreadMemory>,
    /// The thread a reply or a thread's summary is about.
    pub target_thread_ts: Option<MessageTs>,
    /// Notes.
    pub memos: Vec<Memo>,
}
