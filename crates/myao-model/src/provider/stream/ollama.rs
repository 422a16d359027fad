//! Puts the lines of Ollama's chat together. The last one has the counts.

use serde_json::{Map, Value, json};

use super::outcome::PieceOutcome;

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct OllamaAssembly {
    words: String,
    thinking: String,
    calls: Vec<Value>,
    has_message: bool,
    last: Option<Map<String, Value>>,
}

impl OllamaAssembly {
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn take(&mut self, line: &Value) -> PieceOutcome {
        if let Some(message) = line.get("message").filter(|message| message.is_object()) {
            self.has_message = true;
            let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
            self.words.push_str(text("content"));
            self.thinking.push_str(text("thinking"));
            let calls = message.get("tool_calls").and_then(Value::as_array);
            self.calls.extend(calls.into_iter().flatten().cloned());
        }
        if line.get("done").and_then(Value::as_bool) != Some(true) {
            return PieceOutcome::More;
        }
        self.last = line.as_object().cloned();
        PieceOutcome::Last
    }

    /// The answer at once.
    pub(super) fn into_whole(self) -> Option<Value> {
        let Self { words, thinking, calls, has_message, last } = self;
        let mut whole = last?;
        whole.remove("message");
        if has_message {
            let mut message = Map::new();
            message.insert("role".to_owned(), json!("assistant"));
            message.insert("content".to_owned(), json!(words));
            if !thinking.is_empty() {
                message.insert("thinking".to_owned(), json!(thinking));
            }
            if !calls.is_empty() {
                message.insert("tool_calls".to_owned(), Value::Array(calls));
            }
            whole.insert("message".to_owned(), Value::Object(message));
        }
        Some(Value::Object(whole))
    }
}
