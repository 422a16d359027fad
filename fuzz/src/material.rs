//! Bytes as texts and JSON.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Number, Value};

/// What parts a text: what stands once in front, what is repeated, what stands once behind.
const PART: char = '\u{1}';
/// How deep made-up JSON is nested.
const DEEPEST: usize = 5;
/// Items of one list or object of made-up JSON.
const MOST_ITEMS: usize = 8;
/// Numbers at which something may change.
const NUMBERS: [i64; 10] = [0, 1, -1, 255, 400, 429, 503, 1_772_510_000, i64::MAX, i64::MIN];

/// The bytes as text; what is no UTF-8 in it is replaced.
pub(super) fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Does something with what is taken from the bytes, piece by piece. Where they do not last, nothing is said.
pub(super) fn taken(data: &[u8], work: impl FnOnce(&mut Unstructured<'_>) -> Result<()>) {
    work(&mut Unstructured::new(data)).unwrap_or_default();
}

/// The sum of all bytes, to choose the inputs that more is done with. It changes with whatever the fuzzer changes; a
/// byte of its own for this would mostly stay, and what more is done with is kept and changed more often than others.
pub(super) fn sum(data: &[u8]) -> usize {
    data.iter().copied().map(usize::from).sum()
}

/// All bytes that are left.
pub(super) fn rest<'a>(u: &mut Unstructured<'a>) -> Result<&'a [u8]> {
    u.bytes(u.len())
}

/// A text as its beginning, its middle, which may be repeated, and its end; all of it is the middle of a text without
/// parts.
pub(super) fn parts(text: &str) -> (&str, &str, &str) {
    let Some((before, rest)) = text.split_once(PART) else { return ("", text, "") };
    let (unit, after) = rest.split_once(PART).unwrap_or((rest, ""));
    (before, unit, after)
}

/// Words that a target's JSON is likely made of.
#[derive(Clone, Copy)]
pub(crate) struct Vocabulary {
    pub(crate) keys: &'static [&'static str],
    pub(crate) texts: &'static [&'static str],
}

/// JSON: as it is written, or made up from a vocabulary.
pub(crate) fn json(data: &[u8], vocabulary: Vocabulary) -> Value {
    match serde_json::from_slice(data) {
        Ok(value) => value,
        Err(_) => made_up(&mut Unstructured::new(data), vocabulary, DEEPEST).unwrap_or(Value::Null),
    }
}

/// JSON made up from a vocabulary.
pub(super) fn made_up(u: &mut Unstructured<'_>, vocabulary: Vocabulary, depth: usize) -> Result<Value> {
    let kinds = if depth == 0 { 4 } else { 7 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Value::Null,
        1 => Value::Bool(u.arbitrary()?),
        2 => Value::Number(number(u)?),
        3 | 4 => Value::String(word(u, vocabulary.texts)?),
        5 => {
            let items = (0..u.int_in_range(0..=MOST_ITEMS)?).map(|_| made_up(u, vocabulary, depth - 1));
            Value::Array(items.collect::<Result<_>>()?)
        }
        _ => {
            let mut map = Map::new();
            for _ in 0..u.int_in_range(0..=MOST_ITEMS)? {
                map.insert(word(u, vocabulary.keys)?, made_up(u, vocabulary, depth - 1)?);
            }
            Value::Object(map)
        }
    })
}

fn number(u: &mut Unstructured<'_>) -> Result<Number> {
    if u.ratio(1, 2)? {
        return Ok(Number::from(*u.choose(&NUMBERS)?));
    }
    Ok(Number::from_f64(u.arbitrary()?).unwrap_or_else(|| Number::from(0)))
}

/// Mostly a word of the vocabulary, else any text, and now and then both.
pub(super) fn word(u: &mut Unstructured<'_>, words: &[&str]) -> Result<String> {
    Ok(match u.int_in_range(0..=9)? {
        0 => u.arbitrary::<&str>()?.to_owned(),
        1 => format!("{}{}", u.choose(words)?, u.arbitrary::<&str>()?),
        2 => format!("{}{}", u.choose(words)?, u.choose(words)?),
        _ => (*u.choose(words)?).to_owned(),
    })
}
