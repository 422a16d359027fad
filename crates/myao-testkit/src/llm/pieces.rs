//! Answers in pieces, as each dialect sends them: server-sent events, or a JSON object a line.

use serde_json::{Value, json};

use super::{dialect::Dialect, reply::MidStream};

/// Characters of each piece of a text.
const PIECE: usize = 7;

impl Dialect {
    /// Whether a call asks for an answer in pieces.
    pub(super) fn wants_pieces(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            Self::OpenAi | Self::Azure | Self::Anthropic | Self::Ollama => body["stream"] == json!(true),
        }
    }

    pub(super) fn kind_of_pieces(self) -> &'static str {
        if self == Self::Ollama { "application/x-ndjson" } else { "text/event-stream" }
    }

    /// The frames of an answer. `counts` if the server is to count the tokens.
    pub(super) fn pieces_of(self, whole: &Value, counts: bool) -> Vec<String> {
        match self {
            Self::OpenAi | Self::Azure => openai_pieces(whole, counts),
            Self::Anthropic => anthropic_pieces(whole),
            Self::Gemini => gemini_pieces(whole),
            Self::Ollama => ollama_pieces(whole),
        }
    }

    /// The frame of an error in the middle.
    pub(super) fn error_piece(self, code: u16, message: &str) -> String {
        let error = json!({"error": {"code": code, "message": message}});
        match self {
            Self::Ollama => format!("{}\n", json!({"error": message})),
            Self::Anthropic => named_event(
                "error",
                &json!({"type": "error",
                "error": {"type": "overloaded_error", "message": message}}),
            ),
            Self::OpenAi | Self::Azure | Self::Gemini => event(&error),
        }
    }

    /// The frame that is sent in the place of the rest.
    pub(super) fn broken_piece(self, broken: &MidStream) -> Option<String> {
        match broken {
            MidStream::Error { code, message } => Some(self.error_piece(*code, message)),
            MidStream::Garbage(text) => Some(text.clone()),
            MidStream::Cut | MidStream::Ends | MidStream::Held => None,
        }
    }
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn named_event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

fn parts_of_text(text: &Value) -> Vec<String> {
    let chars: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
    chars.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

fn openai_pieces(whole: &Value, counts: bool) -> Vec<String> {
    let piece = |delta: Value, reason: Value| {
        event(&json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "usage": null,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
    };
    // What some gateways send while they wait.
    let mut frames = vec![": still working\n\n".to_owned()];
    let message = &whole["choices"][0]["message"];
    if message.is_object() {
        frames.push(piece(json!({"role": "assistant", "content": ""}), Value::Null));
        for name in ["reasoning_content", "content", "refusal"] {
            frames.extend(
                parts_of_text(&message[name]).into_iter().map(|part| piece(json!({name: part}), Value::Null)),
            );
        }
        for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
            let function = json!({"name": call["function"]["name"], "arguments": ""});
            let begun = json!({"index": index, "id": call["id"], "type": "function", "function": function});
            frames.push(piece(json!({"tool_calls": [begun]}), Value::Null));
            for part in parts_of_text(&call["function"]["arguments"]) {
                let more = json!({"index": index, "function": {"arguments": part}});
                frames.push(piece(json!({"tool_calls": [more]}), Value::Null));
            }
        }
        frames.push(piece(json!({}), whole["choices"][0]["finish_reason"].clone()));
    }
    if counts && whole["usage"].is_object() {
        frames.push(event(&json!({"choices": [], "usage": whole["usage"]})));
    }
    frames.push("data: [DONE]\n\n".to_owned());
    frames
}

fn anthropic_pieces(whole: &Value) -> Vec<String> {
    let mut started = whole.clone();
    started["content"] = json!([]);
    started["stop_reason"] = Value::Null;
    if started["usage"].is_object() {
        started["usage"]["output_tokens"] = json!(1);
    }
    let mut frames = vec![
        named_event("message_start", &json!({"type": "message_start", "message": started})),
        named_event("ping", &json!({"type": "ping"})),
    ];
    for (index, block) in whole["content"].as_array().into_iter().flatten().enumerate() {
        let mut begun = block.clone();
        let mut deltas: Vec<Value> = Vec::new();
        let parts = |name: &str, kind: &str, text: &Value| -> Vec<Value> {
            parts_of_text(text).into_iter().map(|part| json!({"type": kind, name: part})).collect()
        };
        match block["type"].as_str().unwrap_or_default() {
            "text" => {
                begun["text"] = json!("");
                deltas.extend(parts("text", "text_delta", &block["text"]));
            }
            "thinking" => {
                begun["thinking"] = json!("");
                begun["signature"] = json!("");
                deltas.extend(parts("thinking", "thinking_delta", &block["thinking"]));
                deltas.push(json!({"type": "signature_delta", "signature": block["signature"]}));
            }
            "tool_use" => {
                begun["input"] = json!({});
                let written = json!(block["input"].to_string());
                deltas.extend(parts("partial_json", "input_json_delta", &written));
            }
            _ => {}
        }
        frames.push(named_event(
            "content_block_start",
            &json!({"type": "content_block_start", "index": index, "content_block": begun}),
        ));
        frames.extend(deltas.into_iter().map(|delta| {
            named_event(
                "content_block_delta",
                &json!({"type": "content_block_delta", "index": index, "delta": delta}),
            )
        }));
        frames
            .push(named_event("content_block_stop", &json!({"type": "content_block_stop", "index": index})));
    }
    let mut ended = json!({"type": "message_delta",
        "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": null}});
    if whole["usage"].is_object() {
        ended["usage"] = json!({"output_tokens": whole["usage"]["output_tokens"]});
    }
    frames.push(named_event("message_delta", &ended));
    frames.push(named_event("message_stop", &json!({"type": "message_stop"})));
    frames
}

fn gemini_pieces(whole: &Value) -> Vec<String> {
    let candidate = &whole["candidates"][0];
    if !candidate.is_object() {
        return vec![event(whole)];
    }
    let mut pieces: Vec<Value> = Vec::new();
    for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
        let signature = part.get("thoughtSignature");
        if part.get("text").is_none() {
            pieces.push(part.clone());
            continue;
        }
        let from = pieces.len();
        pieces.extend(parts_of_text(&part["text"]).into_iter().map(|text| json!({"text": text})));
        if let (Some(signature), Some(first)) = (signature, pieces.get_mut(from)) {
            first["thoughtSignature"] = signature.clone();
        }
    }
    let mut frames: Vec<String> = pieces
        .into_iter()
        .map(|part| {
            event(&json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]}))
        })
        .collect();
    let mut last = whole.clone();
    last["candidates"] = json!([{"index": 0, "finishReason": candidate["finishReason"]}]);
    frames.push(event(&last));
    frames
}

fn ollama_pieces(whole: &Value) -> Vec<String> {
    let message = &whole["message"];
    let line = |value: &Value| format!("{value}\n");
    let mut frames = Vec::new();
    for name in ["thinking", "content"] {
        for part in parts_of_text(&message[name]) {
            let mut message = json!({"role": "assistant", "content": ""});
            message[name] = json!(part);
            frames.push(line(&json!({"model": "fake", "message": message, "done": false})));
        }
    }
    let mut last = whole.clone();
    if message.is_object() {
        last["message"]["content"] = json!("");
        if let Some(fields) = last["message"].as_object_mut() {
            fields.remove("thinking");
        }
    }
    frames.push(line(&last));
    frames
}
