//! A request in genai's words.

use genai::chat::{
    CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, ChatRole, ContentPart, JsonSpec,
    MessageContent, ReasoningEffort, Tool, ToolCall, ToolResponse,
};
use myao_core::ports::{Form, Means, Request, Thought, ToolSpec, Turn};
use serde_json::{Map, Value, json};

use super::{catalog::Protocol, gemini, images, limit::limit, params::Params, thoughts, wording};

/// What Mistral's models are called, wherever they are served.
const MISTRALS: [&str; 2] = ["stral", "xtral"];
/// Mistral's word on results when the next one is ours: it takes no user after a tool.
const SEEN: &str = "OK.";

/// What is said.
pub(super) fn chat(request: &Request, protocol: Protocol, model: &str) -> ChatRequest {
    let is_mistral = MISTRALS.iter().any(|name| model.to_lowercase().contains(name));
    let mut messages: Vec<ChatMessage> = Vec::new();
    let mut images: Vec<ContentPart> = images::parts(request).collect();
    for turns in request.turns.chunk_by(|one, next| is_one_message(one, next, protocol)) {
        let Some(message) = message(turns, &mut images) else { continue };
        let follows_results = messages.last().is_some_and(|last| last.role == ChatRole::Tool);
        if is_mistral && follows_results && message.role == ChatRole::User {
            messages.push(ChatMessage::assistant(SEEN));
        }
        messages.push(message);
    }
    let chat = ChatRequest::new(messages).with_system(wording::system(request));
    // Anthropic's are written below: genai takes a tool of the name `web_search` for Anthropic's own.
    if request.tools.is_empty() || protocol == Protocol::Anthropic {
        chat
    } else {
        chat.with_tools(request.tools.iter().map(tool).collect::<Vec<_>>())
    }
}

/// Some servers insist that roles alternate, and all want the results of one turn's calls together; Anthropic's
/// results are a user's.
fn is_one_message(one: &Turn, next: &Turn, protocol: Protocol) -> bool {
    match (one, next) {
        (Turn::User(_), Turn::User(_)) | (Turn::Tool { .. }, Turn::Tool { .. }) => true,
        (Turn::Tool { .. }, Turn::User(_)) => protocol == Protocol::Anthropic,
        _ => false,
    }
}

/// Turns of one speaker as one message; none when there is nothing in it, which no provider takes. The `images` go
/// into the first one of ours, before its words, where models read them best.
fn message(turns: &[Turn], images: &mut Vec<ContentPart>) -> Option<ChatMessage> {
    let mut said: Vec<&str> = Vec::new();
    let mut results = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(text) => said.push(text),
            Turn::Tool { call, text } => results.push(ToolResponse::new(call.as_str(), text.as_str())),
            Turn::Assistant { text, calls, thoughts } => {
                let mut content = MessageContent::default();
                content.extend(thoughts::leading(thoughts, !text.is_empty()));
                if !text.is_empty() {
                    content.push(text.as_str());
                }
                let calls: Vec<ToolCall> = calls.iter().map(|wish| call(wish, thoughts)).collect();
                let is_empty = text.is_empty() && calls.is_empty();
                content.extend(MessageContent::from_tool_calls(calls));
                return (!is_empty).then(|| ChatMessage::assistant(content));
            }
        }
    }
    if results.is_empty() {
        let words = ContentPart::Text(said.join("\n\n"));
        let parts: Vec<ContentPart> = images.drain(..).chain([words]).collect();
        Some(ChatMessage::user(MessageContent::from_parts(parts)))
    } else {
        let mut content = MessageContent::from_tool_responses(results);
        // A text beside results is a block of Anthropic's own to genai.
        let block = |text: &&str| ContentPart::from_custom(json!({"type": "text", "text": text}), None);
        content.extend(said.iter().map(block));
        Some(ChatMessage::tool(content))
    }
}

fn call(call: &myao_core::ports::ToolCall, thoughts: &[Thought]) -> ToolCall {
    ToolCall {
        call_id: call.id.clone(),
        fn_name: call.name.clone(),
        fn_arguments: call.arguments.clone(),
        thought_signatures: thoughts::signature_of(call, thoughts).map(|signature| vec![signature]),
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    Tool::new(spec.name.as_str())
        .with_description(spec.description.as_str())
        .with_schema(spec.parameters.clone())
}

/// How it is said: the settings, the form, and what only this provider knows.
pub(super) fn options(request: &Request, params: &Params, protocol: Protocol, model: &str) -> ChatOptions {
    let mut options = ChatOptions::default().with_capture_raw_body(true);
    let mut extra = params.rest.clone();
    if protocol == Protocol::Gemini {
        extra = gemini::body(request, params, model);
    } else {
        set_common(&mut options, request, params);
        options.max_tokens = Some(limit(request, params, model));
        options.reasoning_effort = params.effort.clone().or_else(|| unstripped(model));
        if params.newer_limit {
            options.max_tokens = None;
            extra.insert("max_completion_tokens".to_owned(), json!(limit(request, params, model)));
        }
    }
    if protocol == Protocol::Anthropic {
        // It remembers a beginning only when asked to: the system prompt, where our stable part stands.
        options.cache_control = Some(CacheControl::Ephemeral);
        if !request.tools.is_empty() {
            extra.insert("tools".to_owned(), request.tools.iter().map(anthropic_tool).collect());
        }
    }
    if !extra.is_empty() {
        options.extra_body = Some(Value::Object(extra));
    }
    options
}

fn set_common(options: &mut ChatOptions, request: &Request, params: &Params) {
    options.temperature = params.temperature;
    options.top_p = params.top_p;
    options.stop_sequences.clone_from(&params.stop);
    options.seed = params.seed;
    options.response_format = match &request.form {
        Form::Text | Form::Data { means: Means::Words, .. } => None,
        Form::Data { means: Means::Object, .. } => Some(ChatResponseFormat::JsonMode),
        Form::Data { name, schema, means: Means::Schema } => {
            Some(ChatResponseFormat::JsonSpec(JsonSpec::new(*name, schema.clone())))
        }
    };
}

/// genai cuts an ending such as `-high` or `-medium` off a model's name and makes it an effort, which turns
/// `mistral-medium` into `mistral`. Not where an effort is given; this one says nothing to the server.
fn unstripped(model: &str) -> Option<ReasoningEffort> {
    let (effort, _) = ReasoningEffort::from_model_name(model);
    effort.map(|_| ReasoningEffort::Budget(0))
}

fn anthropic_tool(spec: &ToolSpec) -> Value {
    let mut tool = Map::new();
    tool.insert("name".to_owned(), json!(spec.name));
    tool.insert("description".to_owned(), json!(spec.description));
    tool.insert("input_schema".to_owned(), spec.parameters.clone());
    Value::Object(tool)
}
