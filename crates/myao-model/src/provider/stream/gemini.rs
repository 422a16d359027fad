//! Puts the pieces of Gemini's `streamGenerateContent` together: each is an answer of its own, with some of the parts.

use serde_json::{Map, Value, json};

use super::outcome::PieceOutcome;

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct GeminiAssembly {
    words: String,
    parts: Vec<Value>,
    candidate: Map<String, Value>,
    /// Everything beside the candidates: counts, and what a filter says.
    rest: Map<String, Value>,
    has_candidate: bool,
}

impl GeminiAssembly {
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn take(&mut self, piece: &Value) -> PieceOutcome {
        for (name, value) in piece.as_object().into_iter().flatten().filter(|(name, _)| *name != "candidates")
        {
            self.rest.insert(name.clone(), value.clone());
        }
        let Some(candidate) = piece.pointer("/candidates/0").and_then(Value::as_object) else {
            return PieceOutcome::More;
        };
        self.has_candidate = true;
        for (name, value) in candidate.iter().filter(|(name, _)| *name != "content") {
            self.candidate.insert(name.clone(), value.clone());
        }
        let parts = candidate.get("content").and_then(|content| content.get("parts")?.as_array());
        for part in parts.into_iter().flatten() {
            let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
            if let Some(words) = part.get("text").and_then(Value::as_str).filter(|_| !is_thought) {
                self.words.push_str(words);
            }
            self.parts.push(part.clone());
        }
        PieceOutcome::More
    }

    /// The answer at once.
    pub(super) fn into_whole(self) -> Option<Value> {
        let Self { parts, mut candidate, mut rest, has_candidate, .. } = self;
        let is_told = candidate.get("finishReason").is_some_and(Value::is_string);
        let is_blocked = rest.get("promptFeedback").is_some_and(|told| told.get("blockReason").is_some());
        if has_candidate {
            if !parts.is_empty() {
                candidate.insert("content".to_owned(), json!({"role": "model", "parts": parts}));
            }
            rest.insert("candidates".to_owned(), json!([candidate]));
        }
        (is_told || is_blocked || !has_candidate && !rest.is_empty()).then_some(Value::Object(rest))
    }
}
