//! Puts the events of Anthropic's Messages API together.

use myao_core::text::parse_json;
use serde_json::{Map, Value, json};

use super::outcome::PieceOutcome;

/// A message as far as it has come.
#[derive(Default)]
pub(super) struct AnthropicAssembly {
    words: String,
    message: Map<String, Value>,
    blocks: Vec<Value>,
    /// The arguments of the tool's use that is being written.
    input: String,
    is_unreadable: bool,
    has_ended: bool,
}

impl AnthropicAssembly {
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn take(&mut self, event: &Value) -> PieceOutcome {
        match event.get("type").and_then(Value::as_str).unwrap_or_default() {
            "message_start" => {
                let message = event.get("message").and_then(Value::as_object);
                self.message = message.cloned().unwrap_or_default();
            }
            "content_block_start" => {
                let block = event.get("content_block").cloned().unwrap_or_default();
                if is_of(&block, "text") {
                    self.words.push_str(block.get("text").and_then(Value::as_str).unwrap_or_default());
                }
                self.blocks.push(block);
            }
            "content_block_delta" => self.add(event.get("delta").unwrap_or(&Value::Null)),
            "content_block_stop" => self.close_input(),
            "message_delta" => self.take_message_delta(event),
            "message_stop" => {
                self.has_ended = true;
                return PieceOutcome::Last;
            }
            // `ping`, and what there may be some day.
            _ => {}
        }
        PieceOutcome::More
    }

    fn add(&mut self, delta: &Value) {
        let text = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        let Some(block) = self.blocks.last_mut().and_then(Value::as_object_mut) else { return };
        match text("type") {
            "text_delta" => {
                self.words.push_str(text("text"));
                add_words(block, "text", text("text"));
            }
            "thinking_delta" => add_words(block, "thinking", text("thinking")),
            "signature_delta" => add_words(block, "signature", text("signature")),
            "input_json_delta" => self.input.push_str(text("partial_json")),
            _ => {}
        }
    }

    fn close_input(&mut self) {
        let written = std::mem::take(&mut self.input);
        if written.trim().is_empty() {
            return;
        }
        let Some(block) = self.blocks.last_mut().and_then(Value::as_object_mut) else { return };
        match parse_json(written.as_bytes()) {
            Ok(input) => drop(block.insert("input".to_owned(), input)),
            Err(_) => self.is_unreadable = true,
        }
    }

    fn take_message_delta(&mut self, event: &Value) {
        for (name, value) in event.get("delta").and_then(Value::as_object).into_iter().flatten() {
            self.message.insert(name.clone(), value.clone());
        }
        let usage = self.message.entry("usage").or_insert_with(|| json!({}));
        for (name, value) in event.get("usage").and_then(Value::as_object).into_iter().flatten() {
            if let Some(usage) = usage.as_object_mut().filter(|_| !value.is_null()) {
                usage.insert(name.clone(), value.clone());
            }
        }
    }

    /// The answer at once.
    pub(super) fn into_whole(self) -> Option<Value> {
        let Self { mut message, blocks, is_unreadable, has_ended, input, .. } = self;
        let is_told = message.get("stop_reason").is_some_and(Value::is_string);
        if !has_ended && !is_told {
            return None;
        }
        if is_unreadable || !input.is_empty() {
            // A use without a name cannot be read, whatever stands beside it.
            message.insert("content".to_owned(), json!([{"type": "tool_use"}]));
        } else {
            message.insert("content".to_owned(), Value::Array(blocks));
        }
        if message.get("usage").is_some_and(|usage| usage.as_object().is_some_and(Map::is_empty)) {
            message.remove("usage");
        }
        Some(Value::Object(message))
    }
}

fn is_of(block: &Value, kind: &str) -> bool {
    block.get("type").is_some_and(|found| found == kind)
}

fn add_words(block: &mut Map<String, Value>, name: &str, words: &str) {
    match block.get_mut(name) {
        Some(Value::String(kept)) => kept.push_str(words),
        _ => drop(block.insert(name.to_owned(), json!(words))),
    }
}
