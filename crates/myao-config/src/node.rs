//! The tree that a file is read into; its nodes know their lines.

use serde_json::Number;

/// The texts by which the YAML reader represents numbers that JSON does not have.
const NOT_FINITE: [&str; 3] = [".nan", ".inf", "-.inf"];

/// A value and the line it starts in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) line: u64,
    pub(super) value: Value,
}

/// A key, its line, and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeEntry {
    pub(super) key: String,
    pub(super) line: u64,
    pub(super) node: Node,
}

/// A value in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// No value, `~` or `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A finite number.
    Number(Number),
    /// Text as written, with its `${VAR}`.
    Text(String),
    /// Text in which variables were filled in: it may be of any type that is expected.
    Filled(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file, duplicates included.
    Map(Vec<NodeEntry>),
    /// A value whose problem has been reported.
    Faulty,
}

impl Value {
    /// What messages say was found: its type, or its value if that can't be a secret.
    pub(super) fn found(&self) -> String {
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Filled(text) if text.is_empty() => "empty text".to_owned(),
            Self::Text(text) if NOT_FINITE.contains(&text.as_str()) => {
                "a number that is not finite".to_owned()
            }
            Self::Text(text) if text.trim().parse::<f64>().is_ok() => {
                let digits = text.trim_start_matches(['-', '+']);
                let is_padded =
                    digits.starts_with('0') && digits.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
                let written = if is_padded { "a number with a leading zero" } else { "a number in quotes" };
                written.to_owned()
            }
            Self::Text(_) => "text".to_owned(),
            Self::Filled(_) => "text from the environment".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "a map of keys".to_owned(),
            Self::Faulty => "a faulty value".to_owned(),
        }
    }

    /// The text, if it is text.
    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) | Self::Filled(text) = self { Some(text) } else { None }
    }

    /// The entries, if it is a map.
    pub(super) fn as_map(&self) -> Option<&[NodeEntry]> {
        if let Self::Map(entries) = self { Some(entries) } else { None }
    }

    /// The items, if it is a list.
    pub(super) fn as_list(&self) -> Option<&[Node]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The whole number, if it is one or was filled in as one.
    pub(super) fn as_whole(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64(),
            Self::Filled(text) => text.trim().parse().ok(),
            Self::Null | Self::Flag(_) | Self::Text(_) | Self::List(_) | Self::Map(_) | Self::Faulty => None,
        }
    }

    /// The number, if it is one or was filled in as one.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            Self::Filled(text) => text.trim().parse().ok(),
            Self::Null | Self::Flag(_) | Self::Text(_) | Self::List(_) | Self::Map(_) | Self::Faulty => None,
        }
    }

    /// The switch, if it is a boolean or a word for one, in any case.
    pub(super) fn as_flag(&self) -> Option<bool> {
        if let Self::Flag(flag) = self {
            return Some(*flag);
        }
        match self.as_text()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// The value as JSON.
    pub(super) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null | Self::Faulty => serde_json::Value::Null,
            Self::Flag(flag) => (*flag).into(),
            Self::Number(number) => number.clone().into(),
            Self::Text(text) | Self::Filled(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(|item| item.value.to_json()).collect(),
            Self::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.node.value.to_json()));
                serde_json::Value::Object(pairs.collect())
            }
        }
    }
}
