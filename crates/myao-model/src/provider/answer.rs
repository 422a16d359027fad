//! An answer in the mind's words.

use genai::chat::{ChatResponse, ContentPart, StopReason as Stop, Usage as Counted};
use myao_core::{
    ports::{Request, Response, StopReason, Thought, ToolCall, Turn, Usage},
    prompt::estimate_tokens,
};
use serde_json::Value;

use super::{
    complaint::Complaint,
    failure::{Asked, Failure},
    thoughts,
};

/// What a model that thinks aloud puts around it, when its server does not take it out.
const THOUGHT: (&str, &str) = ("<think>", "</think>");

/// The response, or why it is none. `raw` is the body it was read from: genai leaves out refusals, and errors
/// that come with status 200.
pub(super) fn response(answer: ChatResponse, raw: &Value, asked: Asked<'_>) -> Result<Response, Failure> {
    if is_without_choice(raw) || Complaint::found(raw).is_some() {
        return Err(unread(raw, "it holds no choice", asked));
    }
    let reason = answer.stop_reason.clone();
    let counted = Count::of(&answer.usage);
    let (mut texts, mut calls) = (Vec::new(), Vec::new());
    let thoughts = thoughts::found(&answer.content, raw);
    for part in answer.content {
        match part {
            ContentPart::Text(text) => texts.push(text),
            ContentPart::ToolCall(call) => {
                calls.push(ToolCall { id: call.call_id, name: call.fn_name, arguments: call.fn_arguments });
            }
            ContentPart::Binary(_)
            | ContentPart::ToolResponse(_)
            | ContentPart::ThoughtSignature(_)
            | ContentPart::ReasoningContent(_)
            | ContentPart::Custom(_) => {}
        }
    }
    let mut text = spoken(&texts.concat()).to_owned();
    let mut stop = stop(reason.as_ref(), !calls.is_empty());
    if let Some(refusal) = raw.pointer("/choices/0/message/refusal").and_then(Value::as_str) {
        stop = StopReason::Refused;
        if text.is_empty() {
            refusal.clone_into(&mut text);
        }
    }
    if let (Some(Stop::Other(reason)), true) = (&reason, text.is_empty() && calls.is_empty()) {
        return Err(asked.invalid(&format!("it ended with {reason} and says nothing")));
    }
    let usage = counted.usage(asked.request, &text, &calls);
    Ok(Response { thoughts: if calls.is_empty() { Vec::new() } else { thoughts }, text, calls, stop, usage })
}

/// Why an answer could not be read: it holds an error, a filter's reason, or nonsense.
pub(super) fn unread(raw: &Value, why: &str, asked: Asked<'_>) -> Failure {
    if let Some(complaint) = Complaint::found(raw) {
        return asked.in_answer(&complaint);
    }
    // Gemini, when its filter did not take the prompt.
    match raw.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        Some(reason) => Failure::Refused(reason.to_owned()),
        None => asked.invalid(why),
    }
}

/// The response of a call that a filter stopped: nothing said, the prompt read.
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

/// Whether it is of a kind that holds choices, and holds none.
fn is_without_choice(raw: &Value) -> bool {
    let has_some = |key: &str| raw.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    !has_some("choices") && !has_some("candidates") && raw.get("content").is_none()
}

/// The text without the thoughts it opens with. Thoughts that do not end are all there is.
pub(super) fn spoken(text: &str) -> &str {
    match text.trim_start().strip_prefix(THOUGHT.0) {
        Some(thought) => thought.split_once(THOUGHT.1).map_or("", |(_, said)| said).trim(),
        None => text.trim(),
    }
}

fn stop(reason: Option<&Stop>, has_calls: bool) -> StopReason {
    match reason {
        Some(Stop::MaxTokens(_)) => StopReason::Length,
        Some(Stop::ContentFilter(_)) => StopReason::Refused,
        // Gemini and some local servers end a turn with calls as they end any other.
        _ if has_calls => StopReason::Tools,
        Some(Stop::Completed(_) | Stop::ToolCall(_) | Stop::StopSequence(_) | Stop::Other(_)) | None => {
            StopReason::End
        }
    }
}

/// What a provider counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) input: Option<u64>,
    pub(super) cached: Option<u64>,
    pub(super) output: Option<u64>,
}

impl Count {
    fn of(usage: &Counted) -> Self {
        let number = |n: Option<i32>| n.and_then(|n| u64::try_from(n).ok());
        let details = usage.prompt_tokens_details.as_ref();
        Self {
            input: number(usage.prompt_tokens),
            cached: number(details.and_then(|details| details.cached_tokens)),
            output: number(usage.completion_tokens),
        }
    }

    /// What it cost: as counted, or as we estimate where nobody counted.
    pub(super) fn usage(self, request: &Request, text: &str, calls: &[ToolCall]) -> Usage {
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
