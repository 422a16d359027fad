//! Checks schemas as OpenAI's strict mode does, and makes data that fits a schema.

use serde_json::Value;

/// Checks that every object names all its properties as required and allows no others.
pub(super) fn check_strictness(schema: &Value) -> Result<(), String> {
    let Some(object) = schema.as_object() else { return Err("a schema is no object".to_owned()) };
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        if object.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err("additionalProperties is required to be false".to_owned());
        }
        let required: Vec<&str> = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if let Some(missing) = properties.keys().find(|name| !required.contains(&name.as_str())) {
            return Err(format!("required has to name every property: {missing} is missing"));
        }
        properties.values().try_for_each(check_strictness)?;
    }
    object.get("items").map_or(Ok(()), check_strictness)?;
    let any = object.get("anyOf").and_then(Value::as_array);
    any.into_iter().flatten().try_for_each(check_strictness)
}

/// The smallest value that fits a schema.
pub(super) fn smallest_value(schema: &Value) -> Value {
    let first = |key: &str| schema.get(key).and_then(Value::as_array).and_then(|list| list.first());
    if let Some(value) = first("enum") {
        return value.clone();
    }
    if let Some(choice) = first("anyOf").or_else(|| first("oneOf")) {
        return smallest_value(choice);
    }
    let kind = schema.get("type");
    match kind.and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str())) {
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            properties.map(|(name, schema)| (name.clone(), smallest_value(schema))).collect()
        }
        Some("array") => Value::Array(Vec::new()),
        Some("string") => Value::from("…"),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(Value::from(0)),
        Some("boolean") => Value::Bool(false),
        _ => Value::Null,
    }
}
