//! Parses YAML into a tree of nodes that know their lines.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;
use serde_saphyr::{
    DuplicateKeyPolicy, Spanned,
    options::{NonFiniteFloatPolicy, Options},
};

use super::{
    error::ConfigFault,
    node::{Node, NodeEntry, Value},
};

/// The most nodes and levels of a file. A configuration has a few hundred nodes on a few levels; more is an accident or
/// an attack (aliases that multiply, nesting that exhausts the stack).
const MAX_NODES: usize = 20_000;
const MAX_DEPTH: usize = 32;

/// Reads a file of one document.
///
/// # Errors
/// The line, if known, and what is wrong there.
pub(super) fn parse_document(text: &str) -> Result<Node, (Option<u64>, ConfigFault)> {
    serde_saphyr::from_str_with_options(text, parser_options()).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map(|location| location.line());
        (line, ConfigFault::Yaml(reason_without_position(text, line, error)))
    })
}

fn parser_options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: MAX_NODES, max_depth: MAX_DEPTH },
        // Duplicates are reported with the other problems, all at once.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        // `yes` and `on` are switches where a switch is expected, as in myao2's YAML, and words elsewhere.
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        // As a number 072 would become 72.0: what was written is what a message about it shows.
        leading_zero_numbers_as_strings: true,
        // Snippets show the neighbouring lines, which may hold secrets.
        with_snippet: false,
    }
}

/// The parser's message on one line, without the position in it.
fn reason_without_position(text: &str, line: Option<u64>, error: &serde_saphyr::Error) -> String {
    if matches!(error, serde_saphyr::Error::MultipleDocuments { .. }) {
        return "a second document begins here (`---`)".to_owned();
    }
    let index = line.and_then(|line| usize::try_from(line).ok()).and_then(|line| line.checked_sub(1));
    let line = index.and_then(|index| text.lines().nth(index)).unwrap_or_default();
    if line.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t') {
        return "tabs cannot indent, use spaces".to_owned();
    }
    let message = error.render();
    let message = message.split_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    // The error of a limit exceeded inside an alias is wrapped in another error, so it is recognised by its message.
    if ["budget breached", "recursion limit"].iter().any(|limit| message.starts_with(limit)) {
        return "larger or nested deeper than any configuration is".to_owned();
    }
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self { line: spanned.referenced.line(), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyYaml)
    }
}

struct AnyYaml;

impl<'de> Visitor<'de> for AnyYaml {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or_else(|| Value::Text(number.to_string()), Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key::<Spanned<String>>()? {
            let node = entries.next_value()?;
            map.push(NodeEntry { key: key.value, line: key.referenced.line(), node });
        }
        Ok(Value::Map(map))
    }
}
