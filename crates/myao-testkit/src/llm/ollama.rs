//! Ollama's chat.

use serde_json::{Value, json};

use super::{
    dialect::{ModelAnswer, required_list, required_text},
    image,
    memory::ThoughtLog,
    reply::{ReplyEnd, Tokens, ToolUse},
};

/// Unlike the others, Ollama ignores unknown fields. So only what would make it fail is checked.
pub(super) fn check_body(body: &Value) -> Result<(), String> {
    required_text(body, "model")?;
    if !body.get("stream").is_some_and(Value::is_boolean) {
        return Err("stream is not told: the answer would come line by line".to_owned());
    }
    let mut called: Vec<&str> = Vec::new();
    for message in required_list(body, "messages")? {
        match required_text(message, "role")? {
            "tool" => {
                let name = required_text(message, "tool_name")?;
                let place = called.iter().position(|called| *called == name);
                called.remove(place.ok_or(format!("nobody called {name}"))?);
            }
            "assistant" => {
                for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
                    let function = call.get("function").ok_or("a call without a function")?;
                    function.get("arguments").and_then(Value::as_object).ok_or("arguments: an object")?;
                    called.push(required_text(function, "name")?);
                }
            }
            "system" | "user" => {
                required_text(message, "content")?;
                for data in message.get("images").and_then(Value::as_array).into_iter().flatten() {
                    image::check_base64_data(Some(data), None)?;
                }
            }
            other => return Err(format!("there is no role {other}")),
        }
    }
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        required_text(tool.get("function").ok_or("a tool without a function")?, "name")?;
    }
    match body.get("format") {
        Some(Value::Object(_)) | None => {}
        Some(format) if *format == "json" => {}
        Some(format) => return Err(format!("invalid format: {format}")),
    }
    if called.is_empty() { Ok(()) } else { Err(format!("calls without a result: {called:?}")) }
}

/// Ollama accepts a dialogue without its thoughts, so only changed thoughts are refused.
pub(super) fn check_thoughts(body: &Value, memory: &ThoughtLog) -> Result<(), String> {
    for message in required_list(body, "messages")? {
        let Some(thinking) = message.get("thinking").and_then(Value::as_str) else { continue };
        let function = message.pointer("/tool_calls/0/function").ok_or("a thought before no call")?;
        if memory.before_use(required_text(function, "name")?, &function["arguments"]) != Some(thinking) {
            return Err("thinking is not what was thought".to_owned());
        }
    }
    Ok(())
}

pub(super) fn answer_as_json(said: &ModelAnswer<'_>) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text});
    if let Some(thought) = said.thought {
        message["thinking"] = json!(thought);
    }
    if !said.wishes.is_empty() {
        let call = |wish: &ToolUse| json!({"function": {"name": wish.name, "arguments": wish.arguments}});
        message["tool_calls"] = said.wishes.iter().map(call).collect();
    }
    let reason = if said.end == ReplyEnd::Length { "length" } else { "stop" };
    let mut answer = json!({
        "model": "fake", "created_at": "2026-01-05T09:00:00Z", "message": message,
        "done": true, "done_reason": reason,
    });
    if let Tokens::Told { input, cached, output } = said.tokens {
        answer["prompt_eval_count"] = json!(input);
        answer["prompt_eval_cached_count"] = json!(cached);
        answer["eval_count"] = json!(output);
    }
    answer
}

pub(super) fn error_as_json(message: &str) -> Value {
    json!({"error": message})
}
