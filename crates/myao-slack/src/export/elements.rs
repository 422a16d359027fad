//! Reads the elements of a JSON list one at a time.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use crate::json;

/// What is wrong with a file that should be a list.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("not UTF-8 at byte {byte}, line {line}")]
    NotUtf8 { byte: usize, line: usize },
    #[error("broken JSON at line {}, column {}: {}", .0.line(), .0.column(), reason_without_position(.0))]
    Json(serde_json::Error),
    #[error("unexpected content at line {}, column {}: {}", .0.line(), .0.column(), reason_without_position(.0))]
    Content(serde_json::Error),
}

/// Passes every element of the list in `content`, with its position, to `take`; an error of `take` ends it. A byte order
/// mark is skipped, and half of a surrogate pair is U+FFFD. When this fails, the caller has to drop what it was given.
pub(super) fn pass_each_element(
    content: &[u8],
    take: impl FnMut(usize, Value) -> Result<(), String>,
) -> Result<(), Broken> {
    let content = json::whole_characters(content);
    let text = std::str::from_utf8(&content).map_err(|error| {
        let byte = error.valid_up_to();
        let lines = content.iter().take(byte).filter(|b| **b == b'\n').count();
        Broken::NotUtf8 { byte, line: lines + 1 }
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim() == "null" {
        // What some exports have for an empty list.
        return Ok(());
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let broken =
        |error: serde_json::Error| if error.is_data() { Broken::Content(error) } else { Broken::Json(error) };
    Elements { take }.deserialize(&mut json).map_err(broken)?;
    json.end().map_err(broken)
}

/// An error's message without its line and column.
pub(super) fn reason_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

struct Elements<F> {
    take: F,
}

impl<'de, F: FnMut(usize, Value) -> Result<(), String>> DeserializeSeed<'de> for Elements<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(usize, Value) -> Result<(), String>> Visitor<'de> for Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut at = 0;
        while let Some(element) = list.next_element()? {
            (self.take)(at, element).map_err(de::Error::custom)?;
            at += 1;
        }
        Ok(())
    }
}
