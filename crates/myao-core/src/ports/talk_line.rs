//! A message as models read it.

use crate::chat::{MessageTs, Speaker};

/// One message as a model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkLine {
    /// The name of the channel where a search found it; `None` for the conversation itself.
    pub channel: Option<String>,
    /// When it was said.
    pub ts: MessageTs,
    /// The same in the prompt's form, `YYYY-MM-DD HH:MM` in the configured zone.
    pub when: String,
    /// The root of the thread it replies in; `None` at top level.
    pub thread: Option<MessageTs>,
    /// Who said it, by name.
    pub name: String,
    /// Whether that is a person, a bot, or us.
    pub speaker: Speaker,
    /// What was said, with names in the place of ids.
    pub text: String,
    /// The mark by which an answer can name it, without brackets (`r1`), if a search found it.
    pub mark: Option<String>,
    /// Where it stands among what a search found, if it does.
    pub found: Option<FoundIn>,
    /// Words of the house that it explains and that bear on what is asked; of what is asked itself, former names and what
    /// their bearers are called now.
    pub explains: Vec<ExplainedWord>,
}

/// A word of the house that a message explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedWord {
    /// The word.
    pub word: String,
    /// What it means.
    pub meaning: String,
    /// Whether what is said with one answers what is asked with the other. Not where other places mean something else.
    pub is_same: bool,
}

/// Where a line stands among what a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundIn {
    /// The exchange that it belongs to, from 1 for the one with the best hit; its lines stand in the order in which they
    /// were said.
    pub exchange: usize,
    /// Whether the search found it, or it stands around what the search found.
    pub is_hit: bool,
    /// Whether it is a memory's line, and not a message.
    pub is_memory: bool,
    /// Whether it stands in the channel of the conversation.
    pub is_here: bool,
}
