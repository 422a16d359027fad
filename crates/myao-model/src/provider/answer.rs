//! Turns a provider's answer into a [`Response`].

use myao_core::{
    answer::{AnswerFault, SpokenAnswer, TextEnd, find_spoken_answer},
    ports::{Request, Response, StopReason, Thought, ToolCall, Usage},
    text::estimate_tokens,
};
use serde_json::Value;

use super::{
    complaint::Complaint,
    failure::{CallFailure, RequestContext},
    prompt_tokens::PromptTokens,
};

/// Most characters of a text: more than anybody reads in a chat. A longer target raises it ([`CHARS_A_TOKEN`]).
const MOST_CHARS: usize = 20_000;
/// Characters allowed for each token of the target.
const CHARS_A_TOKEN: usize = 8;

/// What begins the ids of calls that a model wrote as words. Mistral takes ids of nine letters and digits only.
pub(super) const SPOKEN_ID: &str = "spoken";

/// The content of an answer, in any protocol.
pub(super) struct ProviderAnswer<'a> {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) thoughts: Vec<Thought>,
    /// Whether the model is seen to have thought before it spoke.
    pub(super) thought: bool,
    /// The provider's name for the reason why it ended.
    pub(super) reason: Option<&'a str>,
    /// Whether the model says that it refuses.
    pub(super) refused: bool,
    pub(super) count: Count,
}

/// A response, and whether the model thought.
pub(super) struct ReadResponse {
    pub(super) response: Response,
    pub(super) thought: bool,
    /// Whether its text held thoughts; `None` if it had no text.
    pub(super) thought_aloud: Option<bool>,
}

impl ProviderAnswer<'_> {
    /// The response; a failure if what came is no answer: an error as words, a call that nobody can carry out, or nothing
    /// for an unknown reason.
    pub(super) fn response(self, asked: RequestContext<'_>) -> Result<ReadResponse, CallFailure> {
        let Self { text, mut calls, thoughts, thought, reason, refused, count } = self;
        let ended = reason.map_or(AnswerEnd::Done, AnswerEnd::read);
        let is_cut = ended == AnswerEnd::Limit;
        let end = if is_cut { TextEnd::Cut } else { TextEnd::Whole };
        let read = if refused || ended == AnswerEnd::Refused {
            SpokenAnswer { text: text.trim().to_owned(), ..SpokenAnswer::default() }
        } else {
            find_spoken_answer(&text, asked.request, end).map_err(|fault| match fault {
                AnswerFault::Error(words) => asked.spoken_error(&words),
                AnswerFault::Call => asked.invalid("it calls a tool in words"),
            })?
        };
        let reason = reason.unwrap_or_default();
        match ended {
            AnswerEnd::Failed => return Err(asked.failed_with(reason, &text)),
            AnswerEnd::Unknown if read.text.is_empty() && calls.is_empty() && read.calls.is_empty() => {
                return Err(asked.invalid(&format!("it ended with {reason} and says nothing")));
            }
            AnswerEnd::Done | AnswerEnd::Limit | AnswerEnd::Refused | AnswerEnd::Unknown => {}
        }
        if calls.is_empty() {
            calls = spoken_calls(read.calls, asked.request);
        }
        let usage = count.usage(asked.request, &text, &calls);
        let kept = text_that_is_kept(&read.text, asked.request);
        let stop = match ended {
            _ if refused => StopReason::Refused,
            AnswerEnd::Refused => StopReason::Refused,
            AnswerEnd::Limit => StopReason::Length,
            _ if kept.len() < read.text.len() => StopReason::Length,
            _ if calls.is_empty() => StopReason::End,
            // Gemini and some local servers give the usual reason for a turn with calls.
            AnswerEnd::Done | AnswerEnd::Failed | AnswerEnd::Unknown => StopReason::Tools,
        };
        let thoughts = if calls.is_empty() { Vec::new() } else { thoughts };
        let response = Response { thoughts, text: kept.to_owned(), calls, stop, usage };
        let thought_aloud = (read.thought || !response.text.is_empty()).then_some(read.thought);
        Ok(ReadResponse { response, thought: thought || read.thought, thought_aloud })
    }
}

/// The calls that a model wrote as words.
fn spoken_calls(calls: Vec<(String, Value)>, request: &Request) -> Vec<ToolCall> {
    let turn = request.turns.len() % 100;
    let call =
        |(index, (name, arguments))| ToolCall { id: format!("{SPOKEN_ID}{turn:02}{index}"), name, arguments };
    calls.into_iter().enumerate().map(call).collect()
}

/// Why an answer ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnswerEnd {
    /// The model was done.
    Done,
    /// It reached its limit.
    Limit,
    /// It, or a filter, refused.
    Refused,
    /// Its server failed.
    Failed,
    /// For a reason that we do not know.
    Unknown,
}

impl AnswerEnd {
    /// The reason by the names of all protocols.
    fn read(reason: &str) -> Self {
        match reason.to_ascii_lowercase().as_str() {
            "stop" | "end_turn" | "complete" | "completed" | "stop_sequence" | "tool_calls" | "tool_use"
            | "function_call" | "eos" | "eos_token" => Self::Done,
            "length" | "max_tokens" | "incomplete" | "model_context_window_exceeded" | "model_length" => {
                Self::Limit
            }
            "content_filter"
            | "refusal"
            | "safety"
            | "recitation"
            | "blocklist"
            | "prohibited_content"
            | "spii"
            | "image_safety"
            | "image_prohibited_content"
            | "image_recitation"
            | "language"
            | "error_toxic"
            | "sensitive" => Self::Refused,
            "error"
            | "network_error"
            | "server_error"
            | "upstream_error"
            | "insufficient_system_resource"
            | "engine_overloaded"
            | "abort"
            | "aborted"
            | "cancelled"
            | "timeout"
            | "failed"
            | "malformed_function_call"
            | "unexpected_tool_call"
            | "too_many_tool_calls"
            | "malformed_response" => Self::Failed,
            _ => Self::Unknown,
        }
    }
}

/// The part of a text that is kept: a model that repeats itself endlessly would make thousands of posts.
fn text_that_is_kept<'a>(text: &'a str, request: &Request) -> &'a str {
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
pub(super) fn unreadable_answer_failure(raw: &Value, why: &str, asked: RequestContext<'_>) -> CallFailure {
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
pub(super) fn response_when_refused(request: &Request) -> Response {
    let usage = Count::default().usage(request, "", &[]);
    Response {
        text: String::new(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::Refused,
        usage,
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
            input: self.input.unwrap_or_else(|| PromptTokens::of(request).all()),
            cached: self.cached.unwrap_or(0),
            output: self.output.unwrap_or_else(|| tokens_as_written(text, calls)),
            estimated: self.input.is_none() || self.output.is_none(),
        }
    }
}

fn count_estimated_tokens(text: &str) -> u64 {
    u64::try_from(estimate_tokens(text)).unwrap_or(u64::MAX)
}

fn tokens_as_written(text: &str, calls: &[ToolCall]) -> u64 {
    let calls = calls
        .iter()
        .map(|call| count_estimated_tokens(&call.name) + count_estimated_tokens(&call.arguments.to_string()));
    count_estimated_tokens(text) + calls.sum::<u64>()
}
