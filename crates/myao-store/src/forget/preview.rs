//! What a forgetting would remove.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{MemoryScope, MemoryType, parse_thread_scope_id},
    text::key_of_term,
};

use super::{
    targets::Address,
    texts::{TextPlace, key_of_post, post_of_key},
};

/// Everything that would be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetPreview {
    /// By channel, ordered by id.
    pub channels: Vec<ForgetPreviewChannel>,
    /// The first few messages.
    pub first: Vec<(ChannelId, MessageTs)>,
    /// Our posts that answered one of them and are not among them.
    pub answers: BTreeSet<(ChannelId, MessageTs)>,
    /// Every text besides, by the key of its row: made from the messages, holding a term that nobody else says, or
    /// holding the words that were looked for. Of posts, those that are no answers to the messages.
    pub texts: BTreeMap<TextPlace, BTreeSet<String>>,
    /// The memories whose entries in the journal are among the texts.
    pub memories: Vec<ForgottenMemory>,
    /// Questions of people who opted out, which wait for an answer.
    pub passing: u64,
    /// The hash of the messages' addresses, in the order in which they were counted.
    pub(super) addresses: i64,
}

/// A memory that loses texts. It is written anew from what remains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgottenMemory {
    /// What it is about.
    pub scope: MemoryScope,
    /// Which of these.
    pub scope_id: String,
    /// Its type.
    pub memory_type: MemoryType,
    /// Its version.
    pub version: u32,
    /// How many entries of the journal lose their text.
    pub entries: u64,
}

/// The memories of one channel that lose texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgottenOfChannel {
    /// The versions of its short-term memory.
    pub versions: Vec<u32>,
    /// Whether its long-term memory does.
    pub long_term: bool,
    /// How many of its threads have a memory that does.
    pub threads: u64,
}

impl ForgottenMemory {
    /// The channel that it is about; `None` for the workspace's.
    pub fn channel(&self) -> Option<ChannelId> {
        match self.scope {
            MemoryScope::Workspace => None,
            MemoryScope::Channel => Some(ChannelId::new(self.scope_id.as_str())),
            MemoryScope::Thread => parse_thread_scope_id(&self.scope_id).ok().map(|(channel, _)| channel),
        }
    }
}

/// What would be removed of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetPreviewChannel {
    /// Which.
    pub channel: ChannelId,
    /// Messages and notices.
    pub messages: u64,
    /// Files shared with them; the files' contents belong to the platform.
    pub files: u64,
    /// When the first was posted.
    pub first: MessageTs,
    /// When the last was posted.
    pub last: MessageTs,
}

impl ForgetPreview {
    /// How many messages would go.
    pub fn message_count(&self) -> u64 {
        self.channels.iter().map(|channel| channel.messages).sum()
    }

    /// How many texts of a kind would go.
    pub fn text_count(&self, place: TextPlace) -> u64 {
        self.texts.get(&place).map_or(0, |keys| keys.len().try_into().unwrap_or(u64::MAX))
    }

    /// The keys of the texts of a kind that would go.
    pub fn text_keys(&self, place: TextPlace) -> impl Iterator<Item = &String> {
        self.texts.get(&place).into_iter().flatten()
    }

    /// Our posts that would go without being answers to the messages.
    pub fn own_posts(&self) -> Vec<(ChannelId, MessageTs)> {
        self.text_keys(TextPlace::Posts).filter_map(|key| post_of_key(key)).collect()
    }

    /// Whether nothing would go.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty() && self.texts.is_empty() && self.passing == 0
    }

    /// Whether the workspace's memory loses texts.
    pub fn reaches_workspace(&self) -> bool {
        self.memories.iter().any(|memory| memory.scope == MemoryScope::Workspace)
    }

    /// The memories that lose texts, by channel.
    pub fn by_channel(&self) -> BTreeMap<ChannelId, ForgottenOfChannel> {
        let mut found: BTreeMap<ChannelId, ForgottenOfChannel> = BTreeMap::new();
        for memory in &self.memories {
            let Some(channel) = memory.channel() else { continue };
            let of_channel = found.entry(channel).or_default();
            match (memory.scope, memory.memory_type) {
                (MemoryScope::Channel, MemoryType::LongTerm) => of_channel.long_term = true,
                (MemoryScope::Channel, MemoryType::ShortTerm) => of_channel.versions.push(memory.version),
                (MemoryScope::Thread | MemoryScope::Workspace, _) => of_channel.threads += 1,
            }
        }
        found
    }

    /// Stands for everything that would go: two previews of the same have the same.
    pub fn fingerprint(&self) -> String {
        let mut hash = self.addresses;
        for (channel, ts) in &self.answers {
            hash = chained_hash(hash, &key_of_post(channel, *ts));
        }
        for (place, keys) in &self.texts {
            for key in keys {
                hash = chained_hash(hash, &format!("{place:?} {key}"));
            }
        }
        format!("{:016x}", chained_hash(hash, &self.passing.to_string()).cast_unsigned())
    }

    pub(super) fn add(&mut self, place: TextPlace, key: String) {
        self.texts.entry(place).or_default().insert(key);
    }

    pub(super) fn holds(&self, place: TextPlace, key: &str) -> bool {
        self.texts.get(&place).is_some_and(|keys| keys.contains(key))
    }

    pub(super) fn note_address(&mut self, (channel, ts): &Address) {
        self.addresses = chained_hash(self.addresses, &key_of_post(channel, *ts));
    }
}

/// A hash of everything up to here.
fn chained_hash(hash: i64, item: &str) -> i64 {
    key_of_term(&format!("{hash:x} {item}"))
}
