//! Reads tool calls written as JSON.

use serde_json::{Map, Value};

use super::tool_names::{is_known, plain_name};
use crate::{
    ports::Request,
    text::{parse_json, whole_characters},
};

/// Where a call has its tool's name.
const NAMES: [&str; 7] =
    ["name", "tool_name", "tool", "function", "action", "function_name", "recipient_name"];
/// Where it has its arguments.
const ARGUMENTS: [&str; 8] =
    ["arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "kwargs"];
/// The fields of a call and of nothing else.
const OF_A_CALL: [&str; 4] = ["name", "arguments", "id", "type"];

/// The first object or list in a text.
pub(super) fn first_value(text: &str) -> Option<Value> {
    let rest = text.get(text.find(['{', '['])?..)?;
    let whole = whole_characters(rest.as_bytes());
    serde_json::Deserializer::from_slice(&whole).into_iter::<Value>().next()?.ok()
}

/// The object or list that a whole text is.
pub(super) fn whole_value(text: &str) -> Option<Value> {
    let text = text.trim();
    let value: Value = text.starts_with(['{', '[']).then(|| parse_json(text.as_bytes()).ok()).flatten()?;
    Some(value)
}

/// The calls in a value; `None` if it is none.
pub(super) fn calls_in_value(value: &Value, request: &Request) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Array(list) if !list.is_empty() => {
            let calls: Option<Vec<Vec<_>>> =
                list.iter().map(|value| calls_in_value(value, request)).collect();
            Some(calls?.concat())
        }
        Value::Object(fields) => {
            if let Some(inner) =
                fields.get("tool_calls").or_else(|| fields.get("function").filter(|f| f.is_object()))
            {
                return calls_in_value(inner, request);
            }
            call_of_fields(fields).or_else(|| call_under_name(fields, request)).map(|call| vec![call])
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Whether a value can be nothing but a call, whatever tool it names.
pub(super) fn is_call_by_form(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty() && list.iter().all(is_call_by_form),
        Value::Object(fields) => {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            let name = fields.get("name").and_then(Value::as_str).unwrap_or_default();
            fields.get("arguments").is_some_and(Value::is_object)
                && fields.keys().all(|key| OF_A_CALL.contains(&key.as_str()))
                && !name.is_empty()
                && name.chars().all(is_name)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn call_of_fields(fields: &Map<String, Value>) -> Option<(String, Value)> {
    let name = NAMES.iter().find_map(|key| fields.get(*key)?.as_str())?;
    let arguments = match ARGUMENTS.iter().find_map(|key| fields.get(*key))? {
        Value::String(text) => parse_json(text.as_bytes()).ok()?,
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            other.clone()
        }
    };
    arguments.is_object().then(|| (plain_name(name), arguments))
}

/// `{"web_search": {"query": "…"}}`
fn call_under_name(fields: &Map<String, Value>, request: &Request) -> Option<(String, Value)> {
    let mut fields = fields.iter();
    let ((name, arguments), None) = (fields.next()?, fields.next()) else { return None };
    let is_call = arguments.is_object() && is_known(name, request);
    is_call.then(|| (name.clone(), arguments.clone()))
}
