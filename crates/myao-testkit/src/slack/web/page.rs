//! Pages and cursors. Like Slack's (base64), a cursor is opaque, is valid for one method only, and has to be encoded in
//! a query.

use serde_json::{Value, json};

use super::{args::Args, refusal::MethodRefusal};
use crate::slack::rules::Rule;

/// The most items of a page. Slack's documentation says "under 1000".
const MOST_PER_PAGE: usize = 999;
/// Characters that have to be encoded in a query, where a bare `+` is read as a space.
const TAIL: &str = "+/=";

/// How many items a page holds.
pub(super) fn items_per_page(args: &Args, default: usize) -> Result<usize, MethodRefusal> {
    match args.number("limit")? {
        None | Some(0) => Ok(default),
        Some(size) if size <= MOST_PER_PAGE => Ok(size),
        Some(size) => Err(MethodRefusal::new("invalid_limit").breaking(
            Rule::PageSize,
            format!("a page of {size} items, at most {MOST_PER_PAGE} are allowed"),
        )),
    }
}

/// The place where the page starts, from the cursor that the previous page gave.
pub(super) fn start_of_cursor(args: &Args, list: &str) -> Result<Option<String>, MethodRefusal> {
    let Some(cursor) = args.text("cursor") else { return Ok(None) };
    let hex = cursor.strip_suffix(TAIL).and_then(from_hex);
    let at = hex.and_then(|text| text.strip_prefix(list)?.strip_prefix(':').map(str::to_owned));
    at.map(Some).ok_or_else(|| MethodRefusal::new("invalid_cursor"))
}

/// A cursor to the place `at` in a list.
pub(super) fn cursor_to_place(list: &str, at: &str) -> String {
    let digits = format!("{list}:{at}").into_bytes().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).chain(TAIL.chars()).collect()
}

/// The `response_metadata` of a list. An empty cursor means that this is the last page.
pub(super) fn response_metadata(cursor: Option<String>) -> Value {
    json!({"next_cursor": cursor.unwrap_or_default()})
}

/// A page of sorted items: those that come after `after`, and the cursor to the next page.
pub(super) fn cut_to_size<S: AsRef<str>, T>(
    items: impl Iterator<Item = (S, T)>,
    list: &str,
    after: Option<&str>,
    size: usize,
) -> (Vec<T>, Option<String>) {
    let mut rest = items.filter(|(id, _)| after.is_none_or(|after| id.as_ref() > after));
    let taken: Vec<(S, T)> = rest.by_ref().take(size).collect();
    let more_follow = rest.next().is_some();
    let next = taken.last().filter(|_| more_follow).map(|(id, _)| cursor_to_place(list, id.as_ref()));
    (taken.into_iter().map(|(_, item)| item).collect(), next)
}

fn from_hex(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let bytes = digits.chunks_exact(2).filter_map(|pair| Some(pair.first()? * 16 + pair.last()?)).collect();
    String::from_utf8(bytes).ok()
}
