//! Halves of surrogate pairs in JSON: escapes that are no character.

use std::borrow::Cow;

use serde_json::Value;

/// Length of one escaped UTF-16 unit, `\\u` and four hexadecimal digits, in bytes.
const ESCAPE: usize = 6;
/// The replacement character U+FFFD, escaped.
const REPLACEMENT: &[u8; ESCAPE] = b"\\ufffd";

/// Parses JSON of somebody else; half of a surrogate pair is read as U+FFFD ([`whole_characters`]).
///
/// # Errors
/// When it is no JSON.
pub fn parse_json(json: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(&whole_characters(json))
}

/// Replaces each half of a surrogate pair by U+FFFD. Who cuts a text in the middle of an emoji leaves half a
/// pair, which is no character; nothing else may be lost because of it. Byte positions stay the same.
pub fn whole_characters(json: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(next) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += next;
        // Escapes of other characters are many in an export whose maker escapes all that is not ASCII.
        if !may_be_surrogate(json, at) {
            at += 2;
            continue;
        }
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

/// Whether the escape that begins at `at` may be half of a surrogate pair, by its first digit.
fn may_be_surrogate(json: &[u8], at: usize) -> bool {
    matches!(json.get(at + 1..at + 3), Some([b'u', b'd' | b'D']))
}

/// The UTF-16 unit whose escape begins at `at`, if one does.
fn unit_at(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let is_hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hexadecimal)?;
    u16::from_str_radix(digits, 16).ok()
}
