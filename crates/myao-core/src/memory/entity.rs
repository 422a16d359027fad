//! A memory: immutable text about talk, and what it was made of.

use jiff::Timestamp;

use super::scope::{InvalidCombination, MemoryScope, MemoryType, ScopeId, is_valid_memory_combination};
use crate::{chat::MessageTs, text::with_secrets_masked};

/// A memory as stored (specification §1, §12.4). Identified by (scope, scope id, type, version); never changed in
/// place: a new text is a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    draft: MemoryDraft,
    version: u32,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// What is to be remembered, before storage gives it a version and times. Made by [`create_memory`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryDraft {
    scope: MemoryScope,
    scope_id: ScopeId,
    memory_type: MemoryType,
    content: String,
    source_message_count: u64,
    source_latest_message_ts: Option<MessageTs>,
}

/// Drafts a memory (specification §12.4).
///
/// # Errors
/// When no such memory exists: see [`is_valid_memory_combination`].
pub fn create_memory(
    scope: MemoryScope,
    scope_id: ScopeId,
    memory_type: MemoryType,
    content: impl Into<String>,
    source_message_count: u64,
    source_latest_message_ts: Option<MessageTs>,
) -> Result<MemoryDraft, InvalidCombination> {
    if !is_valid_memory_combination(scope, memory_type) {
        return Err(InvalidCombination { scope, memory_type });
    }
    // Whoever wrote the text, a memory must not give away a secret that lets somebody in.
    let content = with_secrets_masked(&content.into()).into_owned();
    Ok(MemoryDraft { scope, scope_id, memory_type, content, source_message_count, source_latest_message_ts })
}

impl MemoryDraft {
    /// The memory as stored, with its `version` and both times. An overwrite keeps `created_at`.
    pub fn stored(self, version: u32, created_at: Timestamp, updated_at: Timestamp) -> Memory {
        Memory { draft: self, version, created_at, updated_at }
    }

    /// What it is about.
    pub fn scope(&self) -> MemoryScope {
        self.scope
    }

    /// The id of the workspace, channel or thread that it is about.
    pub fn scope_id(&self) -> &ScopeId {
        &self.scope_id
    }

    /// How far back it reaches.
    pub fn memory_type(&self) -> MemoryType {
        self.memory_type
    }

    /// The text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// How many messages it was made from.
    pub fn source_message_count(&self) -> u64 {
        self.source_message_count
    }

    /// The time stamp of the newest of them.
    pub fn source_latest_message_ts(&self) -> Option<MessageTs> {
        self.source_latest_message_ts
    }
}

impl Memory {
    /// What it is about.
    pub fn scope(&self) -> MemoryScope {
        self.draft.scope
    }

    /// The id of the workspace, channel or thread that it is about.
    pub fn scope_id(&self) -> &ScopeId {
        &self.draft.scope_id
    }

    /// How far back it reaches.
    pub fn memory_type(&self) -> MemoryType {
        self.draft.memory_type
    }

    /// 1, 2, 3 … for a channel's short-term memory; 1 for every other.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The text.
    pub fn content(&self) -> &str {
        &self.draft.content
    }

    /// When this version was first written (UTC).
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When it was last written (UTC).
    pub fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    /// How many messages it was made from.
    pub fn source_message_count(&self) -> u64 {
        self.draft.source_message_count
    }

    /// The time stamp of the newest of them.
    pub fn source_latest_message_ts(&self) -> Option<MessageTs> {
        self.draft.source_latest_message_ts
    }
}
