//! Takes off the thoughts that a model wrote into its text, with or without the tag that opens them.

use super::marks::{MarkUse, MarkedText, begins_sentence, goes_on_about};

/// What models put around their thoughts. Where two begin alike, the longer one comes first.
const TAGS: [(&str, &str); 20] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel>", "<channel|>"),
    ("<|think|>", "<|/think|>"),
    ("<unused94>thought", "<unused95>"),
    ("<details type=\"reasoning\"", "</details>"),
    ("thinking...\n", "...done thinking."),
    ("here is my thought process:", "here is my response:"),
];
/// Pairs of words rather than marks: both have to be there.
const WORDED: [&str; 2] = ["thinking...\n", "here is my thought process:"];
/// A closing mark that other things have, too: alone it says nothing.
const COMMON: [&str; 3] = ["</details>", "...done thinking.", "here is my response:"];
/// Most characters between two tags that are named rather than used: `<think>…</think>`.
const NAMED: usize = 40;

/// A text behind thoughts.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Thoughts<'a> {
    /// They ended.
    Ended {
        /// What is behind them.
        rest: &'a str,
        /// Whether they have no words: a model that does not think may write the tags all the same.
        is_blank: bool,
    },
    /// They did not end.
    Unfinished,
}

/// What is behind the thoughts at the beginning of a text; `None` if it begins with none, or they do not end.
pub(crate) fn text_behind_thoughts(text: &str) -> Option<&str> {
    match thoughts_at_beginning(text, &text.to_ascii_lowercase())? {
        Thoughts::Ended { rest, .. } => Some(rest),
        Thoughts::Unfinished => None,
    }
}

/// The thoughts at the beginning of a text. `lower` is the text in small letters.
pub(super) fn thoughts_at_beginning<'a>(text: &'a str, lower: &str) -> Option<Thoughts<'a>> {
    let start = text.len() - text.trim_start().len();
    let (open, close) =
        TAGS.iter().find(|(open, _)| lower.get(start..).is_some_and(|l| l.starts_with(open)))?;
    let from = start + open.len();
    if begins_sentence(text.get(from..)?) {
        return None;
    }
    let Some(at) = end_of_thoughts(text, lower, from, close) else {
        return (!WORDED.contains(open)).then_some(Thoughts::Unfinished);
    };
    let inner = text.get(from..at)?;
    let rest = text.get(at + close.len()..)?;
    let is_named = inner.chars().count() <= NAMED && !inner.contains('\n') && goes_on_about(rest);
    let is_blank = !inner.chars().any(char::is_alphanumeric);
    (!is_named).then_some(Thoughts::Ended { rest, is_blank })
}

/// Where the thoughts from byte `from` on end. A closing tag that they only speak about is passed over, unless there is no
/// other: thoughts may hold a fence that is never closed.
fn end_of_thoughts(text: &str, lower: &str, from: usize, close: &str) -> Option<usize> {
    let inner = MarkedText::new(text.get(from..)?);
    let found: Vec<usize> = lower.get(from..)?.match_indices(close).map(|(at, _)| at).collect();
    let is_meant = |at: &&usize| inner.usage(**at, **at + close.len()) != MarkUse::Spoken;
    let is_possible = |at: &&usize| !inner.code.is_closed_at(**at);
    let at = found.iter().find(is_meant).or_else(|| found.iter().rfind(is_possible))?;
    Some(from + at)
}

/// What is behind the last closing tag that has no opening one: some servers write the opening tag into the prompt.
pub(super) fn behind_closing_tag<'a>(text: &'a str, lower: &str) -> Option<&'a str> {
    let mut marked = None;
    let mut last: Option<usize> = None;
    for (open, close) in TAGS.iter().filter(|(_, close)| !COMMON.contains(close)) {
        let opened = lower.find(open).unwrap_or(lower.len());
        for (at, _) in lower.match_indices(close) {
            let end = at + close.len();
            let marked = marked.get_or_insert_with(|| MarkedText::new(text));
            if at < opened && marked.usage(at, end) != MarkUse::Spoken && last.is_none_or(|last| last < end) {
                last = Some(end);
            }
        }
    }
    last.and_then(|end| text.get(end..))
}

/// A text without thoughts in its middle that begin on a line of their own; `None` if it has none.
pub(super) fn without_inner(text: &str, lower: &str) -> Option<String> {
    for (open, close) in TAGS.iter().filter(|(open, close)| !COMMON.contains(close) && !WORDED.contains(open))
    {
        let Some(at) = lower.find(open).filter(|at| *at > 0) else { continue };
        let end = at + open.len();
        let begins_line = text.get(..at).is_some_and(|before| before.ends_with('\n'));
        let goes_on = text.get(end..).is_some_and(begins_sentence);
        if !begins_line || goes_on || !MarkedText::new(text).is_used(at, end) {
            continue;
        }
        let before = text.get(..at)?.trim_end();
        let behind =
            end_of_thoughts(text, lower, end, close).and_then(|close_at| text.get(close_at + close.len()..));
        return Some(format!("{before}\n\n{}", behind.unwrap_or_default().trim_start()));
    }
    None
}
