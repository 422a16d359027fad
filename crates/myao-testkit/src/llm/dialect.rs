//! The differences between the providers.

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

/// A model's answer, before it is written in a dialect.
pub(super) struct ModelAnswer<'a> {
    pub(super) text: &'a str,
    pub(super) wishes: &'a [ToolUse],
    pub(super) end: ReplyEnd,
    pub(super) tokens: Tokens,
    pub(super) thought: Option<&'a str>,
}

impl Dialect {
    /// The dialect of a path. `None` for a path of no dialect.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/chat/completions") {
            Some(if path.starts_with("/openai/") { Self::Azure } else { Self::OpenAi })
        } else if path.ends_with("/v1/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Self::Gemini)
        } else if path == "/api/chat" {
            Some(Self::Ollama)
        } else {
            None
        }
    }

    /// The key of a call, if it is sent in the right way.
    pub(super) fn key(self, call: &ReceivedRequest) -> Option<&str> {
        let key = match self {
            Self::OpenAi | Self::Ollama => call.header("authorization")?.strip_prefix("Bearer ")?,
            Self::Azure => call.header("api-key")?,
            Self::Anthropic => call.header("x-api-key")?,
            Self::Gemini => call.header("x-goog-api-key")?,
        };
        (!key.trim().is_empty()).then_some(key)
    }

    /// Whether the server of this dialect requires a key.
    pub(super) fn wants_key(self) -> bool {
        self != Self::Ollama
    }

    /// Checks a call as the server would.
    pub(super) fn check(self, call: &ReceivedRequest) -> Result<(), String> {
        match self {
            Self::OpenAi | Self::Azure => openai::check_body(&call.body),
            Self::Anthropic => anthropic::check_call(call),
            Self::Gemini => gemini::check_body(&call.body),
            Self::Ollama => ollama::check_body(&call.body),
        }
    }

    /// Checks the thoughts in a dialogue: those that were given with calls have to come back.
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
            Self::OpenAi | Self::Azure => openai::answer_as_json(said),
            Self::Anthropic => anthropic::answer_as_json(said),
            Self::Gemini => gemini::answer_as_json(said),
            Self::Ollama => ollama::answer_as_json(said),
        }
    }

    pub(super) fn refusal(self, words: &str, tokens: Tokens) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::refusal_as_json(words, tokens),
            Self::Anthropic => anthropic::refusal_as_json(words, tokens),
            Self::Gemini => gemini::blocked_answer(),
            Self::Ollama => ollama::answer_as_json(&ModelAnswer {
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
            Self::OpenAi | Self::Azure => openai::answer_without_choice(),
            Self::Anthropic => serde_json::json!({"id": "msg_1", "type": "message", "role": "assistant"}),
            Self::Gemini => serde_json::json!({"candidates": []}),
            Self::Ollama => serde_json::json!({"model": "fake", "done": true}),
        }
    }

    pub(super) fn error(self, status: u16, code: &str, message: &str) -> Value {
        match self {
            Self::OpenAi | Self::Azure => openai::error_as_json(code, message),
            Self::Anthropic => anthropic::error_as_json(code, message),
            Self::Gemini => gemini::error_as_json(status, code, message),
            Self::Ollama => ollama::error_as_json(message),
        }
    }
}

/// Refuses an object with an unknown field.
pub(super) fn refuse_unknown_fields(object: &Value, known: &[&str]) -> Result<(), String> {
    let fields = object.as_object().ok_or("the body is no object")?;
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown field: {key}")),
        None => Ok(()),
    }
}

/// A required, non-empty list.
pub(super) fn required_list<'a>(object: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    let list = object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    list.ok_or(format!("{key} is missing, empty or no list"))
}

/// A required, non-empty string.
pub(super) fn required_text<'a>(object: &'a Value, key: &str) -> Result<&'a str, String> {
    let text = object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text.ok_or(format!("{key} is missing, empty or no text"))
}

/// Refuses a limit that is given and is no whole number above 0.
pub(super) fn check_token_limit(object: &Value, key: &str) -> Result<(), String> {
    match object.get(key) {
        Some(value) if value.as_u64().is_none_or(|n| n == 0) => Err(format!("{key} is no number above 0")),
        _ => Ok(()),
    }
}
