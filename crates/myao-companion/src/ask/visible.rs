//! What a model says, without what nobody sees (SPEC §6): no answer, memory, memo or search carries words past its
//! readers.

use std::borrow::Cow;

use myao_core::{
    ports::{Response, ToolCall},
    prompt::{hidden_in, without_hidden},
};
use serde_json::Value;

/// A response as it is used. What the model thought stays as it came: its provider wants it back unchanged, and nobody
/// else reads it.
pub(super) fn response(response: Response) -> Response {
    let Response { text, calls, thoughts, stop, usage } = response;
    let call = |call: ToolCall| ToolCall { arguments: value(call.arguments), ..call };
    Response { text: text_of(text), calls: calls.into_iter().map(call).collect(), thoughts, stop, usage }
}

/// The same of data: what nobody sees may stand in it as an escape.
pub(super) fn value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text_of(text)),
        Value::Array(values) => Value::Array(values.into_iter().map(self::value).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, self::value(field))).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// A text; how much is not in it any more is told to the log.
pub(super) fn text_of(text: String) -> String {
    match without_hidden(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => {
            tracing::debug!(characters = hidden_in(&text), "characters that nobody sees are dropped");
            clean
        }
    }
}
