//! Reads JSON that somebody else wrote: a field of an unexpected type counts as absent.

use std::borrow::Cow;

use serde_json::Value;

/// Length of one escaped UTF-16 unit, `\\u` and four hexadecimal digits, in bytes.
const ESCAPE: usize = 6;
/// The replacement character U+FFFD, escaped.
const REPLACEMENT: &[u8; ESCAPE] = b"\\ufffd";

/// Parses JSON as Slack writes it: half of a surrogate pair is read as U+FFFD ([`whole_characters`]).
pub(crate) fn parse(json: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(&whole_characters(json))
}

/// Replaces each half of a surrogate pair by U+FFFD. A bot that cuts its text in the middle of an emoji leaves half a
/// pair, which is no character; nothing else may be lost because of it. Byte positions stay the same.
pub(crate) fn whole_characters(json: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(next) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += next;
        at += match (unit_at(json, at), unit_at(json, at + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE,
            (Some(0xD800..=0xDFFF), _) => {
                if let Some(half) = whole.to_mut().get_mut(at..at + ESCAPE) {
                    half.copy_from_slice(REPLACEMENT);
                }
                ESCAPE
            }
            (Some(_), _) => ESCAPE,
            // Any other escape has two bytes.
            (None, _) => 2,
        };
    }
    whole
}

/// The UTF-16 unit whose escape begins at `at`, if one does.
fn unit_at(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let is_hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hexadecimal)?;
    u16::from_str_radix(digits, 16).ok()
}

/// The text under `key`, unless it is absent, empty or no text.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Whether `key` is literally `true`.
pub(crate) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The list under `key`; empty when there is none.
pub(crate) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The type of a JSON value, as error messages name it.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
