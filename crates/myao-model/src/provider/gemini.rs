//! What Gemini's `generateContent` is told besides the dialogue.
//!
//! genai merges extra fields at the top level only, so one setting it does not know inside `generationConfig`
//! would displace all of its own. So all of them are written here.

use genai::chat::ReasoningEffort;
use myao_core::ports::{Form, Means, Request};
use serde_json::{Map, Value, json};

use super::{limit::limit, params::Params};

/// What stands beside `generationConfig`; everything else belongs inside.
const TOP_LEVEL: [&str; 4] = ["safetySettings", "cachedContent", "labels", "serviceTier"];

/// The fields beside the dialogue and the tools.
pub(super) fn body(asked: &Request, params: &Params, model: &str) -> Map<String, Value> {
    let mut body = Map::new();
    let mut config = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            config.insert(key.to_owned(), value);
        }
    };
    set("temperature", params.temperature.map(Value::from));
    set("topP", params.top_p.map(Value::from));
    set("maxOutputTokens", Some(json!(limit(asked, params, model))));
    set("stopSequences", (!params.stop.is_empty()).then(|| json!(params.stop)));
    set("seed", params.seed.map(Value::from));
    set("thinkingConfig", params.effort.as_ref().and_then(|effort| thinking(effort, model)));
    let (mime, schema) = match &asked.form {
        Form::Text | Form::Data { means: Means::Words, .. } => (None, None),
        Form::Data { means: Means::Object, .. } => (Some(json!("application/json")), None),
        Form::Data { schema, means: Means::Schema, .. } => {
            (Some(json!("application/json")), Some(schema.clone()))
        }
    };
    set("responseMimeType", mime);
    set("responseJsonSchema", schema);
    for (key, value) in &params.rest {
        let key = camel_case(key);
        if TOP_LEVEL.contains(&key.as_str()) {
            body.insert(key, value.clone());
        } else {
            set(&key, Some(value.clone()));
        }
    }
    body.insert("generationConfig".to_owned(), Value::Object(config));
    body
}

/// How much it may think: in levels since Gemini 3, in tokens before.
fn thinking(effort: &ReasoningEffort, model: &str) -> Option<Value> {
    let (level, tokens) = match effort {
        ReasoningEffort::Zero => (None, 0),
        ReasoningEffort::Minimal => (Some("MINIMAL"), 512),
        ReasoningEffort::Low => (Some("LOW"), 1024),
        ReasoningEffort::Medium => (Some("MEDIUM"), 8192),
        ReasoningEffort::High | ReasoningEffort::XHigh | ReasoningEffort::Max => (Some("HIGH"), 24_576),
        ReasoningEffort::Budget(tokens) => (None, *tokens),
    };
    let has_levels = model.contains("gemini-3");
    if has_levels {
        level.map(|level| json!({ "thinkingLevel": level }))
    } else {
        Some(json!({ "thinkingBudget": tokens }))
    }
}

/// Gemini's names, whichever way somebody writes them.
fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().map(|c| c.to_ascii_uppercase());
        name + &initial.into_iter().chain(letters).collect::<String>()
    })
}
