//! Reads tool calls written as Python: `[web_search(query="news", limit=3)]`.

use serde_json::{Map, Value};

use super::tool_names::plain_name;

/// What is around calls: they are printed, or a method of the tool.
const PRINT: &str = "print(";
const METHOD: &str = ".call";

/// The calls that a whole text consists of; `None` if it does not.
pub(super) fn calls_of_text(text: &str) -> Option<Vec<(String, Value)>> {
    let text = text.trim();
    let list = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(text);
    let mut calls = Vec::new();
    let mut rest = list.trim();
    while !rest.is_empty() {
        let bare = rest.strip_prefix(PRINT);
        let (call, behind) = read_one_call(bare.unwrap_or(rest))?;
        calls.push(call);
        let behind = behind.trim_start();
        let behind = if bare.is_some() { behind.strip_prefix(')')?.trim_start() } else { behind };
        rest = behind.trim_start_matches([',', ';']).trim_start();
    }
    (!calls.is_empty()).then_some(calls)
}

fn read_one_call(text: &str) -> Option<((String, Value), &str)> {
    let (name, mut rest) = text.split_once('(')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    let name = plain_name(name.strip_suffix(METHOD).unwrap_or(name));
    if !is_name {
        return None;
    }
    let mut arguments = Map::new();
    loop {
        rest = rest.trim_start().trim_start_matches(',').trim_start();
        if let Some(behind) = rest.strip_prefix(')') {
            return Some(((name, Value::Object(arguments)), behind));
        }
        let (key, behind) = rest.split_once('=')?;
        let key = key.trim();
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let (value, behind) = read_value(behind.trim_start())?;
        arguments.insert(key.to_owned(), value);
        rest = behind;
    }
}

/// A value, and what is behind it: a text in either kind of quotation marks, or JSON, or Python's words for it.
fn read_value(text: &str) -> Option<(Value, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return read_quoted(text.get(1..)?, quote);
    }
    for (word, value) in [("True", Value::Bool(true)), ("False", Value::Bool(false)), ("None", Value::Null)] {
        if let Some(behind) = text.strip_prefix(word) {
            return Some((value, behind));
        }
    }
    if text.starts_with(['[', '{']) {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let value = stream.next()?.ok()?;
        let at = stream.byte_offset();
        return Some((value, text.get(at..)?));
    }
    let (number, behind) = text.split_at_checked(text.find([',', ')'])?)?;
    Some((serde_json::from_str(number.trim()).ok()?, behind))
}

fn read_quoted(text: &str, quote: char) -> Option<(Value, &str)> {
    let mut said = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next()?.1 {
                'n' => said.push('\n'),
                't' => said.push('\t'),
                other => said.push(other),
            },
            c if c == quote => return Some((Value::String(said), text.get(at + c.len_utf8()..)?)),
            c => said.push(c),
        }
    }
    None
}
