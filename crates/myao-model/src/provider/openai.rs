//! OpenAI's chat completions, the protocol of most servers.

use myao_core::{
    ports::{DataMode, Request, ResponseFormat, ToolCall, ToolSpec},
    text::parse_json,
};
use serde_json::{Map, Value, json};

use super::{
    answer::{self, Count, ProviderAnswer, ReadResponse},
    catalog::{KnownProvider, Protocol},
    dialogue::{DialogueMessage, messages_of_request},
    effort::Effort,
    failure::{CallFailure, RequestContext},
    images,
    params::ModelParams,
    thoughts, wording,
};

/// Models that accept the limit under its newer name only.
const NEWER_LIMIT: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The penalty on repeated words in another draft, so that a loop is not entered again.
const PENALTY: f64 = 0.5;
/// Servers whose models accept this penalty, except OpenAI's newer models.
const TAKE_PENALTY: [&str; 7] =
    ["openai", "mistral", "together_ai", "fireworks_ai", "hosted_vllm", "lm_studio", "llamafile"];

/// The body of a request. Fields that are the same in every call come first, since providers cache beginnings.
pub(super) fn request_body(
    request: &Request,
    params: &ModelParams,
    known: &KnownProvider,
    model: &str,
    limit: u32,
) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    set("model", json!(model));
    set("stream", json!(false));
    set_effort(&mut set, params, known);
    if !request.tools.is_empty() {
        set("tools", request.tools.iter().map(tool_as_json).collect());
    }
    set("messages", Value::Array(dialogue_as_json(request, known, model)));
    if let Some(format) = format_as_json(&request.form) {
        set("response_format", format);
    }
    if let Some(temperature) = params.temperature(request) {
        set("temperature", json!(temperature));
    }
    if !params.stop.is_empty() {
        set("stop", json!(params.stop));
    }
    let is_newer = params.newer_limit || NEWER_LIMIT.iter().any(|family| model.starts_with(family));
    if request.afresh && !is_newer && TAKE_PENALTY.contains(&known.name) {
        set("frequency_penalty", json!(PENALTY));
    }
    set(if is_newer { "max_completion_tokens" } else { "max_tokens" }, json!(limit));
    if let Some(top_p) = params.top_p {
        set("top_p", json!(top_p));
    }
    if let Some(seed) = params.seed(request) {
        // Mistral refuses fields that it does not know.
        set(if known.name == "mistral" { "random_seed" } else { "seed" }, json!(seed));
    }
    for (key, value) in &params.rest {
        set(key, value.clone());
    }
    Value::Object(body)
}

/// Sets the effort, if the protocol has a word for it; it has none for a number of tokens.
fn set_effort(set: &mut impl FnMut(&str, Value), params: &ModelParams, known: &KnownProvider) {
    let Some(effort) = params.effort else { return };
    let is_off = effort == Effort::None;
    let word = effort.word();
    if known.name == "deepseek" {
        set("thinking", json!({"type": if is_off { "disabled" } else { "enabled" }}));
        if is_off {
            return;
        }
    }
    if let Some(word) = word {
        set("reasoning_effort", json!(word));
    }
}

fn format_as_json(form: &ResponseFormat) -> Option<Value> {
    match form {
        ResponseFormat::Text | ResponseFormat::Data { means: DataMode::Words, .. } => None,
        ResponseFormat::Data { means: DataMode::Object, .. } => Some(json!({"type": "json_object"})),
        ResponseFormat::Data { name, schema, means: DataMode::Schema } => Some(json!({
            "type": "json_schema", "json_schema": {"name": name, "strict": true, "schema": schema}
        })),
    }
}

fn tool_as_json(spec: &ToolSpec) -> Value {
    json!({"type": "function", "function": {
        "name": spec.name, "description": spec.description, "parameters": spec.parameters, "strict": false,
    }})
}

