//! Removes invisible characters from what models say (specification §6), so that no answer, memory, memo or search
//! carries words that its readers do not see.

use std::borrow::Cow;

use myao_core::{
    ports::{Response, ToolCall},
    text::{count_invisible_characters, without_invisible_characters},
};
use serde_json::Value;

/// A response without invisible characters. Its thoughts stay as they came: the provider wants them back unchanged, and
/// nobody else reads them.
pub(super) fn clean_response(response: Response) -> Response {
    let Response { text, calls, thoughts, stop, usage } = response;
    let call = |call: ToolCall| ToolCall { arguments: clean_value(call.arguments), ..call };
    Response { text: text_of(text), calls: calls.into_iter().map(call).collect(), thoughts, stop, usage }
}

/// A JSON value without invisible characters, which may be written in it as escapes.
pub(super) fn clean_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text_of(text)),
        Value::Array(values) => Value::Array(values.into_iter().map(clean_value).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, clean_value(field))).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// A text without invisible characters; how many were removed is logged.
pub(super) fn text_of(text: String) -> String {
    match without_invisible_characters(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => {
            tracing::debug!(
                characters = count_invisible_characters(&text),
                "invisible characters are removed from a model's text"
            );
            clean
        }
    }
}
