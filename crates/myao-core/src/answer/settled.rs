//! The beginning of an answer that is still being written, as far as it stays as it is whatever follows (ADR 125).
//!
//! It is read like a whole answer, and only up to the first sign of anything that could give what stands before another
//! meaning, or that could be part of a mark. So it may end early; what a person sees is then completed when the answer is
//! whole.

use super::{asks_for_data, errors::may_become_error, find_spoken_answer, spoken::TextEnd};
use crate::ports::Request;

/// Fewest characters that are shown at all. Errors of gateways name themselves in fewer, and what a model says before it
/// uses a tool is mostly shorter; an answer that is no longer is there at once anyway.
const FEWEST: usize = 120;
/// Characters at the end that are held back: the longest mark without a bracket in front, and more.
const HELD_BACK: usize = 24;
/// Characters with which marks, calls and pages begin, wherever they stand.
const SIGNS: [char; 4] = ['<', '{', '◁', '｜'];
/// What marks in square brackets begin with, in small letters.
const BRACKETED: [&str; 8] = ["inst", "/", "|", "think", "tool", "begin ", "end ", "20"];
/// How a line begins with which another speaker or a call begins, in small letters.
const LINE_SIGNS: [&str; 8] =
    ["[", "action:", "user:", "human:", "ユーザー:", "ユーザー：", "assistant:", "thought:"];
/// Roles that begin the next turn where the marks around them were dropped.
const BARE_ROLES: [&str; 3] = ["assistant\n", "user\n", "model\n"];
/// How a text begins of which nothing is certain before its end, in small letters.
const UNCERTAIN: [&str; 12] = [
    "`",
    "analysis",
    "commentary",
    "assistant",
    "アシスタント",
    "model",
    "thought",
    "thinking...",
    "here is my thought process",
    "here are my reasoning steps",
    "functools",
    "final",
];
/// Marks in front of a line of talk.
const LINE_MARKS: [char; 4] = [' ', '→', '●', '*'];

/// The beginning of the answer to `request` that is certain once `raw` has been written of it; empty while nothing is.
///
/// It takes for granted that the model does not close thoughts that it never opened: whoever asks knows whether a server
/// hides where they begin.
pub fn settled_beginning(raw: &str, request: &Request) -> String {
    let text = raw.trim_start();
    if asks_for_data(request) || is_uncertain(text, request) {
        return String::new();
    }
    let end = first_sign(text).min(end_of_whole_words(text));
    let certain = text.get(..end).unwrap_or_default();
    if certain.chars().nth(FEWEST).is_none() || may_become_error(certain) {
        return String::new();
    }
    match find_spoken_answer(certain, request, TextEnd::Cut) {
        Ok(answer) if answer.calls.is_empty() && !answer.thought => answer.text,
        Ok(_) | Err(_) => String::new(),
    }
}

/// Whether nothing of a text with this beginning is certain.
fn is_uncertain(text: &str, request: &Request) -> bool {
    let head: String = text.trim_start_matches(LINE_MARKS).chars().take(HELD_BACK * 2).collect();
    let head = head.to_lowercase();
    UNCERTAIN.iter().any(|begin| head.starts_with(begin))
        || request.tools.iter().any(|tool| head.starts_with(&tool.name.to_lowercase()))
}

/// Where the first sign of something other than words begins.
fn first_sign(text: &str) -> usize {
    let of_line = |at: usize, line: &str| {
        let bare = line.trim_start_matches(LINE_MARKS);
        let lower = bare.chars().take(HELD_BACK).collect::<String>().to_lowercase();
        LINE_SIGNS.iter().any(|sign| lower.starts_with(sign)).then_some(at)
    };
    let bracketed = |at: usize| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let lower = behind.chars().take(HELD_BACK).collect::<String>().to_lowercase();
        BRACKETED.iter().any(|begin| lower.starts_with(begin))
    };
    let mut at = 0;
    let mut found = text.len();
    for line in text.split_inclusive('\n') {
        if let Some(at) = of_line(at, line) {
            found = at;
            break;
        }
        at += line.len();
    }
    let in_line = text.char_indices().find(|(at, c)| SIGNS.contains(c) || *c == '[' && bracketed(*at));
    let role = BARE_ROLES.iter().filter_map(|role| text.find(role)).min();
    found.min(in_line.map_or(found, |(at, _)| at)).min(role.unwrap_or(found))
}

/// Where the words end that are certainly whole.
fn end_of_whole_words(text: &str) -> usize {
    let Some((end, _)) = text.char_indices().rev().nth(HELD_BACK) else { return 0 };
    let held = text.get(..end).unwrap_or_default();
    // Japanese has no blanks; there a character is as good an end as any.
    let is_open = held.chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
    if !is_open {
        return end;
    }
    held.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1).min(end)
}
