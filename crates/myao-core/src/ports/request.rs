//! What a model is asked: the dialogue, what belongs to it, and what the answer has to be.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{image::Image, talk_line::TalkLine, thought::Thought};
use crate::text::Language;

/// For which task a model is called: `agents.*` of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Writing answers.
    Response,
    /// Deciding whether to speak.
    Judgment,
    /// Writing memories.
    Memory,
}

impl Role {
    /// The name in configuration and storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Judgment => "judgment",
            Self::Memory => "memory",
        }
    }
}

/// The purpose of a reply that nobody asked for.
pub const UNASKED: &str = "unasked";

/// One request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The task it is made for.
    pub role: Role,
    /// What it is for, as storage names it: `chapter`, `merge`, `workspace`, `thread`, `reply`, [`UNASKED`],
    /// `judgment`, …
    pub purpose: &'static str,
    /// The system prompt.
    pub system: String,
    /// The dialogue so far, oldest first; at least one turn.
    pub turns: Vec<Turn>,
    /// Images for our first turn, for models that take images. The text names each of them, so that it is complete
    /// without them.
    pub images: Vec<Image>,
    /// The content of the text as values, for `builtin`. Memories that were cut in the text are whole here.
    pub material: Material,
    /// What we are called in the talk: a model likes to begin its words as our lines begin there. Empty where an answer may
    /// begin with a name.
    pub own_names: Vec<String>,
    /// The language the answer should be in.
    pub language: Language,
    /// The length that the answer is asked to keep to, in tokens; the provider's limit is twice that
    /// (specification §2.2).
    pub target_tokens: u32,
    /// How many tokens are added to the answer's limit, after an earlier answer used all of it for thoughts.
    pub extra_tokens: u32,
    /// Whether an earlier answer to the same words could not be used, so that a different one is wanted. A provider
    /// then asks for another temperature, if the model takes one.
    pub afresh: bool,
    /// Tools the model may call.
    pub tools: Vec<ToolSpec>,
    /// What the answer has to be.
    pub form: ResponseFormat,
}

impl Request {
    /// A request for words that says nothing yet and has no tools; its answer has no length.
    pub fn new(role: Role, purpose: &'static str, language: Language) -> Self {
        Self {
            role,
            purpose,
            system: String::new(),
            turns: Vec::new(),
            images: Vec::new(),
            material: Material::Conversation(Vec::new()),
            own_names: Vec::new(),
            language,
            target_tokens: 0,
            extra_tokens: 0,
            afresh: false,
            tools: Vec::new(),
            form: ResponseFormat::Text,
        }
    }
}

/// What an answer has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseFormat {
    /// Words.
    Text,
    /// JSON that satisfies a schema.
    Data {
        /// What the data is, in one word: `verdict`, …
        name: &'static str,
        /// Its JSON schema.
        schema: Value,
        /// How the server is asked for it.
        means: DataMode,
    },
}

/// How a server is asked for data, the strictest way first. Not every server knows all of these ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataMode {
    /// The server enforces the schema.
    Schema,
    /// The server enforces JSON; the prompt describes which data.
    Object,
    /// The prompt asks for JSON and nothing else.
    Words,
}

/// One turn of a dialogue with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// What we say.
    User(String),
    /// What the model said.
    Assistant {
        /// Its words.
        text: String,
        /// The tools it called.
        calls: Vec<ToolCall>,
        /// What it thought before the calls, as its provider wants it back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thoughts: Vec<Thought>,
    },
    /// What a tool gave back.
    Tool {
        /// The call it answers.
        call: String,
        /// The result, as text.
        text: String,
    },
}

/// The content of a request's text as values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Material {
    /// Talk to be summarised, oldest first, on top of an existing memory.
    Talk {
        /// The text it continues; empty when there is none.
        existing: String,
        /// What was said.
        lines: Vec<TalkLine>,
    },
    /// Memories to be folded into an existing one, in order.
    Memories {
        /// The text they are folded into; empty when there is none.
        existing: String,
        /// The memories.
        entries: Vec<MemoryEntry>,
    },
    /// A conversation to answer or to judge, oldest first. To be answered, it begins with the exchanges that a search
    /// found for it, best first; these lines have a [`TalkLine::mark`] and a [`TalkLine::found`].
    Conversation(Vec<TalkLine>),
}

/// One memory as a model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEntry {
    /// `#channel` for a channel's memory; empty where all are of one channel.
    pub label: String,
    /// The first and the last day that it is about, as `YYYY-MM-DD`, if known.
    pub period: Option<(String, String)>,
    /// Its text.
    pub text: String,
}

/// A tool, as described to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}
