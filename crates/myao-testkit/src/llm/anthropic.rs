//! Anthropic's messages.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    dialect::{ModelAnswer, check_token_limit, refuse_unknown_fields, required_list, required_text},
    image,
    memory::{self, ThoughtLog},
    reply::{ReplyEnd, Tokens, ToolUse},
    traffic::ReceivedRequest,
};

const FIELDS: [&str; 16] = [
    "model",
    "messages",
    "max_tokens",
    "system",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "tools",
    "tool_choice",
    "thinking",
    "metadata",
    "service_tier",
    "output_config",
    "cache_control",
];

pub(super) fn check_call(call: &ReceivedRequest) -> Result<(), String> {
    if call.header("anthropic-version").is_none() {
        return Err("anthropic-version: header is required".to_owned());
    }
    let body = &call.body;
    refuse_unknown_fields(body, &FIELDS)?;
    required_text(body, "model")?;
    body.get("max_tokens").ok_or("max_tokens: field required")?;
    check_token_limit(body, "max_tokens")?;
    let dialogue = required_list(body, "messages")?;
    check_messages(dialogue)?;
    let is_of_tool = |block: &Value| matches!(kind_of_block(block), "tool_use" | "tool_result");
    if body.get("tools").is_none() && dialogue.iter().flat_map(blocks_of_message).any(is_of_tool) {
        return Err("tools: field required, since there are tool_use and tool_result blocks".to_owned());
    }
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        required_text(tool, "name")?;
        if tool.get("type").is_some() || tool.pointer("/input_schema/type") != Some(&json!("object")) {
            return Err("a tool of ours has an input_schema that is an object, and no type".to_owned());
        }
    }
    match body.pointer("/output_config/format") {
        Some(format)
            if format.get("type") != Some(&json!("json_schema")) || format.get("schema").is_none() =>
        {
            Err("output_config.format: a json_schema with its schema".to_owned())
        }
        _ => Ok(()),
    }
}

fn kind_of_block(block: &Value) -> &str {
    block.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn blocks_of_message(message: &Value) -> &[Value] {
    message.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Checks that a turn which thought before it called a tool begins with that thought, unchanged.
pub(super) fn check_thoughts(body: &Value, memory: &ThoughtLog) -> Result<(), String> {
    for message in required_list(body, "messages")? {
        let blocks = blocks_of_message(message);
        let ids = blocks.iter().filter_map(|block| block.get("id").and_then(Value::as_str));
        let Some(thought) = ids.into_iter().find_map(|id| memory.before(id)) else { continue };
        match blocks.first() {
            Some(block) if *block == thinking_block(thought) => {}
            Some(block) if kind_of_block(block) == "thinking" => {
                return Err("thinking blocks must remain as they were in the response".to_owned());
            }
            block => {
                let kind = block.map(kind_of_block).unwrap_or_default();
                return Err(format!("content.0.type: expected thinking, but found {kind}"));
            }
        }
    }
    Ok(())
}

fn thinking_block(thought: &str) -> Value {
    json!({"type": "thinking", "thinking": thought, "signature": memory::fake_signature(thought)})
}

fn check_messages(messages: &[Value]) -> Result<(), String> {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut expected = "user";
    for message in messages {
        let role = required_text(message, "role")?;
        if role != expected {
            return Err(format!("roles must alternate: {role} instead of {expected}"));
        }
        expected = if role == "user" { "assistant" } else { "user" };
        let blocks = match message.get("content") {
            Some(Value::Array(blocks)) if !blocks.is_empty() => blocks.as_slice(),
            Some(Value::String(words)) if !words.is_empty() => &[],
            _ => return Err("messages: content must not be empty".to_owned()),
        };
        let mut answered = BTreeSet::new();
        for block in blocks {
            match required_text(block, "type")? {
                "text" => drop(required_text(block, "text")?),
                "thinking" => drop(required_text(block, "signature")?),
                "redacted_thinking" => drop(required_text(block, "data")?),
                "tool_use" => {
                    required_text(block, "name")?;
                    block.get("input").and_then(Value::as_object).ok_or("tool_use.input: an object")?;
                    open.insert(required_text(block, "id")?);
                }
                "image" => {
                    let source =
                        block.get("source").filter(|_| role == "user").ok_or("image.source: required")?;
                    if source.get("type") != Some(&json!("base64")) {
                        return Err("image.source.type: base64".to_owned());
                    }
                    image::check_base64_data(source.get("data"), Some(required_text(source, "media_type")?))?;
                }
                "tool_result" => drop(answered.insert(required_text(block, "tool_use_id")?)),
                other => return Err(format!("there is no block {other}")),
            }
        }
        if role == "user" && answered != std::mem::take(&mut open) {
            return Err("every tool_use has its tool_result in the next message, and no other".to_owned());
        }
    }
    if expected == "assistant" { Ok(()) } else { Err("the last message is the user's".to_owned()) }
}

pub(super) fn answer_as_json(said: &ModelAnswer<'_>) -> Value {
    let mut content: Vec<Value> = said.thought.map(thinking_block).into_iter().collect();
    if !said.text.is_empty() {
        content.push(json!({"type": "text", "text": said.text}));
    }
    let block = |wish: &ToolUse| json!({"type": "tool_use", "id": wish.id, "name": wish.name, "input": wish.arguments});
    content.extend(said.wishes.iter().map(block));
    let reason = match said.end {
        ReplyEnd::Done => "end_turn",
        ReplyEnd::Tools => "tool_use",
        ReplyEnd::Length => "max_tokens",
        ReplyEnd::Filter => "refusal",
    };
    message_as_json(&Value::Array(content), reason, said.tokens)
}

pub(super) fn refusal_as_json(words: &str, tokens: Tokens) -> Value {
    message_as_json(&json!([{"type": "text", "text": words}]), "refusal", tokens)
}

fn message_as_json(content: &Value, reason: &str, tokens: Tokens) -> Value {
    let mut message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": content,
        "stop_reason": reason, "stop_sequence": null,
    });
    if let Tokens::Told { input, cached, output } = tokens {
        // Cached tokens are counted separately.
        message["usage"] = json!({
            "input_tokens": input - cached, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached, "output_tokens": output,
        });
    }
    message
}

pub(super) fn error_as_json(code: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": code, "message": message}, "request_id": "req_1"})
}
