//! A manifest as YAML, with comments: the form that people read, and paste on Slack's page.

use serde_json::Value;

use super::document::ManifestComments;

/// The text of a manifest.
pub fn manifest_as_yaml(manifest: &Value, comments: &ManifestComments) -> String {
    let mut writer = YamlWriter { text: String::new(), comments };
    for line in comments.head.lines() {
        writer.write_comment(line, 0);
    }
    writer.write_fields(manifest, "", 0);
    writer.text
}

struct YamlWriter<'a> {
    text: String,
    comments: &'a ManifestComments,
}

impl YamlWriter<'_> {
    fn write_fields(&mut self, value: &Value, path: &str, depth: usize) {
        let Value::Object(fields) = value else { return };
        for (key, value) in fields {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let comments = self.comments;
            for (_, words) in comments.of_fields.iter().filter(|(field, _)| *field == path) {
                self.write_comment(words, depth);
            }
            self.indent(depth);
            self.text.push_str(key);
            self.text.push(':');
            self.write_value(value, &path, depth);
        }
    }

    fn write_value(&mut self, value: &Value, path: &str, depth: usize) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                self.text.push('\n');
                self.write_fields(value, path, depth + 1);
            }
            Value::Array(items) if !items.is_empty() => {
                self.text.push('\n');
                for item in items {
                    self.write_item(item, path, depth + 1);
                }
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_)
            | Value::Array(_) => {
                self.text.push(' ');
                self.text.push_str(&scalar(value));
                self.text.push('\n');
            }
        }
    }

    fn write_item(&mut self, item: &Value, path: &str, depth: usize) {
        let begin = self.text.len();
        if item.as_object().is_some_and(|fields| !fields.is_empty()) {
            // The first key stands behind the dash, the others below it.
            self.write_fields(item, path, depth + 1);
            let dash = begin + 2 * depth;
            self.text.replace_range(dash..dash + 2, "- ");
        } else {
            self.indent(depth);
            self.text.push_str("- ");
            self.text.push_str(&scalar(item));
            self.text.push('\n');
        }
    }

    fn write_comment(&mut self, words: &str, depth: usize) {
        self.indent(depth);
        self.text.push_str(format!("# {words}").trim_end());
        self.text.push('\n');
    }

    fn indent(&mut self, depth: usize) {
        self.text.push_str(&"  ".repeat(depth));
    }
}

/// A value on one line. JSON's own form is YAML, too.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => value.to_string(),
    }
}

/// Whether a text needs no quotes: words that nothing reads as a number, a flag or a mark of YAML.
fn is_plain(text: &str) -> bool {
    const FLAGS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/');
    let is_name = |c: char| is_letter(c) || c == ':';
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
        && text.chars().all(is_name)
        && !text.contains(": ")
        && !FLAGS.contains(&text.to_ascii_lowercase().as_str())
}
