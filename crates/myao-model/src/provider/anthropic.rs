//! Anthropic's Messages API.

use myao_core::ports::{DataMode, Request, ResponseFormat, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use super::{
    answer::{self, Count, ProviderAnswer, ReadResponse},
    catalog::Protocol,
    dialogue::{DialogueMessage, messages_of_request},
    effort::Effort,
    failure::{CallFailure, RequestContext},
    images,
    params::ModelParams,
    thoughts, wording,
};

/// The tokens of an effort, for models that are given a budget for thoughts.
const LOW: u32 = 1024;
const MEDIUM: u32 = 8000;
const HIGH: u32 = 24_000;

/// The body of a request.
pub(super) fn request_body(request: &Request, params: &ModelParams, model: &str, limit: u32) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    set("model", json!(model));
    set("stream", json!(false));
    // It caches a beginning only on request: here the system prompt, which is our stable part.
    let system = wording::system_with_schema(request);
    set("system", json!([{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]));
    set("messages", Value::Array(dialogue_as_json(request, model)));
    let mut output = Map::new();
    if let Some(thinking) =
        params.effort.and_then(|effort| thinking_field(effort, &Generation::of(model), &mut output))
    {
        set("thinking", thinking);
    }
    if let ResponseFormat::Data { schema, means: DataMode::Schema, .. } = &request.form {
        output.insert("format".to_owned(), json!({"type": "json_schema", "schema": schema}));
    }
    if !output.is_empty() {
        set("output_config", Value::Object(output));
    }
    // With thoughts it accepts one temperature only, so the owner's is not changed for another draft.
    let temperature = if params.effort.is_some() { params.temperature } else { params.temperature(request) };
    if let Some(temperature) = temperature {
        set("temperature", json!(temperature));
    }
    if !params.stop.is_empty() {
        set("stop_sequences", json!(params.stop));
    }
    set("max_tokens", json!(limit));
    if let Some(top_p) = params.top_p {
        set("top_p", json!(top_p));
    }
    for (key, value) in &params.rest {
        set(key, value.clone());
    }
    if !request.tools.is_empty() {
        set("tools", request.tools.iter().map(tool_as_json).collect());
    }
    Value::Object(body)
}

/// The version of a Claude model, which decides how its effort is set.
struct Generation {
    is_opus: bool,
    /// Major and minor version, as in 4.5; the highest possible for one of the newer families.
    version: (u32, u32),
}

impl Generation {
    fn of(model: &str) -> Self {
        let is_newer = ["fable", "mythos"].iter().any(|family| model.contains(family));
        let name = model.split_once("claude").map_or(model, |(_, name)| name);
        // A longer number is a date.
        let is_number = |part: &&str| (1..=2).contains(&part.len()) && part.parse::<u32>().is_ok();
        let mut numbers =
            name.split(['-', '.', '@', ':']).skip_while(|part| !is_number(part)).take_while(is_number);
        let mut next = || numbers.next().and_then(|part| part.parse().ok()).unwrap_or(0);
        let version = (next(), next());
        Self { is_opus: model.contains("opus"), version: if is_newer { (u32::MAX, 0) } else { version } }
    }

    fn has_effort(&self) -> bool {
        self.version >= (4, 6) || self.is_opus && self.version >= (4, 5)
    }

    /// Whether it decides itself how much it thinks.
    fn is_adaptive(&self) -> bool {
        self.version >= (4, 6)
    }

    fn has_xhigh(&self) -> bool {
        self.version >= (5, 0) || self.is_opus && self.version >= (4, 7)
    }

    /// Whether it thinks unless told not to.
    fn thinks_by_itself(&self) -> bool {
        self.version >= (5, 0) && self.version.0 < u32::MAX
    }
}

/// The field `thinking`; puts the effort into `output`.
fn thinking_field(effort: Effort, model: &Generation, output: &mut Map<String, Value>) -> Option<Value> {
    let word = match effort {
        Effort::None => return model.thinks_by_itself().then(|| json!({"type": "disabled"})),
        Effort::Minimal | Effort::Low => Some("low"),
        Effort::Medium => Some("medium"),
        Effort::XHigh if model.has_xhigh() => Some("xhigh"),
        Effort::Max if model.is_adaptive() => Some("max"),
        Effort::High | Effort::XHigh | Effort::Max => Some("high"),
        Effort::Tokens(_) => None,
    };
    if let Some(word) = word.filter(|_| model.has_effort()) {
        output.insert("effort".to_owned(), json!(word));
    }
    if model.is_adaptive() {
        let told = if let Effort::Tokens(tokens) = effort { Some(tokens) } else { None };
        return Some(told.map_or_else(
            || json!({"type": "adaptive"}),
            |tokens| json!({"type": "adaptive", "budget_tokens": tokens}),
        ));
    }
    let tokens = match effort {
        Effort::Tokens(tokens) => tokens,
        Effort::None | Effort::Minimal | Effort::Low => LOW,
        Effort::Medium => MEDIUM,
        Effort::High | Effort::XHigh | Effort::Max => HIGH,
    };
    let is_told = !model.has_effort() || matches!(effort, Effort::Tokens(_));
    is_told.then(|| json!({"type": "enabled", "budget_tokens": tokens}))
}

fn tool_as_json(spec: &ToolSpec) -> Value {
    json!({"name": spec.name, "description": spec.description, "input_schema": spec.parameters})
}

fn dialogue_as_json(request: &Request, model: &str) -> Vec<Value> {
    let text = |text: &str| json!({"type": "text", "text": text});
    let mut shows_images = !request.images.is_empty();
    let message = |message| match message {
        DialogueMessage::Ours(words) if std::mem::take(&mut shows_images) => {
            let image = |(label, media_type, data): (String, &str, String)| {
                let source = json!({"type": "base64", "media_type": media_type, "data": data});
                [text(&label), json!({"type": "image", "source": source})]
            };
            let mut parts: Vec<Value> = images::images_with_labels(request).flat_map(image).collect();
            parts.push(text(&words));
            json!({"role": "user", "content": parts})
        }
        DialogueMessage::Ours(words) => json!({"role": "user", "content": words}),
        DialogueMessage::Results { results, words } => {
            let result = |(call, text): (&str, &str)| json!({"type": "tool_result", "content": text, "tool_use_id": call});
            let parts: Vec<Value> =
                results.into_iter().map(result).chain(words.into_iter().map(text)).collect();
            json!({"role": "user", "content": parts})
        }
        DialogueMessage::Model { text: said, calls, thoughts } => {
            let mut parts = thoughts::into_anthropic(thoughts);
            if parts.is_empty() && calls.is_empty() {
                return json!({"role": "assistant", "content": said});
            }
            if !said.is_empty() {
                parts.push(text(said));
            }
            parts.extend(calls.iter().map(call_as_json));
            json!({"role": "assistant", "content": parts})
        }
    };
    messages_of_request(request, Protocol::Anthropic, model).into_iter().map(message).collect()
}

fn call_as_json(call: &ToolCall) -> Value {
    // The input has to be an object, even for a call without arguments.
    let input = if call.arguments.is_null() { json!({}) } else { call.arguments.clone() };
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
}

/// Reads an answer.
pub(super) fn read_response(raw: &Value, asked: RequestContext<'_>) -> Result<ReadResponse, CallFailure> {
    let Some(blocks) = raw.get("content").and_then(Value::as_array).filter(|_| answer::holds_no_error(raw))
    else {
        return Err(answer::unreadable_answer_failure(raw, "it holds no content", asked));
    };
    let of = |kind: &'static str| {
        blocks.iter().filter(move |block| block.get("type").is_some_and(|found| found == kind))
    };
    let tool_call = |block: &Value| {
        Some(ToolCall {
            id: block.get("id")?.as_str()?.to_owned(),
            name: block.get("name")?.as_str()?.to_owned(),
            arguments: block
                .get("input")
                .filter(|input| !input.is_null())
                .cloned()
                .unwrap_or_else(|| json!({})),
        })
    };
    let Some(calls) = of("tool_use").map(tool_call).collect::<Option<Vec<_>>>() else {
        return Err(asked.invalid("a call names no tool"));
    };
    let said = ProviderAnswer {
        text: of("text").filter_map(|block| block.get("text")?.as_str()).collect(),
        calls,
        thoughts: thoughts::of_anthropic(blocks),
        thought: !thoughts::of_anthropic(blocks).is_empty(),
        reason: raw.get("stop_reason").and_then(Value::as_str),
        refused: false,
        count: count_tokens(raw),
    };
    said.response(asked)
}

/// The tokens; those read from or written to the cache are not among Anthropic's `input_tokens`.
fn count_tokens(raw: &Value) -> Count {
    let Some(usage) = raw.get("usage").filter(|usage| usage.is_object()) else { return Count::default() };
    let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let cached = number("cache_read_input_tokens");
    Count {
        input: Some(number("input_tokens") + number("cache_creation_input_tokens") + cached),
        cached: Some(cached),
        output: Some(number("output_tokens")),
    }
}
