//! What a model thought before it called tools: found in its answer, and given back with the turn
//! (docs/models.md).
//!
//! Anthropic wants its blocks back as they were, Gemini its signatures on the parts they came on, DeepSeek and
//! Kimi their `reasoning_content`, OpenRouter its `reasoning_details`. Under another name nothing goes back:
//! Groq calls it `reasoning` and refuses to see it again.

use genai::chat::{ContentPart, CustomPart, MessageContent};
use myao_core::ports::{Thought, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a [`Thought`] of ours holds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    /// A block, verbatim: Anthropic's `thinking` and `redacted_thinking`, OpenRouter's `reasoning.*`.
    Block(Value),
    /// Words, which may be none: even then DeepSeek wants the field.
    Words(String),
    /// Gemini's signature of a call, by the call's id.
    OfCall { call: String, signature: String },
    /// Gemini's signature of the words beside the calls.
    OfText(String),
}

impl Kept {
    fn into_thought(self) -> Option<Thought> {
        serde_json::to_value(self).ok().map(Thought::new)
    }

    /// None for what this provider did not write.
    fn read(thought: &Thought) -> Option<Self> {
        Self::deserialize(thought.form()).ok()
    }
}

/// What an answer holds of thoughts. `content` is what genai made of `raw`: it knows which call a signature of
/// Gemini's belongs to, but trims words and takes blocks apart.
pub(super) fn found(content: &MessageContent, raw: &Value) -> Vec<Thought> {
    let mut kept = signatures(content);
    kept.extend(blocks(raw.get("content"), &["thinking", "redacted_thinking"]));
    if let Some(message) = raw.pointer("/choices/0/message") {
        let before = kept.len();
        kept.extend(blocks(message.get("reasoning_details"), &["reasoning."]));
        if kept.len() == before {
            kept.extend(reasoning(message).map(Kept::Words));
        }
    }
    kept.into_iter().filter_map(Kept::into_thought).collect()
}

/// Words a server gave as thoughts.
pub(super) fn of_words(words: &str) -> Option<Thought> {
    Kept::Words(words.to_owned()).into_thought()
}

fn blocks(list: Option<&Value>, kinds: &[&str]) -> Vec<Kept> {
    let is_thought = |block: &&Value| {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        kinds.iter().any(|known| kind.starts_with(known))
    };
    let blocks = list.and_then(Value::as_array).into_iter().flatten();
    blocks.filter(is_thought).cloned().map(Kept::Block).collect()
}

/// `reasoning_content`, or the `thinking` chunks of Mistral's content.
fn reasoning(message: &Value) -> Option<String> {
    if let Some(words) = message.get("reasoning_content").and_then(Value::as_str) {
        return Some(words.to_owned());
    }
    let chunks =
        message.get("content")?.as_array()?.iter().filter_map(|chunk| chunk.get("thinking")?.as_array());
    let words: Vec<&str> = chunks.flatten().filter_map(|part| part.get("text")?.as_str()).collect();
    (!words.is_empty()).then(|| words.concat())
}

fn signatures(content: &MessageContent) -> Vec<Kept> {
    let (mut kept, mut of_texts, mut texts) = (Vec::new(), Vec::new(), 0);
    let mut pending: Option<&String> = None;
    for part in content.parts() {
        match part {
            ContentPart::ThoughtSignature(signature) => pending = Some(signature),
            ContentPart::Text(_) => {
                texts += 1;
                of_texts.extend(pending.take());
            }
            ContentPart::ToolCall(call) => {
                pending = None;
                let signature = call.thought_signatures.iter().flatten().next();
                kept.extend(signature.map(|signature| Kept::OfCall {
                    call: call.call_id.clone(),
                    signature: signature.clone(),
                }));
            }
            // Anthropic's: the signature belongs to a block that is kept whole.
            ContentPart::ReasoningContent(_) => pending = None,
            ContentPart::Binary(_) | ContentPart::ToolResponse(_) | ContentPart::Custom(_) => {}
        }
    }
    // Texts are put together, and a signature is for the text it came with.
    if let (1, [signature]) = (texts, of_texts.as_slice()) {
        kept.push(Kept::OfText((*signature).clone()));
    }
    kept
}

/// What goes in front of a turn's words and calls.
pub(super) fn leading(thoughts: &[Thought], has_text: bool) -> Vec<ContentPart> {
    let part = |kept| match kept {
        Kept::Block(data) => Some(ContentPart::Custom(CustomPart { model_iden: None, data })),
        Kept::Words(words) => Some(ContentPart::ReasoningContent(words)),
        Kept::OfText(signature) => has_text.then_some(ContentPart::ThoughtSignature(signature)),
        Kept::OfCall { .. } => None,
    };
    thoughts.iter().filter_map(Kept::read).filter_map(part).collect()
}

/// The signature that goes with a call.
pub(super) fn signature_of(call: &ToolCall, thoughts: &[Thought]) -> Option<String> {
    thoughts.iter().filter_map(Kept::read).find_map(|kept| match kept {
        Kept::OfCall { call: id, signature } if id == call.id => Some(signature),
        Kept::OfCall { .. } | Kept::Block(_) | Kept::Words(_) | Kept::OfText(_) => None,
    })
}

/// The words among a turn's thoughts.
pub(super) fn words(thoughts: &[Thought]) -> Option<String> {
    thoughts.iter().filter_map(Kept::read).find_map(|kept| match kept {
        Kept::Words(words) => Some(words),
        Kept::Block(_) | Kept::OfCall { .. } | Kept::OfText(_) => None,
    })
}
