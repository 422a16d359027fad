//! Speaks Ollama's own API: the only one of its APIs in which the size of the context can be set.

use myao_core::ports::{DataMode, Request, ResponseFormat, ToolCall, Turn};
use serde_json::{Map, Value, json};

use super::{
    CallSize,
    answer::{self, Count, ProviderAnswer, ReadResponse},
    dialogue::tool_of,
    effort::Effort,
    failure::{CallFailure, RequestContext},
    images,
    params::ModelParams,
    thoughts, wording,
};

/// Fields beside `options`; all others belong inside.
const TOP_LEVEL: [&str; 3] = ["think", "keep_alive", "logprobs"];
/// The smallest context asked for, in tokens: enough for a prompt of the default size and its answer, so that requests of
/// all roles mostly ask for the same and Ollama does not reload the model between them.
const LEAST_CONTEXT: u64 = 8192;

/// The penalty on repeated words in another draft, so that a loop is not entered again; Ollama's default is 1.1.
const REPEAT_PENALTY: f64 = 1.3;

/// The body of a request.
pub(super) fn request_body(request: &Request, params: &ModelParams, model: &str, size: CallSize) -> Value {
    let mut messages = vec![json!({"role": "system", "content": wording::system_with_schema(request)})];
    messages.extend(request.turns.iter().map(|turn| message_as_json(turn, request)));
    show_images(&mut messages, request);
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_owned(), value);
    set("model", json!(model));
    set("stream", json!(false));
    if !request.tools.is_empty() {
        let tool = |tool: &myao_core::ports::ToolSpec| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        };
        set("tools", request.tools.iter().map(tool).collect());
    }
    set("messages", Value::Array(messages));
    match &request.form {
        ResponseFormat::Data { schema, means: DataMode::Schema, .. } => drop(set("format", schema.clone())),
        ResponseFormat::Data { means: DataMode::Object, .. } => drop(set("format", json!("json"))),
        ResponseFormat::Data { means: DataMode::Words, .. } | ResponseFormat::Text => {}
    }
    if let Some(effort) = params.effort {
        set("think", think_field(effort));
    }
    set("options", Value::Object(options_as_json(request, params, size)));
    for (key, value) in params.rest.iter().filter(|(key, _)| TOP_LEVEL.contains(&key.as_str())) {
        set(key, value.clone());
    }
    Value::Object(body)
}

/// The field `think`: true, false, or one of Ollama's words.
fn think_field(effort: Effort) -> Value {
    match effort {
        Effort::None => json!(false),
        Effort::Minimal | Effort::Low => json!("low"),
        Effort::Medium => json!("medium"),
        Effort::High => json!("high"),
        Effort::XHigh | Effort::Max => json!("max"),
        Effort::Tokens(_) => json!(true),
    }
}

fn options_as_json(request: &Request, params: &ModelParams, size: CallSize) -> Map<String, Value> {
    let known = [
        ("temperature", params.temperature(request).map(Value::from)),
        ("repeat_penalty", request.afresh.then(|| json!(REPEAT_PENALTY))),
        ("top_p", params.top_p.map(Value::from)),
        ("seed", params.seed(request).map(Value::from)),
        ("stop", (!params.stop.is_empty()).then(|| json!(params.stop))),
        ("num_predict", Some(json!(size.limit))),
        ("num_ctx", Some(json!(context_size(size)))),
    ];
    let known = known.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let rest = params.rest.iter().filter(|(key, _)| !TOP_LEVEL.contains(&key.as_str()));
    known.chain(rest.map(|(key, value)| (key.clone(), value.clone()))).collect()
}

/// The size of a context that holds prompt and answer, each of at most so many tokens. Ollama's default is small, and it
/// silently drops what does not fit.
fn context_size(size: CallSize) -> u64 {
    let wanted = size.prompt.saturating_add(u64::from(size.limit)).max(LEAST_CONTEXT);
    wanted.checked_next_power_of_two().unwrap_or(wanted)
}

fn message_as_json(turn: &Turn, request: &Request) -> Value {
    match turn {
        Turn::User(text) => json!({"role": "user", "content": text}),
        Turn::Assistant { text, calls, .. } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Turn::Assistant { text, calls, thoughts } => {
            let call =
                |call: &ToolCall| json!({"function": {"name": call.name, "arguments": call.arguments}});
            let calls: Vec<Value> = calls.iter().map(call).collect();
            let mut message = json!({"role": "assistant", "content": text, "tool_calls": calls});
            if let (Some(thinking), Some(fields)) =
                (thoughts::words_among_thoughts(thoughts), message.as_object_mut())
            {
                fields.insert("thinking".to_owned(), json!(thinking));
            }
            message
        }
        Turn::Tool { call, text } => {
            json!({"role": "tool", "tool_name": tool_of(call, request), "content": text})
        }
    }
}

/// Adds the images to our first message, and labels in their order to its text.
fn show_images(messages: &mut [Value], request: &Request) {
    let is_ours = |message: &&mut Value| message.get("role").is_some_and(|role| role == "user");
    let Some(Value::Object(first)) = messages.iter_mut().find(is_ours) else { return };
    if request.images.is_empty() {
        return;
    }
    let labels: Vec<String> =
        request.images.iter().map(|image| images::label_in_front(image, request.language)).collect();
    let words = first.get("content").and_then(Value::as_str).unwrap_or_default();
    let content = format!("{}\n\n{words}", labels.join("\n"));
    first.insert("content".to_owned(), json!(content));
    first.insert("images".to_owned(), request.images.iter().map(images::content_in_base64).collect());
}

/// Reads an answer.
pub(super) fn read_response(raw: &Value, asked: RequestContext<'_>) -> Result<ReadResponse, CallFailure> {
    let Some(message) = raw.get("message").filter(|message| message.is_object()) else {
        return Err(answer::unreadable_answer_failure(raw, "it holds no message", asked));
    };
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let calls: Option<Vec<ToolCall>> =
        calls.enumerate().map(|(i, raw)| read_tool_call(raw, asked.request.turns.len(), i)).collect();
    let Some(calls) = calls else { return Err(asked.invalid("a call names no tool")) };
    let number = |key: &str| raw.get(key).and_then(Value::as_u64);
    let count = Count {
        input: number("prompt_eval_count"),
        cached: number("prompt_eval_cached_count"),
        output: number("eval_count"),
    };
    let thinking = message.get("thinking").and_then(Value::as_str);
    let said = ProviderAnswer {
        text: message.get("content").and_then(Value::as_str).unwrap_or_default().to_owned(),
        calls,
        thoughts: thinking.and_then(thoughts::of_words).into_iter().collect(),
        thought: thinking.is_some_and(|words| !words.trim().is_empty()),
        // Other reasons, such as `load`, mean nothing here.
        reason: raw.get("done_reason").and_then(Value::as_str).filter(|reason| *reason == "length"),
        refused: false,
        count,
    };
    said.response(asked)
}

/// A tool call. Older versions give it no id: then its position in the dialogue serves as one, which stays valid when
/// more turns follow.
fn read_tool_call(raw: &Value, turn: usize, index: usize) -> Option<ToolCall> {
    let function = raw.get("function")?;
    let id = raw.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    Some(ToolCall {
        id: id.map_or_else(|| format!("call_{turn}_{index}"), str::to_owned),
        name: function.get("name")?.as_str()?.to_owned(),
        arguments: function.get("arguments").cloned().unwrap_or_else(|| json!({})),
    })
}
