//! Puts the pieces of OpenAI's protocol together.

use serde_json::{Map, Value, json};

use super::outcome::PieceOutcome;

/// A message as far as it has come.
#[derive(Default)]
pub(super) struct OpenAiAssembly {
    words: String,
    /// Its other fields: thoughts, a refusal, blocks.
    fields: Map<String, Value>,
    calls: Vec<Value>,
    reason: Option<Value>,
    usage: Option<Value>,
}

impl OpenAiAssembly {
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn take(&mut self, piece: &Value) -> PieceOutcome {
        if let Some(usage) = piece.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        // Groq counts here.
        if let Some(usage) = piece.pointer("/x_groq/usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        let choices = piece.get("choices").and_then(Value::as_array).into_iter().flatten();
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        for choice in choices.filter(is_first) {
            let whole = choice.get("message").filter(|_| choice.get("delta").is_none());
            for (name, value) in whole.and_then(Value::as_object).into_iter().flatten() {
                self.forget(name, value);
            }
            let delta = choice.get("delta").or(whole);
            for (name, value) in delta.and_then(Value::as_object).into_iter().flatten() {
                self.add(name, value);
            }
            if let Some(reason) = choice.get("finish_reason").filter(|reason| reason.is_string()) {
                self.reason = Some(reason.clone());
            }
        }
        PieceOutcome::More
    }

    /// Drops a field that the whole message says anew: some servers send it with the last piece, or as the only one.
    fn forget(&mut self, name: &str, value: &Value) {
        let is_empty = match value {
            Value::Null => true,
            Value::String(words) => words.is_empty(),
            Value::Array(all) => all.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
        };
        match name {
            _ if is_empty => {}
            "content" => self.words.clear(),
            "tool_calls" => self.calls.clear(),
            _ => drop(self.fields.remove(name)),
        }
    }

    fn add(&mut self, name: &str, value: &Value) {
        match (name, value) {
            (_, Value::Null) | ("role", _) => {}
            ("content", Value::String(words)) => self.words.push_str(words),
            ("content", Value::Array(blocks)) => blocks.iter().for_each(|block| self.add_block(block)),
            ("tool_calls", Value::Array(calls)) => calls.iter().for_each(|call| self.add_call(call)),
            (_, Value::String(words)) => add_words(&mut self.fields, name, words),
            (_, Value::Array(blocks)) => {
                let kept = self.fields.entry(name).or_insert_with(|| json!([]));
                if let Some(kept) = kept.as_array_mut() {
                    for block in blocks {
                        merge_block(kept, block);
                    }
                }
            }
            _ => drop(self.fields.insert(name.to_owned(), value.clone())),
        }
    }

    /// A block of Mistral's: words, or thoughts.
    fn add_block(&mut self, block: &Value) {
        if let Some(words) = block.get("text").and_then(Value::as_str) {
            self.words.push_str(words);
        }
        let thoughts = block.get("thinking").and_then(Value::as_array).into_iter().flatten();
        for words in thoughts.filter_map(|part| part.get("text")?.as_str()) {
            add_words(&mut self.fields, "reasoning", words);
        }
    }

    /// A piece of a call: its name and id come once, its arguments bit by bit.
    fn add_call(&mut self, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let id = piece.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        // Servers that give no index send a call in one piece.
        let index =
            index.unwrap_or(if id.is_some() { self.calls.len() } else { self.calls.len().saturating_sub(1) });
        if index > self.calls.len() {
            // Nobody skips a call; what cannot be read is then no call.
            self.calls.push(Value::Null);
            return;
        }
        if index == self.calls.len() {
            self.calls.push(json!({"type": "function", "function": {"arguments": ""}}));
        }
        let Some(call) = self.calls.get_mut(index).and_then(Value::as_object_mut) else { return };
        if let Some(id) = id {
            call.insert("id".to_owned(), json!(id));
        }
        let given = piece.get("function").unwrap_or(&Value::Null);
        let Some(function) = call.get_mut("function").and_then(Value::as_object_mut) else { return };
        if let Some(name) = given.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            function.insert("name".to_owned(), json!(name));
        }
        match given.get("arguments") {
            Some(Value::String(words)) => add_words(function, "arguments", words),
            Some(arguments @ Value::Object(_)) => {
                function.insert("arguments".to_owned(), arguments.clone());
            }
            _ => {}
        }
    }

    /// The answer at once. It has ended if the server says so, in either of two ways.
    pub(super) fn into_whole(self, is_done: bool) -> Option<Value> {
        let Self { words, mut fields, calls, reason, usage } = self;
        if reason.is_none() && !is_done {
            return None;
        }
        fields.insert("role".to_owned(), json!("assistant"));
        fields.insert("content".to_owned(), json!(words));
        if !calls.is_empty() {
            fields.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        let is_empty = words.is_empty() && fields.len() == 2 && reason.is_none();
        let choices =
            if is_empty { json!([]) } else { json!([{"message": fields, "finish_reason": reason}]) };
        Some(json!({"choices": choices, "usage": usage}))
    }
}

fn add_words(fields: &mut Map<String, Value>, name: &str, words: &str) {
    match fields.get_mut(name) {
        Some(Value::String(kept)) => kept.push_str(words),
        _ => drop(fields.insert(name.to_owned(), json!(words))),
    }
}

/// Adds a piece of a block to the block that it goes on, or begins another one.
fn merge_block(kept: &mut Vec<Value>, piece: &Value) {
    let same = |key: &str, last: &Value| last.get(key) == piece.get(key);
    let last = kept.last_mut().filter(|last| {
        piece.get("index").is_some_and(|index| !index.is_null()) && same("index", last) && same("type", last)
    });
    let (Some(Value::Object(last)), Some(fields)) = (last, piece.as_object()) else {
        kept.push(piece.clone());
        return;
    };
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("text" | "summary" | "data", Value::String(words)) => add_words(last, name, words),
            (_, Value::Null) => {}
            _ => drop(last.insert(name.clone(), value.clone())),
        }
    }
}
