//! Turns a provider's answer into a [`Response`].

use myao_core::{
    ports::{Request, Response, StopReason, Thought, ToolCall, Turn, Usage},
    prompt::estimate_tokens,
};
use serde_json::Value;

use super::{
    complaint::Complaint,
    failure::{CallFailure, RequestContext},
};

/// The tags around thoughts in the text, if the server does not take these out.
const THOUGHT: (&str, &str) = ("<think>", "</think>");
/// Most characters of a text: more than anybody reads in a chat. A longer target raises it ([`CHARS_A_TOKEN`]).
const MOST_CHARS: usize = 20_000;
/// Characters allowed for each token of the target.
const CHARS_A_TOKEN: usize = 8;

/// The content of an answer, in any protocol.
pub(super) struct ProviderAnswer<'a> {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) thoughts: Vec<Thought>,
    /// The provider's name for the reason why it ended.
    pub(super) reason: Option<&'a str>,
    /// Whether the model says that it refuses.
    pub(super) refused: bool,
    pub(super) count: Count,
}

impl ProviderAnswer<'_> {
    /// The response; an error if it is empty and ended for an unknown reason.
    pub(super) fn response(self, asked: RequestContext<'_>) -> Result<Response, CallFailure> {
        let Self { text, calls, thoughts, reason, refused, count } = self;
        let text = spoken(&text);
        let known = reason.map(known_reason);
        if let (Some(None), Some(reason), true) = (known, reason, text.is_empty() && calls.is_empty()) {
            return Err(asked.invalid(&format!("it ended with {reason} and says nothing")));
        }
        let usage = count.usage(asked.request, text, &calls);
        let kept = bounded(text, asked.request);
        let known = if refused { Some(StopReason::Refused) } else { known.flatten() };
        let is_cut = kept.len() < text.len();
        let stop = match known {
            Some(StopReason::Refused) => StopReason::Refused,
            Some(StopReason::Length) => StopReason::Length,
            Some(StopReason::End | StopReason::Tools) | None if is_cut => StopReason::Length,
            Some(StopReason::End | StopReason::Tools) | None if calls.is_empty() => StopReason::End,
            // Gemini and some local servers give the usual reason for a turn with calls.
            Some(StopReason::End | StopReason::Tools) | None => StopReason::Tools,
        };
        let thoughts = if calls.is_empty() { Vec::new() } else { thoughts };
        Ok(Response { thoughts, text: kept.to_owned(), calls, stop, usage })
    }
}

/// The reason why an answer ended, by the names of all protocols.
fn known_reason(reason: &str) -> Option<StopReason> {
    match reason {
        "stop" | "end_turn" | "STOP" | "COMPLETE" | "completed" | "stop_sequence" | "STOP_SEQUENCE"
        | "tool_calls" | "tool_use" | "function_call" => Some(StopReason::End),
        "length"
        | "max_tokens"
        | "MAX_TOKENS"
        | "incomplete"
        | "model_context_window_exceeded"
        | "model_length" => Some(StopReason::Length),
        "content_filter"
        | "refusal"
        | "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "LANGUAGE"
        | "ERROR_TOXIC" => Some(StopReason::Refused),
        _ => None,
    }
}

/// The part of a text that is kept: a model that repeats itself endlessly would make thousands of posts.
fn bounded<'a>(text: &'a str, request: &Request) -> &'a str {
    let asked_for =
        usize::try_from(request.target_tokens).unwrap_or(usize::MAX).saturating_mul(CHARS_A_TOKEN);
    let end = text.char_indices().nth(MOST_CHARS.max(asked_for)).map(|(end, _)| end);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Whether an answer is no error: some servers and gateways send errors with status 200.
pub(super) fn holds_no_error(raw: &Value) -> bool {
    Complaint::found(raw).is_none()
}

/// The failure for an answer that could not be read: it holds an error, a filter's reason, or nonsense.
pub(super) fn unread(raw: &Value, why: &str, asked: RequestContext<'_>) -> CallFailure {
    if let Some(complaint) = Complaint::found(raw) {
        return asked.in_answer(&complaint);
    }
    // Gemini, when its filter did not take the prompt.
    match raw.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        Some(reason) => asked.refused(reason),
        None => asked.invalid(why),
    }
}

/// The response of a call that a filter stopped: without text, at the cost of the prompt.
pub(super) fn refused(request: &Request) -> Response {
    let usage = Count::default().usage(request, "", &[]);
    Response {
        text: String::new(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::Refused,
        usage,
    }
}

/// The text without the thoughts at its beginning; empty if these do not end.
fn spoken(text: &str) -> &str {
    match text.trim_start().strip_prefix(THOUGHT.0) {
        Some(thought) => thought.split_once(THOUGHT.1).map_or("", |(_, said)| said).trim(),
        None => text.trim(),
    }
}

/// Tokens as the provider counted them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) input: Option<u64>,
    pub(super) cached: Option<u64>,
    pub(super) output: Option<u64>,
}

impl Count {
    /// The usage, with estimates for what the provider did not count.
    fn usage(self, request: &Request, text: &str, calls: &[ToolCall]) -> Usage {
        Usage {
            input: self.input.unwrap_or_else(|| read(request)),
            cached: self.cached.unwrap_or(0),
            output: self.output.unwrap_or_else(|| written(text, calls)),
            estimated: self.input.is_none() || self.output.is_none(),
        }
    }
}

fn estimate(text: &str) -> u64 {
    u64::try_from(estimate_tokens(text)).unwrap_or(u64::MAX)
}

fn written(text: &str, calls: &[ToolCall]) -> u64 {
    let calls = calls.iter().map(|call| estimate(&call.name) + estimate(&call.arguments.to_string()));
    estimate(text) + calls.sum::<u64>()
}

fn thought(thoughts: &[Thought]) -> u64 {
    let tokens = thoughts.iter().map(Thought::estimated_tokens).sum::<usize>();
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

fn read(request: &Request) -> u64 {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => estimate(text),
        Turn::Assistant { text, calls, thoughts } => written(text, calls) + thought(thoughts),
    });
    let tools = request.tools.iter().map(|tool| {
        estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.parameters.to_string())
    });
    estimate(&request.system) + turns.sum::<u64>() + tools.sum::<u64>()
}
