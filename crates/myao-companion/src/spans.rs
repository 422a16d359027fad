//! The spans that traces consist of, where somebody collects traces (ADR 131).
//!
//! All spans are made here, so that this file tells everything that leaves the machine in them: numbers, names from closed
//! lists of ours, and models by the names that the owner configured. No words, no names of people or channels, no ids of
//! Slack, no text of an error. Nothing of it costs anything where nobody collects: then no span is made.
//!
//! The attributes of calls and tools are those of OpenTelemetry's conventions for generative AI, version 0.1.0.

use myao_core::{
    judgment::Cause,
    ports::{BUILTIN, ModelError, Request, Response, ResponseFormat, StopReason},
};
use myao_store::{CallOutcome, ReplyId};
use tracing::{Span, field::Empty, info_span};

/// Where all spans are made: what collects them takes no others.
pub const SPAN_TARGET: &str = module_path!();

/// The attributes that spans have; an exporter leaves out any other.
pub const SPAN_ATTRIBUTES: [&str; 25] = [
    "error.type",
    "gen_ai.operation.name",
    "gen_ai.output.type",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.request.stream",
    "gen_ai.response.finish_reasons",
    "gen_ai.tool.name",
    "gen_ai.tool.type",
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "myao.attempt",
    "myao.call.id",
    "myao.channels",
    "myao.chapter",
    "myao.chapters",
    "myao.deliveries",
    "myao.post.done",
    "myao.post.part",
    "myao.purpose",
    "myao.reply.cause",
    "myao.reply.id",
    "myao.role",
    "myao.usage.estimated",
];

/// Deliveries of the chat that arrived together. What is done because of them belongs to it.
pub(crate) fn arrival(deliveries: usize) -> Span {
    info_span!(parent: None, "arrival", otel.kind = "consumer", myao.deliveries = number(deliveries))
}

/// A transaction that stores something.
pub(crate) fn store() -> Span {
    info_span!("store")
}

/// A reply, from the wish to the last post.
pub(crate) fn reply(arrival: Option<&Span>, id: ReplyId, cause: Cause) -> Span {
    let arrival = arrival.and_then(Span::id);
    info_span!(parent: arrival, "reply", myao.reply.id = id.0, myao.reply.cause = cause.as_str())
}

