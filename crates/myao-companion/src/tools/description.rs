//! Describes tools to models, and reads the arguments that models give them.

use myao_core::{
    ports::ToolSpec,
    text::{Language, phrase},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A tool's description in the language of the prompts; `description` is the key of its phrase.
pub(super) fn spec_in_language(
    language: Language,
    name: &str,
    description: &'static str,
    required: &[&str],
    properties: &Value,
) -> ToolSpec {
    let mut parameters = json!({"type": "object", "properties": properties});
    if let (false, Some(object)) = (required.is_empty(), parameters.as_object_mut()) {
        object.insert("required".to_owned(), json!(required));
    }
    ToolSpec { name: name.to_owned(), description: phrase(language, description).to_owned(), parameters }
}

/// An argument that is a text.
pub(super) fn text_argument() -> Value {
    json!({"type": "string"})
}

/// Parses the arguments of a tool strictly: a mistake is reported to the model, not guessed at. Null is read as an empty
/// object: some models send it when there are no arguments.
pub(super) fn parse_arguments<T: DeserializeOwned>(tool: &str, arguments: &Value) -> Result<T, String> {
    let none = Value::Object(Map::new());
    let given = if arguments.is_null() { &none } else { arguments };
    T::deserialize(given).map_err(|error| format!("the arguments of {tool} are not as described: {error}"))
}
