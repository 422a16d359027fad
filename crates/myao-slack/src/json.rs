//! Reads JSON that somebody else wrote: a field of an unexpected type counts as absent.

use serde_json::Value;

pub(crate) use myao_core::text::{parse_json as parse, whole_characters};

/// The text under `key`, unless it is absent, empty or no text.
pub(crate) fn text_of_field<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Whether `key` is literally `true`.
pub(crate) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The list under `key`; empty when there is none.
pub(crate) fn list_of_field<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The type of a JSON value, as error messages name it.
pub(crate) fn kind_of_value(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