/// The search for a reply's words.
pub(crate) fn invoke_agent(model: &str) -> Span {
    info_span!(
        "invoke_agent",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.provider.name = provider_and_model(model).0,
        gen_ai.request.model = provider_and_model(model).1,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// Reading what a prompt is made from.
pub(crate) fn gather() -> Span {
    info_span!("gather")
}

/// Composing a prompt.
pub(crate) fn compose() -> Span {
    info_span!("compose")
}

/// Sending a part of a reply to the chat.
pub(crate) fn post(part: u32) -> Span {
    info_span!("post", otel.kind = "client", myao.post.part = number(part), myao.post.done = Empty)
}

/// One call of a model.
pub(crate) fn chat(model: &str, request: &Request, attempt: u32, in_pieces: bool) -> Span {
    let output = match &request.form {
        ResponseFormat::Data { .. } => "json",
        ResponseFormat::Text => "text",
    };
    info_span!(
        "chat",
        otel.name = call_name("chat", model),
        otel.kind = if model == BUILTIN { "internal" } else { "client" },
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider_and_model(model).0,
        gen_ai.request.model = provider_and_model(model).1,
        gen_ai.output.type = output,
        gen_ai.request.stream = in_pieces,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        myao.usage.estimated = Empty,
        myao.role = request.role.as_str(),
        myao.purpose = request.purpose,
        myao.attempt = number(attempt),
        myao.call.id = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// One call of a model of embeddings.
pub(crate) fn embeddings(model: &str, purpose: &'static str) -> Span {
    info_span!(
        "embeddings",
        otel.name = call_name("embeddings", model),
        otel.kind = "client",
        gen_ai.operation.name = "embeddings",
        gen_ai.provider.name = provider_and_model(model).0,
        gen_ai.request.model = provider_and_model(model).1,
        gen_ai.usage.input_tokens = Empty,
        myao.usage.estimated = Empty,
        myao.purpose = purpose,
        myao.call.id = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// One run of a tool that we offer: `name` is among those, not only what a model calls it.
pub(crate) fn execute_tool(name: &str) -> Span {
    info_span!(
        "execute_tool",
        otel.name = format!("execute_tool {name}"),
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        gen_ai.tool.type = "function",
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// A judgment whether to speak up unasked.
pub(crate) fn judgment() -> Span {
    info_span!(parent: None, "judgment")
}

/// A round of the keeper in which something was due.
pub(crate) fn memory_round(channels: usize) -> Span {
    info_span!(parent: None, "memory_round", myao.channels = number(channels))
}

/// The text of a chapter.
pub(crate) fn chapter(version: u32) -> Span {
    info_span!("chapter", myao.chapter = number(version))
}

/// A merge of chapters into a channel's long-term memory.
pub(crate) fn merge(chapters: u64) -> Span {
    info_span!("merge", myao.chapters = number(chapters))
}

/// The text of the memory of a thread.
pub(crate) fn thread() -> Span {
    info_span!("thread")
}

/// A pass that takes channels' memories into the workspace's.
pub(crate) fn workspace() -> Span {
    info_span!("workspace")
}

/// Notes on a span that what it tells of failed, and what kind of failure it was. Its text stays here.
pub(crate) fn note_failure(span: &Span, kind: &'static str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}

/// Notes on the span of a call how it ended.
pub(crate) fn note_call_end(
    span: &Span,
    end: &CallOutcome,
    record: Option<i64>,
    result: Option<&Result<Response, ModelError>>,
) {
    if span.is_disabled() {
        return;
    }
    if let Some(stop) = end.stop {
        span.record("gen_ai.response.finish_reasons", finish_reason(stop));
    }
    span.record("gen_ai.usage.input_tokens", number(end.usage.input));
    span.record("gen_ai.usage.output_tokens", number(end.usage.output));
    span.record("gen_ai.usage.cache_read.input_tokens", number(end.usage.cached));
    span.record("myao.usage.estimated", end.usage.estimated);
    if let Some(id) = record {
        span.record("myao.call.id", id);
    }
    match result {
        Some(Ok(_)) => {}
        Some(Err(error)) => note_failure(span, kind_of_error(error)),
        None => note_failure(span, "stopped"),
    }
}

/// A count as a signed number: any other becomes a text on its way.
fn number(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

fn call_name(operation: &str, model: &str) -> String {
    format!("{operation} {}", provider_and_model(model).1)
}

/// The provider, by the name that the conventions have for it, and the model.
fn provider_and_model(id: &str) -> (&str, &str) {
    let (provider, model) = id.split_once('/').unwrap_or((id, id));
    let provider = match provider {
        // Embeddings are asked for by OpenAI's protocol, whoever serves them.
        "openai_compatible" | "embeddings" => "openai",
        "claude" => "anthropic",
        "gemini" | "google" => "gcp.gemini",
        "azure" | "azure_openai" => "azure.ai.openai",
        "deep_seek" => "deepseek",
        "groqcloud" => "groq",
        "mistral" | "mistralai" => "mistral_ai",
        "xai" | "grok" => "x_ai",
        "moonshot" | "kimi" => "moonshot_ai",
        other => other,
    };
    (provider, model)
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "stop",
        StopReason::Length => "length",
        StopReason::Tools => "tool_calls",
        StopReason::Refused => "content_filter",
    }
}

fn kind_of_error(error: &ModelError) -> &'static str {
    match error {
        ModelError::Timeout(_) => "timeout",
        ModelError::Invalid(_) => "invalid_answer",
        ModelError::Limited { .. } => "rate_limited",
        ModelError::Unavailable(_) => "unavailable",
        ModelError::Unauthorised(_) => "wrong_key",
        ModelError::Spent(_) => "key_spent",
        ModelError::WrongAddress(_) => "wrong_address",
        ModelError::NoSuchModel(_) => "no_such_model",
        ModelError::TooLong(_) => "prompt_too_long",
        ModelError::Unsupported(_) => "unsupported",
        ModelError::Rejected(_) => "rejected",
    }
}
