//! Fields of JSON objects.

use serde_json::Value;

/// What stands for a field that is not there.
static NOTHING: Value = Value::Null;

/// Sets a field of an object.
pub(super) fn set_field(object: &mut Value, key: &str, value: impl Into<Value>) {
    if let Value::Object(object) = object {
        object.insert(key.to_owned(), value.into());
    }
}

/// The field of an object; null where there is none.
pub(super) fn field_of<'a>(object: &'a Value, key: &str) -> &'a Value {
    object.get(key).unwrap_or(&NOTHING)
}

/// The list in a field of an object; empty where there is none.
pub(super) fn list_of_field<'a>(object: &'a Value, key: &str) -> &'a [Value] {
    field_of(object, key).as_array().map(Vec::as_slice).unwrap_or_default()
}
