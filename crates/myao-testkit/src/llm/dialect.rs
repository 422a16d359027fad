//! What the four providers differ in.

use serde_json::Value;

use super::{
    anthropic, gemini,
    memory::ThoughtLog,
    ollama, openai,
    reply::{ReplyEnd, Tokens, ToolUse},
    traffic::ReceivedRequest,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenAi,
    Azure,
    Anthropic,
    Gemini,
    Ollama,
}

/// What a model said, to be put into a dialect.
pub(super) struct ModelAnswer<'a> {
    pub(super) text: &'a str,
    pub(super) wishes: &'a [ToolUse],
    pub(super) end: ReplyEnd,
    pub(super) tokens: Tokens,
    pub(super) thought: Option<&'a str>,
}

impl Dialect {
    /// Which one a path belongs to.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/chat/completions") {
            Some(if path.starts_with("/openai/") { Self::Azure } else { Self::OpenAi })
        } else if path.ends_with("/v1/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with(":generateContent") {
            Some(Self::Gemini)
        } else if path == "/api/chat" {
            Some(Self::Ollama)
        } else {
            None
        }
    }

    /// The key that a call shows, when it does so in the right way.
    pub(super) fn key(self, call: &ReceivedRequest) -> Option<&str> {
        let key = match self {
            Self::OpenAi | Self::Ollama => call.header("authorization")?.strip_prefix("Bearer ")?,
            Self::Azure => call.header("api-key")?,
            Self::Anthropic => call.header("x-api-key")?,
            Self::Gemini => call.header("x-goog-api-key")?,
        };
        (!key.trim().is_empty()).then_some(key)
    }

    /// Whether the server of this dialect wants a key at all.
    pub(super) fn wants_key(self) -> bool {
        self != Self::Ollama
    }

    /// What the server would find wrong with a call.
    pub(super) fn check(self, call: &ReceivedRequest) -> Result<(), String> {
        match self {
            Self::OpenAi | Self::Azure => openai::check(&call.body),
            Self::Anthropic => anthropic::check(call),
            Self::Gemini => gemini::check(&call.body),
            Self::Ollama => ollama::check(&call.body),
        }
    }

    /// What is wrong with the thoughts in a dialogue: those that were given with calls have to come back.
    pub(super) fn check_thoughts(self, body: &Value, memory: &ThoughtLog) -> Result<(), String> {
        match self {
            Self::OpenAi | Self::Azure => openai::check_thoughts(body, memory),
            Self::Anthropic => anthropic::check_thoughts(body, memory),
            Self::Gemini => gemini::check_thoughts(body, memory),
            Self::Ollama => ollama::check_thoughts(body, memory),
        }
    }

    pub(super) fn said(self, said: &ModelAnswer<'_>) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::said(said),
            Self::Anthropic => anthropic::said(said),
            Self::Gemini => gemini::said(said),
            Self::Ollama => ollama::said(said),
        }
    }

    pub(super) fn refusal(self, words: &str, tokens: Tokens) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::refusal(words, tokens),
            Self::Anthropic => anthropic::refusal(words, tokens),
            Self::Gemini => gemini::blocked(),
            Self::Ollama => ollama::said(&ModelAnswer {
                text: words,
                wishes: &[],
                end: ReplyEnd::Done,
                tokens,
                thought: None,
            }),
        }
    }

    pub(super) fn nothing(self) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::nothing(),
            Self::Anthropic => serde_json::json!({"id": "msg_1", "type": "message", "role": "assistant"}),
            Self::Gemini => serde_json::json!({"candidates": []}),
            Self::Ollama => serde_json::json!({"model": "fake", "done": true}),
        }
    }

    pub(super) fn error(self, status: u16, code: &str, message: &str) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::error(code, message),
            Self::Anthropic => anthropic::error(code, message),
            Self::Gemini => gemini::error(status, code, message),
            Self::Ollama => ollama::error(message),
        }
    }
}

/// Fields of an object that are not among those known.
pub(super) fn unknown(object: &Value, known: &[&str]) -> Result<(), String> {
    let fields = object.as_object().ok_or("the body is no object")?;
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown field: {key}")),
        None => Ok(()),
    }
}

/// A list that has to be there and hold something.
pub(super) fn list<'a>(object: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    let list = object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    list.ok_or(format!("{key} is missing, empty or no list"))
}

/// A text that has to be there and say something.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> Result<&'a str, String> {
    let text = object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text.ok_or(format!("{key} is missing, empty or no text"))
}

/// A whole number above zero, where it is given.
pub(super) fn limit(object: &Value, key: &str) -> Result<(), String> {
    match object.get(key) {
        Some(value) if value.as_u64().is_none_or(|n| n == 0) => Err(format!("{key} is no number above 0")),
        _ => Ok(()),
    }
}
