//! Finds a model's thoughts before tool calls in its answer, and sends them back with the turn (docs/models.md).
//!
//! Anthropic wants its blocks back as they were, Gemini its signatures on the parts they came on, DeepSeek and
//! Kimi their `reasoning_content`, OpenRouter its `reasoning_details`. Thoughts under another name are not sent back:
//! Groq calls them `reasoning` and refuses requests with them.

use myao_core::ports::{Thought, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Beginnings of the types of OpenRouter's blocks.
const DETAILS: [&str; 1] = ["reasoning."];
/// The fields in which servers of OpenAI's protocol give thoughts.
const NAMES: [&str; 5] =
    ["reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks"];
/// Beginnings of the types of Anthropic's blocks.
const THINKING: [&str; 2] = ["thinking", "redacted_thinking"];

/// The content of a [`Thought`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ThoughtPayload {
    /// A block, verbatim: Anthropic's `thinking` and `redacted_thinking`, OpenRouter's `reasoning.*`.
    Block(Value),
    /// Words; they may be empty, since even then DeepSeek wants the field.
    Words(String),
    /// Gemini's signature of a call, by the call's id.
    OfCall { call: String, signature: String },
    /// Gemini's signature of the words beside the calls.
    OfText(String),
}

impl ThoughtPayload {
    fn into_thought(self) -> Option<Thought> {
        serde_json::to_value(self).ok().map(Thought::new)
    }

    /// `None` for a thought that was not written by this module.
    fn read(thought: &Thought) -> Option<Self> {
        Self::deserialize(thought.form()).ok()
    }
}

/// The thoughts in a message of OpenAI's protocol.
pub(super) fn of_openai(message: &Value) -> Vec<Thought> {
    let details = message.get("reasoning_details").and_then(Value::as_array);
    let blocks = blocks_of_kinds(details.map_or(&[][..], Vec::as_slice), &DETAILS);
    if blocks.is_empty() {
        reasoning_of_message(message).and_then(|words| of_words(&words)).into_iter().collect()
    } else {
        blocks
    }
}

/// Whether a message of OpenAI's protocol holds thoughts, under any of the names that servers have for them.
pub(super) fn are_in_openai(message: &Value) -> bool {
    let is_told = |key: &&str| match message.get(*key) {
        Some(Value::String(words)) => !words.trim().is_empty(),
        Some(Value::Array(blocks)) => !blocks.is_empty(),
        _ => false,
    };
    NAMES.iter().any(is_told) || reasoning_of_message(message).is_some_and(|words| !words.trim().is_empty())
}

/// The thoughts among the blocks of an Anthropic message.
pub(super) fn of_anthropic(content: &[Value]) -> Vec<Thought> {
    blocks_of_kinds(content, &THINKING)
}

/// Thoughts that a server gave as words.
pub(super) fn of_words(words: &str) -> Option<Thought> {
    ThoughtPayload::Words(words.to_owned()).into_thought()
}

/// Gemini's signature of a call.
pub(super) fn of_call(call: &str, signature: &str) -> Option<Thought> {
    ThoughtPayload::OfCall { call: call.to_owned(), signature: signature.to_owned() }.into_thought()
}

/// Gemini's signature of the words.
pub(super) fn of_text(signature: &str) -> Option<Thought> {
    ThoughtPayload::OfText(signature.to_owned()).into_thought()
}

fn is_of(block: &Value, kinds: &[&str]) -> bool {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
    kinds.iter().any(|known| kind.starts_with(known))
}

fn blocks_of_kinds(list: &[Value], kinds: &[&str]) -> Vec<Thought> {
    let blocks = list.iter().filter(|block| is_of(block, kinds));
    blocks.cloned().filter_map(|block| ThoughtPayload::Block(block).into_thought()).collect()
}

/// `reasoning_content`, or the `thinking` chunks of Mistral's content.
fn reasoning_of_message(message: &Value) -> Option<String> {
    if let Some(words) = message.get("reasoning_content").and_then(Value::as_str) {
        return Some(words.to_owned());
    }
    let chunks =
        message.get("content")?.as_array()?.iter().filter_map(|chunk| chunk.get("thinking")?.as_array());
    let words: Vec<&str> = chunks.flatten().filter_map(|part| part.get("text")?.as_str()).collect();
    (!words.is_empty()).then(|| words.concat())
}

/// Puts the thoughts of a turn into its message, in OpenAI's protocol. Mistral takes words as a chunk of the content, and
/// refuses unknown fields.
pub(super) fn into_openai(thoughts: &[Thought], turn: &mut Map<String, Value>, is_mistral: bool) {
    match words_among_thoughts(thoughts) {
        Some(words) if is_mistral => {
            let mut chunks = vec![json!({"type": "thinking", "thinking": [{"type": "text", "text": words}]})];
            let text = turn.get("content").and_then(Value::as_str).filter(|text| !text.is_empty());
            chunks.extend(text.map(|text| json!({"type": "text", "text": text})));
            turn.insert("content".to_owned(), Value::Array(chunks));
        }
        Some(words) => drop(turn.insert("reasoning_content".to_owned(), json!(words))),
        None => {}
    }
    let details = kept_blocks(thoughts, &DETAILS);
    if !details.is_empty() {
        turn.insert("reasoning_details".to_owned(), Value::Array(details));
    }
}

/// The blocks at the beginning of an Anthropic turn.
pub(super) fn into_anthropic(thoughts: &[Thought]) -> Vec<Value> {
    kept_blocks(thoughts, &THINKING)
}

fn kept_blocks(thoughts: &[Thought], kinds: &[&str]) -> Vec<Value> {
    let blocks = thoughts.iter().filter_map(ThoughtPayload::read).filter_map(|kept| match kept {
        ThoughtPayload::Block(block) => Some(block),
        ThoughtPayload::Words(_) | ThoughtPayload::OfCall { .. } | ThoughtPayload::OfText(_) => None,
    });
    blocks.filter(|block| is_of(block, kinds)).collect()
}

/// The signature that goes with a call.
pub(super) fn signature_of(call: &ToolCall, thoughts: &[Thought]) -> Option<String> {
    thoughts.iter().filter_map(ThoughtPayload::read).find_map(|kept| match kept {
        ThoughtPayload::OfCall { call: id, signature } if id == call.id => Some(signature),
        ThoughtPayload::OfCall { .. }
        | ThoughtPayload::Block(_)
        | ThoughtPayload::Words(_)
        | ThoughtPayload::OfText(_) => None,
    })
}

/// The signature that goes with the words.
pub(super) fn signature_of_text(thoughts: &[Thought]) -> Option<String> {
    thoughts.iter().filter_map(ThoughtPayload::read).find_map(|kept| match kept {
        ThoughtPayload::OfText(signature) => Some(signature),
        ThoughtPayload::OfCall { .. } | ThoughtPayload::Block(_) | ThoughtPayload::Words(_) => None,
    })
}

/// The words among a turn's thoughts.
pub(super) fn words_among_thoughts(thoughts: &[Thought]) -> Option<String> {
    thoughts.iter().filter_map(ThoughtPayload::read).find_map(|kept| match kept {
        ThoughtPayload::Words(words) => Some(words),
        ThoughtPayload::Block(_) | ThoughtPayload::OfCall { .. } | ThoughtPayload::OfText(_) => None,
    })
}
