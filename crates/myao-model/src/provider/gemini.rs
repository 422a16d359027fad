//! Gemini's `generateContent`; its settings are in `config`.

mod config;

use myao_core::ports::{Request, Thought, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use super::{
    answer::{self, Count, ProviderAnswer, ReadResponse},
    catalog::Protocol,
    dialogue::{DialogueMessage, messages_of_request},
    failure::{CallFailure, RequestContext},
    images,
    params::ModelParams,
    thoughts, wording,
};

/// Prefix of the ids that we give to calls without one; such a call is sent back without an id.
const OWN_ID: &str = "call#";
/// Gemini 3 requires a signature on the first call of a turn, and accepts this one where there is none.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// The body of a request.
pub(super) fn request_body(request: &Request, params: &ModelParams, model: &str, limit: u32) -> Value {
    let mut body = Map::new();
    let system = wording::system_with_schema(request);
    body.insert("systemInstruction".to_owned(), json!({"parts": [{"text": system}]}));
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request.tools.iter().map(tool_as_json).collect();
        body.insert("tools".to_owned(), json!([{"functionDeclarations": tools}]));
    }
    body.insert("contents".to_owned(), Value::Array(contents_as_json(request, model)));
    body.extend(config::fields_of_request(request, params, model, limit));
    Value::Object(body)
}

fn tool_as_json(spec: &ToolSpec) -> Value {
    json!({"name": spec.name, "description": spec.description, "parametersJsonSchema": spec.parameters})
}

fn contents_as_json(request: &Request, model: &str) -> Vec<Value> {
    let is_third = model.contains("gemini-3");
    let mut shows_images = !request.images.is_empty();
    let message = |message| match message {
        DialogueMessage::Ours(words) => {
            let images = if std::mem::take(&mut shows_images) {
                Some(images::images_with_labels(request))
            } else {
                None
            };
            let image = |(label, media_type, data): (String, &str, String)| {
                [json!({"text": label}), json!({"inline_data": {"mime_type": media_type, "data": data}})]
            };
            let mut parts: Vec<Value> = images.into_iter().flatten().flat_map(image).collect();
            parts.push(json!({"text": words}));
            json!({"role": "user", "parts": parts})
        }
        DialogueMessage::Results { results, .. } => {
            let parts: Vec<Value> =
                results.into_iter().map(|(call, text)| result_as_json(call, text, request)).collect();
            json!({"role": "user", "parts": parts})
        }
        DialogueMessage::Model { text, calls, thoughts } => {
            json!({"role": "model", "parts": said_as_json(text, calls, thoughts, is_third)})
        }
    };
    messages_of_request(request, Protocol::Gemini, model).into_iter().map(message).collect()
}

fn said_as_json(text: &str, calls: &[ToolCall], thoughts: &[Thought], is_third: bool) -> Vec<Value> {
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(with_signature(json!({"text": text}), thoughts::signature_of_text(thoughts)));
    }
    for (index, call) in calls.iter().enumerate() {
        let mut function = Map::new();
        if let Some(id) = id_of(&call.id) {
            function.insert("id".to_owned(), json!(id));
        }
        function.insert("name".to_owned(), json!(call.name));
        function.insert("args".to_owned(), call.arguments.clone());
        let signature = thoughts::signature_of(call, thoughts);
        let signature = signature.or_else(|| (is_third && index == 0).then(|| NO_SIGNATURE.to_owned()));
        parts.push(with_signature(json!({"functionCall": function}), signature));
    }
    parts
}

fn with_signature(mut part: Value, signature: Option<String>) -> Value {
    if let (Some(signature), Some(fields)) = (signature, part.as_object_mut()) {
        fields.insert("thoughtSignature".to_owned(), json!(signature));
    }
    part
}

/// A tool's result, under the name of the tool that was called.
fn result_as_json(id: &str, text: &str, request: &Request) -> Value {
    let name = super::dialogue::tool_of(id, request);
    let mut response = Map::new();
    response.insert("name".to_owned(), json!(name));
    response.insert("response".to_owned(), json!({"name": name, "content": text}));
    if let Some(id) = id_of(id) {
        response.insert("id".to_owned(), json!(id));
    }
    json!({"functionResponse": response})
}

/// The id that Gemini itself gave to a call.
fn id_of(id: &str) -> Option<&str> {
    (!id.is_empty() && !id.starts_with(OWN_ID) && !id.starts_with(answer::SPOKEN_ID)).then_some(id)
}

/// Reads an answer.
pub(super) fn read_response(raw: &Value, asked: RequestContext<'_>) -> Result<ReadResponse, CallFailure> {
    let Some(candidate) = raw.pointer("/candidates/0").filter(|_| answer::holds_no_error(raw)) else {
        return Err(answer::unreadable_answer_failure(raw, "it holds no candidate", asked));
    };
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let Parts { text, calls, thoughts, has_thought } = join_parts(parts.map_or(&[][..], Vec::as_slice));
    let reason = candidate.get("finishReason").and_then(Value::as_str);
    let thought =
        has_thought || raw.pointer("/usageMetadata/thoughtsTokenCount").and_then(Value::as_u64) > Some(0);
    ProviderAnswer { text, calls, thoughts, thought, reason, refused: false, count: count_tokens(raw) }
        .response(asked)
}

#[derive(Default)]
struct Parts {
    text: String,
    calls: Vec<ToolCall>,
    thoughts: Vec<Thought>,
    has_thought: bool,
}

/// Joins the parts of an answer. Consecutive texts are one; a signature belongs to the part it came with.
fn join_parts(parts: &[Value]) -> Parts {
    let mut read = Parts::default();
    let mut texts = 0;
    let mut of_texts = Vec::new();
    let mut pending = None;
    let mut in_text = false;
    for part in parts {
        let signature = part.get("thoughtSignature").and_then(Value::as_str);
        if let Some(function) = part.get("functionCall") {
            let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
            let id = function.get("id").and_then(Value::as_str);
            let id = id.map_or_else(|| format!("{OWN_ID}{name}#{}", read.calls.len()), str::to_owned);
            read.thoughts.extend(signature.and_then(|signature| thoughts::of_call(&id, signature)));
            let arguments = function.get("args").cloned().unwrap_or_else(|| json!({}));
            read.calls.push(ToolCall { id, name: name.to_owned(), arguments });
            (pending, in_text) = (None, false);
            continue;
        }
        if signature.is_some() {
            (pending, in_text) = (signature, false);
        }
        let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        read.has_thought |= is_thought;
        let text = part.get("text").and_then(Value::as_str).filter(|text| !is_thought && !text.is_empty());
        if let Some(text) = text {
            if !in_text {
                texts += 1;
                of_texts.extend(pending.take());
                in_text = true;
            }
            read.text.push_str(text);
        }
    }
    // All texts are joined, so a signature is only valid if there was one text.
    if let (1, [signature]) = (texts, of_texts.as_slice()) {
        read.thoughts.extend(thoughts::of_text(signature));
    }
    read
}

/// The tokens. Gemini counts thoughts apart from the candidates, and its own tools' input apart from the prompt.
fn count_tokens(raw: &Value) -> Count {
    let number = |key: &str| raw.get("usageMetadata")?.get(key)?.as_u64();
    let sum = |one: &str, more: &str| Some(number(one)? + number(more).unwrap_or(0));
    Count {
        input: sum("promptTokenCount", "toolUsePromptTokenCount"),
        cached: number("cachedContentTokenCount"),
        output: sum("candidatesTokenCount", "thoughtsTokenCount"),
    }
}
