//! Gemini's settings, most of them inside `generationConfig`.

use myao_core::ports::{DataMode, Request, ResponseFormat};
use serde_json::{Map, Value, json};

use crate::provider::{effort::Effort, params::ModelParams};

/// Fields beside `generationConfig`; all others belong inside.
const TOP_LEVEL: [&str; 4] = ["safetySettings", "cachedContent", "labels", "serviceTier"];

/// The fields beside the dialogue and the tools.
pub(super) fn fields_of_request(
    asked: &Request,
    params: &ModelParams,
    model: &str,
    limit: u32,
) -> Map<String, Value> {
    let mut body = Map::new();
    let mut config = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            config.insert(key.to_owned(), value);
        }
    };
    set("temperature", params.temperature(asked).map(Value::from));
    set("topP", params.top_p.map(Value::from));
    set("maxOutputTokens", Some(json!(limit)));
    set("stopSequences", (!params.stop.is_empty()).then(|| json!(params.stop)));
    set("seed", params.seed(asked).map(Value::from));
    set("thinkingConfig", params.effort.and_then(|effort| thinking_field(effort, model)));
    let (mime, schema) = match &asked.form {
        ResponseFormat::Text | ResponseFormat::Data { means: DataMode::Words, .. } => (None, None),
        ResponseFormat::Data { means: DataMode::Object, .. } => (Some(json!("application/json")), None),
        ResponseFormat::Data { schema, means: DataMode::Schema, .. } => {
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

/// The setting for thoughts: a level since Gemini 3, a number of tokens before.
fn thinking_field(effort: Effort, model: &str) -> Option<Value> {
    let (level, tokens) = match effort {
        Effort::None => (None, 0),
        Effort::Minimal => (Some("MINIMAL"), 512),
        Effort::Low => (Some("LOW"), 1024),
        Effort::Medium => (Some("MEDIUM"), 8192),
        Effort::High | Effort::XHigh | Effort::Max => (Some("HIGH"), 24_576),
        Effort::Tokens(tokens) => (None, tokens),
    };
    let has_levels = model.contains("gemini-3");
    if has_levels {
        level.map(|level| json!({ "thinkingLevel": level }))
    } else {
        Some(json!({ "thinkingBudget": tokens }))
    }
}

/// A field's name in camel case, as Gemini writes it; configurations may use snake case.
fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().map(|c| c.to_ascii_uppercase());
        name + &initial.into_iter().chain(letters).collect::<String>()
    })
}
