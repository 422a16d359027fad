//! The texts shown beside a memory's own sources, which the memory must not take words from (specification §2.4, §6).

use super::draft::Draft;
use crate::{
    context::{ChannelMemory, Context},
    ports::{Request, Turn},
};

/// The texts of `context` that are shown to help understand, and that the memory must not repeat: the workspace's
/// memory, and for a thread also the memories of its channel. Empty ones are left out.
pub fn texts_beside_sources(context: &Context) -> Vec<&str> {
    // Without a target thread the channels' memories are sources, not auxiliary.
    let channels = context.channel_memories.values().filter(|_| context.target_thread_ts.is_some());
    let workspace = context.workspace_long_term_memory.as_deref();
    let texts = channels.flat_map(of_channel).chain([workspace]).flatten();
    texts.filter(|text| !text.trim().is_empty()).collect()
}

fn of_channel(memory: &ChannelMemory) -> [Option<&str>; 2] {
    [memory.long_term_memory.as_deref(), memory.short_term_memory.as_deref()]
}

/// The same context with nothing beside the memory's own sources.
pub fn context_without_auxiliary(context: &Context) -> Context {
    let mut alone = context.clone();
    alone.workspace_long_term_memory = None;
    if alone.target_thread_ts.is_some() {
        alone.channel_memories.clear();
    }
    alone
}

impl Draft {
    /// All texts that its requests show a model. For a draft made [without auxiliary information](context_without_auxiliary)
    /// these are the memory's own sources, with the names in them, and our instructions.
    pub fn request_texts(&self) -> Vec<&str> {
        match self {
            Self::Keep(text) => vec![text],
            Self::Ask(request) => texts_in_request(request).collect(),
            Self::Parts(requests) => requests.iter().flat_map(texts_in_request).collect(),
        }
    }
}

fn texts_in_request(request: &Request) -> impl Iterator<Item = &str> {
    let turns = request.turns.iter().filter_map(|turn| match turn {
        Turn::User(text) => Some(text.as_str()),
        Turn::Assistant { .. } | Turn::Tool { .. } => None,
    });
    turns.chain([request.system.as_str()])
}
