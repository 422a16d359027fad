//! Makes answers that look like a model's out of the request, for measurements.

use myao_core::text::estimate_tokens;
use serde_json::Value;

use super::{
    dialect::Dialect,
    reply::{Reply, Tokens},
    schema,
};

/// The most tokens of an answer whose request sets no limit.
const UNLIMITED: u64 = 600;
/// The limit of an answer is divided by this to get its length. The limit is twice the target, so an answer has half of
/// the target.
const SHARE: u64 = 4;
/// What an echo thinks.
const THOUGHT: &str = "Okay, so they want the lines.";
/// The most characters of a line that are returned.
const LINE_CHARS: usize = 80;

/// An answer to a request: lines of the talk or memories in its last message, as bullets. If it gives a schema, data
/// that fits. `thoughts` are as many tokens of the limit; where they take all of it, nothing is said.
pub(super) fn answer_from_prompt(dialect: Dialect, body: &Value, thoughts: u64) -> Reply {
    let room = limit_of_body(body).saturating_sub(thoughts);
    let thought = (thoughts > 0).then(|| THOUGHT.to_owned());
    if room == 0 {
        return Reply { thought, ..Reply::cut_off("") };
    }
    let text = match schema_of(dialect, body) {
        Some(schema) => schema::smallest_value(schema).to_string(),
        None => lines_from_all_over(&last_words(body), room / SHARE),
    };
    let count = |text: &str| u64::try_from(estimate_tokens(text)).unwrap_or(u64::MAX);
    let tokens = Tokens::Told { input: count(&body.to_string()), cached: 0, output: count(&text) };
    Reply { tokens, thought, ..Reply::text(&text) }
}

fn schema_of(dialect: Dialect, body: &Value) -> Option<&Value> {
    match dialect {
        Dialect::OpenAi | Dialect::Azure => body.pointer("/response_format/json_schema/schema"),
        Dialect::Anthropic => body.pointer("/output_config/format/schema"),
        Dialect::Gemini => body.pointer("/generationConfig/responseJsonSchema"),
        Dialect::Ollama => body.get("format").filter(|format| format.is_object()),
    }
}

fn limit_of_body(body: &Value) -> u64 {
    let places = [
        "/max_tokens",
        "/max_completion_tokens",
        "/generationConfig/maxOutputTokens",
        "/options/num_predict",
    ];
    places.iter().find_map(|place| body.pointer(place)?.as_u64()).unwrap_or(UNLIMITED)
}

/// Every text of the last message, whatever the dialect calls it.
fn last_words(body: &Value) -> String {
    let messages = body.get("messages").or_else(|| body.get("contents")).and_then(Value::as_array);
    let mut words = String::new();
    if let Some(last) = messages.and_then(|messages| messages.last()) {
        gather_texts(last.get("content").or_else(|| last.get("parts")).unwrap_or(last), &mut words);
    }
    words
}

fn gather_texts(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push_str(text);
            words.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| gather_texts(value, words)),
        Value::Object(object) => object.values().for_each(|value| gather_texts(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Lines from all over the text, so many that they have about `most_tokens`.
fn lines_from_all_over(text: &str, most_tokens: u64) -> String {
    let lines: Vec<&str> = text.lines().filter_map(content_of_line).collect();
    let most = usize::try_from(most_tokens).unwrap_or(usize::MAX);
    let all: usize = lines.iter().map(|line| estimate_tokens(line)).sum();
    let step = all.div_ceil(most.max(1)).max(1);
    let bullet = |line: &&str| format!("- {}", line.chars().take(LINE_CHARS).collect::<String>());
    let bullets: Vec<String> = lines.iter().step_by(step).map(bullet).collect();
    if bullets.is_empty() { "- …".to_owned() } else { bullets.join("\n") }
}

/// The content of a line of messages (`[when] name: text`) or of a memory (`- text`).
fn content_of_line(line: &str) -> Option<&str> {
    let talk = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(_, said)| said);
    talk.or_else(|| line.strip_prefix("- ")).map(str::trim).filter(|said| !said.is_empty())
}
