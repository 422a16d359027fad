//! OpenAI's chat completions.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    dialect::{ModelAnswer, check_token_limit, refuse_unknown_fields, required_list, required_text},
    image,
    memory::ThoughtLog,
    reply::{ReplyEnd, Tokens, ToolUse},
    schema,
};

const FIELDS: [&str; 25] = [
    "model",
    "messages",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "stop",
    "seed",
    "n",
    "presence_penalty",
    "frequency_penalty",
    "logit_bias",
    "reasoning_effort",
    "verbosity",
    "service_tier",
    "prompt_cache_key",
    "user",
    "metadata",
    "store",
];

pub(super) fn check_body(body: &Value) -> Result<(), String> {
    refuse_unknown_fields(body, &FIELDS)?;
    let model = required_text(body, "model")?;
    check_token_limit(body, "max_tokens")?;
    check_token_limit(body, "max_completion_tokens")?;
    let wants_newer = ["gpt-5", "o1", "o3", "o4"].iter().any(|family| model.starts_with(family));
    if wants_newer && body.get("max_tokens").is_some() {
        return Err("max_tokens is not supported with this model: use max_completion_tokens".to_owned());
    }
    check_stream(body, model)?;
    let dialogue = required_list(body, "messages")?;
    check_messages(dialogue)?;
    let roles: Vec<_> = dialogue.iter().map(|message| message.get("role").and_then(Value::as_str)).collect();
    if model.contains("stral") && roles.windows(2).any(|pair| pair == [Some("tool"), Some("user")]) {
        return Err("unexpected role 'user' after role 'tool'".to_owned());
    }
    check_tools(body)?;
    check_format(body)
}

fn check_stream(body: &Value, model: &str) -> Result<(), String> {
    let streams = body.get("stream").is_some_and(|stream| *stream == json!(true));
    match body.get("stream_options") {
        None => Ok(()),
        Some(_) if model.contains("stral") => Err("extra_forbidden: stream_options".to_owned()),
        Some(_) if !streams => Err("stream_options are for streams".to_owned()),
        Some(options) => refuse_unknown_fields(options, &["include_usage"]),
    }
}

fn check_messages(messages: &[Value]) -> Result<(), String> {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        let role = required_text(message, "role")?;
        if role != "tool" && !open.is_empty() {
            return Err(format!("calls without a result: {open:?}"));
        }
        let calls = message.get("tool_calls").and_then(Value::as_array);
        match role {
            "user" if message.get("content").is_some_and(Value::is_array) => check_parts(message)?,
            "system" | "developer" | "user" => drop(required_text(message, "content")?),
            "assistant" if calls.is_none() => drop(required_text(message, "content")?),
            "assistant" => {
                for call in calls.into_iter().flatten() {
                    let function = call.get("function").ok_or("a call without a function")?;
                    required_text(function, "name")?;
                    let arguments = required_text(function, "arguments")?;
                    serde_json::from_str::<Value>(arguments).map_err(|e| format!("arguments: {e}"))?;
                    open.insert(required_text(call, "id")?);
                }
            }
            "tool" => {
                if !open.remove(required_text(message, "tool_call_id")?) {
                    return Err("a tool's message answers no call before it".to_owned());
                }
            }
            other => return Err(format!("there is no role {other}")),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("calls without a result: {open:?}")) }
}

fn check_parts(message: &Value) -> Result<(), String> {
    for part in required_list(message, "content")? {
        match required_text(part, "type")? {
            "text" => drop(required_text(part, "text")?),
            "image_url" => image::check_url(part.pointer("/image_url/url"))?,
            other => return Err(format!("Invalid content type {other}")),
        }
    }
    Ok(())
}

/// Checks that a turn's `reasoning_content` comes back unchanged if this is demanded, and that none comes if none was
/// ever given: Groq, which gives none, refuses it.
pub(super) fn check_thoughts(body: &Value, memory: &ThoughtLog) -> Result<(), String> {
    for message in required_list(body, "messages")? {
        let reasoning = message.get("reasoning_content").map(|words| words.as_str().unwrap_or_default());
        if reasoning.is_some() && memory.is_empty() {
            return Err("property reasoning_content is unsupported".to_owned());
        }
        let calls = message.get("tool_calls").and_then(Value::as_array);
        if calls.is_none() || !memory.demands_thoughts {
            continue;
        }
        let ids = calls.into_iter().flatten().filter_map(|call| call.get("id")?.as_str());
        match (reasoning, ids.into_iter().find_map(|id| memory.before(id))) {
            (None, _) => {
                return Err("the reasoning_content in the thinking mode must be passed back".to_owned());
            }
            (Some(words), Some(thought)) if words != thought => {
                return Err("reasoning_content is not what was given".to_owned());
            }
            (Some(_), _) => {}
        }
    }
    Ok(())
}

fn check_tools(body: &Value) -> Result<(), String> {
    let Some(_) = body.get("tools") else { return Ok(()) };
    for tool in required_list(body, "tools")? {
        if tool.get("type") != Some(&json!("function")) {
            return Err("a tool that is no function".to_owned());
        }
        let function = tool.get("function").ok_or("a tool without a function")?;
        required_text(function, "name")?;
        if function.pointer("/parameters/type") != Some(&json!("object")) {
            return Err("a tool's parameters are an object".to_owned());
        }
    }
    Ok(())
}

fn check_format(body: &Value) -> Result<(), String> {
    let Some(format) = body.get("response_format") else { return Ok(()) };
    match required_text(format, "type")? {
        "text" => Ok(()),
        "json_object" if body["messages"].to_string().to_lowercase().contains("json") => Ok(()),
        "json_object" => {
            Err("messages must contain the word json to use response_format json_object".to_owned())
        }
        "json_schema" => {
            let schema = format.get("json_schema").ok_or("json_schema is missing")?;
            required_text(schema, "name")?;
            let rules = schema.get("schema").ok_or("a format without a schema")?;
            if schema.get("strict") == Some(&json!(true)) { schema::check_strictness(rules) } else { Ok(()) }
        }
        other => Err(format!("there is no response_format {other}")),
    }
}

pub(super) fn answer_as_json(said: &ModelAnswer<'_>) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text, "refusal": null});
    if let Some(thought) = said.thought {
        message["reasoning_content"] = json!(thought);
    }
    if !said.wishes.is_empty() {
        let call = |wish: &ToolUse| {
            json!({"id": wish.id, "type": "function", "function": {
                "name": wish.name, "arguments": wish.arguments.to_string(),
            }})
        };
        message["tool_calls"] = said.wishes.iter().map(call).collect();
    }
    let reason = match said.end {
        ReplyEnd::Done => "stop",
        ReplyEnd::Tools => "tool_calls",
        ReplyEnd::Length => "length",
        ReplyEnd::Filter => "content_filter",
    };
    completion_as_json(&message, reason, said.tokens)
}

pub(super) fn refusal_as_json(words: &str, tokens: Tokens) -> Value {
    completion_as_json(&json!({"role": "assistant", "content": null, "refusal": words}), "stop", tokens)
}

pub(super) fn answer_without_choice() -> Value {
    let mut empty = completion_as_json(&Value::Null, "stop", Tokens::Untold);
    empty["choices"] = json!([]);
    empty
}

fn completion_as_json(message: &Value, reason: &str, tokens: Tokens) -> Value {
    let mut completion = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": "fake-2024-08-06",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
    });
    if let Tokens::Told { input, cached, output } = tokens {
        completion["usage"] = json!({
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        });
    }
    completion
}

pub(super) fn error_as_json(code: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": code}})
}
