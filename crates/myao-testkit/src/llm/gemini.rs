//! Gemini's generateContent.

use serde_json::{Value, json};

use super::{
    dialect::{ModelAnswer, check_token_limit, refuse_unknown_fields, required_list, required_text},
    image,
    memory::{self, ThoughtLog},
    reply::{ReplyEnd, Tokens, ToolUse},
};

const FIELDS: [&str; 8] = [
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "safetySettings",
    "generationConfig",
    "cachedContent",
    "labels",
];
const CONFIG: [&str; 12] = [
    "temperature",
    "topP",
    "topK",
    "maxOutputTokens",
    "stopSequences",
    "seed",
    "candidateCount",
    "presencePenalty",
    "frequencyPenalty",
    "responseMimeType",
    "responseJsonSchema",
    "thinkingConfig",
];

pub(super) fn check_body(body: &Value) -> Result<(), String> {
    refuse_unknown_fields(body, &FIELDS)?;
    if let Some(config) = body.get("generationConfig") {
        refuse_unknown_fields(config, &CONFIG)?;
        check_token_limit(config, "maxOutputTokens")?;
        if config.get("responseJsonSchema").is_some()
            && config.get("responseMimeType") != Some(&json!("application/json"))
        {
            return Err("a schema wants responseMimeType application/json".to_owned());
        }
    }
    if let Some(system) = body.get("systemInstruction") {
        parts_of_content(system)?;
    }
    let mut called = 0;
    for content in required_list(body, "contents")? {
        let role = required_text(content, "role")?;
        let parts = parts_of_content(content)?;
        let count = |kind: &str| parts.iter().filter(|part| part.get(kind).is_some()).count();
        match role {
            "user" if count("functionResponse") != std::mem::take(&mut called) => {
                return Err("as many function response parts as function call parts before them".to_owned());
            }
            "user" => {}
            "model" => called = count("functionCall"),
            other => return Err(format!("there is no role {other}")),
        }
    }
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        for function in required_list(tool, "functionDeclarations")? {
            required_text(function, "name")?;
            function.get("parametersJsonSchema").ok_or("a function without parameters")?;
        }
    }
    if called == 0 { Ok(()) } else { Err("the last calls have no responses".to_owned()) }
}

/// Checks that the first call of a turn that thought carries the signature of that thought.
pub(super) fn check_thoughts(body: &Value, memory: &ThoughtLog) -> Result<(), String> {
    for content in required_list(body, "contents")? {
        let mut calls = parts_of_content(content)?.iter().filter(|part| part.get("functionCall").is_some());
        let Some(first) = calls.next() else { continue };
        let call = &first["functionCall"];
        let name = required_text(call, "name")?;
        let thought = memory.before_use(name, &call["args"]);
        let signature = first.get("thoughtSignature").and_then(Value::as_str);
        match (thought.map(memory::fake_signature), signature) {
            (Some(given), Some(signature)) if given != signature => {
                return Err(format!("{name}: corrupted thought signature"));
            }
            (Some(_), None) => return Err(format!("function call {name} is missing a thought_signature")),
            _ => {}
        }
    }
    Ok(())
}

fn parts_of_content(content: &Value) -> Result<&Vec<Value>, String> {
    let parts = required_list(content, "parts")?;
    for part in parts {
        if let Some(call) = part.get("functionCall").or_else(|| part.get("functionResponse")) {
            required_text(call, "name")?;
        } else if let Some(data) = part.get("inline_data").or_else(|| part.get("inlineData")) {
            let media_type = required_text(data, "mime_type").or_else(|_| required_text(data, "mimeType"))?;
            image::check_base64_data(data.get("data"), Some(media_type))?;
        } else {
            required_text(part, "text")?;
        }
    }
    Ok(parts)
}

pub(super) fn answer_as_json(said: &ModelAnswer<'_>) -> Value {
    let mut parts = Vec::new();
    if !said.text.is_empty() {
        parts.push(json!({"text": said.text}));
    }
    let part = |wish: &ToolUse| json!({"functionCall": {"name": wish.name, "args": wish.arguments}});
    parts.extend(said.wishes.iter().map(part));
    // The first call carries the signature, or the last part if there are no calls.
    let signed = parts.len().checked_sub(said.wishes.len().max(1));
    if let (Some(thought), Some(part)) = (said.thought, signed.and_then(|index| parts.get_mut(index))) {
        part["thoughtSignature"] = json!(memory::fake_signature(thought));
    }
    let reason = match said.end {
        ReplyEnd::Done | ReplyEnd::Tools => "STOP",
        ReplyEnd::Length => "MAX_TOKENS",
        ReplyEnd::Filter => "SAFETY",
    };
    let mut candidate = json!({"index": 0, "finishReason": reason});
    if !parts.is_empty() {
        candidate["content"] = json!({"role": "model", "parts": parts});
    }
    let mut answer = json!({"candidates": [candidate], "modelVersion": "fake-001", "responseId": "r1"});
    if let Tokens::Told { input, cached, output } = said.tokens {
        answer["usageMetadata"] = json!({
            "promptTokenCount": input, "cachedContentTokenCount": cached, "candidatesTokenCount": output,
            "totalTokenCount": input + output,
        });
    }
    answer
}

/// The answer when the filter refuses a prompt.
pub(super) fn blocked_answer() -> Value {
    json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "fake-001"})
}

pub(super) fn error_as_json(status: u16, code: &str, message: &str) -> Value {
    json!({"error": {"code": status, "message": message, "status": code}})
}