fn dialogue_as_json(request: &Request, known: &KnownProvider, model: &str) -> Vec<Value> {
    let mut dialogue = vec![json!({"role": "system", "content": wording::system_with_schema(request)})];
    let mut shows_images = !request.images.is_empty();
    for message in messages_of_request(request, Protocol::OpenAi, model) {
        match message {
            DialogueMessage::Ours(words) if std::mem::take(&mut shows_images) => {
                let image = |(label, media_type, data): (String, &str, String)| {
                    let url = format!("data:{media_type};base64,{data}");
                    [
                        json!({"type": "text", "text": label}),
                        json!({"type": "image_url", "image_url": {"url": url}}),
                    ]
                };
                let mut parts: Vec<Value> = images::images_with_labels(request).flat_map(image).collect();
                parts.push(json!({"type": "text", "text": words}));
                dialogue.push(json!({"role": "user", "content": parts}));
            }
            DialogueMessage::Ours(words) => dialogue.push(json!({"role": "user", "content": words})),
            DialogueMessage::Results { results, .. } => dialogue.extend(
                results
                    .into_iter()
                    .map(|(call, text)| json!({"role": "tool", "content": text, "tool_call_id": call})),
            ),
            DialogueMessage::Model { text, calls, thoughts } => {
                let mut turn = Map::new();
                turn.insert("role".to_owned(), json!("assistant"));
                turn.insert("content".to_owned(), json!(text));
                if !calls.is_empty() {
                    turn.insert("tool_calls".to_owned(), calls.iter().map(call_as_json).collect());
                }
                thoughts::into_openai(thoughts, &mut turn, known.name == "mistral");
                dialogue.push(Value::Object(turn));
            }
        }
    }
    dialogue
}

fn call_as_json(call: &ToolCall) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
    json!({"type": "function", "id": call.id, "function": function})
}

/// Reads an answer.
pub(super) fn read_response(
    raw: &Value,
    known: &KnownProvider,
    asked: RequestContext<'_>,
) -> Result<ReadResponse, CallFailure> {
    let Some(choice) = raw.pointer("/choices/0").filter(|_| answer::holds_no_error(raw)) else {
        return Err(answer::unreadable_answer_failure(raw, "it holds no choice", asked));
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let Some(calls) = calls.map(tool_call).collect::<Option<Vec<_>>>() else {
        return Err(asked.invalid("a call names no tool, or its arguments are not JSON"));
    };
    let mut said = ProviderAnswer {
        text: text_of(message.get("content")),
        calls,
        thoughts: thoughts::of_openai(message),
        thought: thoughts::are_in_openai(message) || reasoning_tokens(raw) > 0,
        reason: choice.get("finish_reason").and_then(Value::as_str),
        refused: false,
        count: count_tokens(raw, known),
    };
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
        said.refused = true;
        if said.text.is_empty() {
            refusal.clone_into(&mut said.text);
        }
    }
    said.response(asked)
}

/// The text of a message's content, which Mistral may send in chunks.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::Array(chunks)) => {
            let texts = chunks.iter().filter(|chunk| chunk.get("type").is_some_and(|kind| kind == "text"));
            texts.filter_map(|chunk| chunk.get("text")?.as_str()).collect()
        }
        content => content.and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}

/// A tool call. Its arguments are JSON in a string, or an object with some servers.
fn tool_call(call: &Value) -> Option<ToolCall> {
    let function = call.get("function")?;
    let given = function.get("arguments")?;
    let arguments = match given.as_str().map(str::trim) {
        Some("") => json!({}),
        Some(text) => parse_json(text.as_bytes()).ok()?,
        None => given.as_object().map(|_| given.clone())?,
    };
    Some(ToolCall {
        id: call.get("id")?.as_str()?.to_owned(),
        name: function.get("name")?.as_str()?.to_owned(),
        arguments,
    })
}

fn reasoning_tokens(raw: &Value) -> u64 {
    raw.pointer("/usage/completion_tokens_details/reasoning_tokens").and_then(Value::as_u64).unwrap_or(0)
}

fn count_tokens(raw: &Value, known: &KnownProvider) -> Count {
    let number = |place: &str| raw.pointer(place).and_then(Value::as_u64);
    let output = number("/usage/completion_tokens");
    Count {
        input: number("/usage/prompt_tokens"),
        cached: number("/usage/prompt_tokens_details/cached_tokens"),
        // xAI does not count thoughts among the completion's tokens.
        output: output
            .map(|tokens| if known.name == "xai" { tokens + reasoning_tokens(raw) } else { tokens }),
    }
}
