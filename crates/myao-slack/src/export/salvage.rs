//! Reads what can still be read of a damaged list of messages: a bad byte costs the message it is in, not the list
//! (specification §11).
//!
//! Only objects are looked for. Right behind an undamaged object the next one may begin. Behind damage the depth in the
//! list is unknown: an object is taken for a message only if it says that it is one and is not the value of a field,
//! since one message may quote another.

use std::ops::Range;

use myao_core::chat::MessageTs;
use serde_json::Value;

use super::elements;
use crate::json;

/// Bytes kept of one damaged stretch: a long message. The file itself stays with its owner.
const MOST_RAW: usize = 64 << 10;
/// How often each byte may be read in vain, on average, before the rest is given up: nested nonsense is tried from every
/// brace in it.
const MOST_TRIES: usize = 64;

/// A piece of a damaged list.
#[derive(Debug)]
pub(super) enum SalvagedPiece {
    /// An undamaged object.
    Element(Value),
    /// What is between two of them, other than separators.
    Damaged {
        /// Its text, at most [`MOST_RAW`] bytes of it. Bytes that are no UTF-8 become U+FFFD.
        raw: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The pieces of a list, in their order.
pub(super) fn pieces_of_list(content: &[u8]) -> Vec<SalvagedPiece> {
    let content = &*json::whole_characters(content);
    let first = content.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let is_list = content.get(first) == Some(&b'[');
    let mut pieces = Vec::new();
    // Where the bytes that are in no piece yet start, and what is wrong with them.
    let mut rest = if is_list { first + 1 } else { 0 };
    let mut wrong = None;
    let mut at = rest;
    let mut tries_left = content.len().saturating_mul(MOST_TRIES);
    while let Some(brace) = brace_from(content, at).filter(|_| tries_left > 0) {
        match object_at(content, brace) {
            Ok((value, end)) => {
                let may_begin =
                    is_list && wrong.is_none() && without_separators(content, rest..brace).is_empty();
                if may_begin || (is_message(&value) && !is_value(content, brace)) {
                    pieces.extend(damaged_piece(without_separators(content, rest..brace), wrong.take()));
                    pieces.push(SalvagedPiece::Element(value));
                    rest = end;
                }
                at = end;
            }
            Err(error) => {
                tries_left = tries_left.saturating_sub(read_in_vain(content, brace, &error));
                wrong.get_or_insert_with(|| elements::reason_without_position(&error));
                at = brace + 1;
            }
        }
    }
    let tail = without_separators(content, rest..content.len());
    let tail = tail.strip_suffix(b"]").filter(|_| is_list).unwrap_or(tail);
    pieces.extend(damaged_piece(tail.trim_ascii_end(), wrong));
    pieces
}

fn brace_from(content: &[u8], at: usize) -> Option<usize> {
    let ahead = content.get(at..)?.iter().position(|byte| *byte == b'{')?;
    Some(at + ahead)
}

/// The object that begins at `at`, and where it ends.
fn object_at(content: &[u8], at: usize) -> Result<(Value, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_slice(content.get(at..).unwrap_or_default()).into_iter();
    let value = values.next().unwrap_or(Ok(Value::Null))?;
    Ok((value, at + values.byte_offset()))
}

/// How many bytes from `at` on were read before the error was met.
fn read_in_vain(content: &[u8], at: usize, error: &serde_json::Error) -> usize {
    let lines = content.get(at..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
    before.saturating_add(error.column()).max(1)
}

/// A stretch without the separators around it.
fn without_separators(content: &[u8], stretch: Range<usize>) -> &[u8] {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut stretch = content.get(stretch).unwrap_or_default();
    while let Some((_, rest)) = stretch.split_first().filter(|(first, _)| is_separator(first)) {
        stretch = rest;
    }
    while let Some((_, rest)) = stretch.split_last().filter(|(last, _)| is_separator(last)) {
        stretch = rest;
    }
    stretch
}

/// Whether an object says that it is a message; objects inside a message do not.
fn is_message(value: &Value) -> bool {
    let has_ts = json::text_of_field(value, "ts").is_some_and(|ts| ts.parse::<MessageTs>().is_ok());
    json::text_of_field(value, "type") == Some("message") && has_ts
}

/// Whether the object at `at` is the value of a field.
fn is_value(content: &[u8], at: usize) -> bool {
    let before = content.get(..at).unwrap_or_default();
    before.trim_ascii_end().last() == Some(&b':')
}

fn damaged_piece(raw: &[u8], wrong: Option<String>) -> Option<SalvagedPiece> {
    let reason = match (std::str::from_utf8(raw), wrong) {
        (Err(_), _) => "not UTF-8".to_owned(),
        (Ok(_), Some(wrong)) => format!("broken JSON: {wrong}"),
        (Ok(_), None) => "broken JSON".to_owned(),
    };
    let raw = String::from_utf8_lossy(raw.get(..MOST_RAW).unwrap_or(raw)).into_owned();
    (!raw.is_empty()).then_some(SalvagedPiece::Damaged { raw, reason })
}
