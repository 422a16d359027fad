//! Finds tool calls that a model wrote as words. They become calls where tools are offered, as a server would have made
//! of them; elsewhere the text is no answer (ADR 83).
//!
//! `forms` reads the forms that models are trained on, `json` and `python` what stands in them.

mod forms;
mod json;
mod python;
mod tool_names;

use serde_json::Value;

use self::tool_names::{is_known, plain_name};
use super::{
    marks::MarkedText,
    spoken::{AnswerFault, SpokenAnswer, TextEnd, is_quoted_from},
};
use crate::ports::Request;

/// Most calls of one text. More are not carried out anyway.
const MOST_CALLS: usize = 10;
/// Most places in a text where a call without marks is looked for.
const MOST_PLACES: usize = 8;

/// Calls that were found.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FoundCalls {
    /// Names and arguments.
    Calls(Vec<(String, Value)>),
    /// Something that is meant as a call and cannot be read.
    Unreadable,
}

/// Calls in a text, and the words before them.
pub(super) struct SpokenCalls {
    pub(super) before: String,
    pub(super) found: FoundCalls,
}

/// The call of a tool with these arguments, written as JSON.
pub(super) fn call_of_tool(tool: &str, arguments: &str) -> FoundCalls {
    let read = json::first_value(arguments).filter(Value::is_object);
    let arguments =
        if arguments.trim().is_empty() { Some(Value::Object(serde_json::Map::new())) } else { read };
    arguments
        .map_or(FoundCalls::Unreadable, |arguments| FoundCalls::Calls(vec![(plain_name(tool), arguments)]))
}

/// The calls in a text; `None` if it calls no tool.
pub(super) fn find_spoken_calls(text: &str, request: &Request) -> Option<SpokenCalls> {
    let text = text.trim();
    if let Some(at) = forms::first_mark(&MarkedText::new(text)) {
        let (before, calls) = text.split_at_checked(at)?;
        if is_quoted_from(request, calls.trim()) {
            return None;
        }
        let found =
            forms::read_marked_calls(calls, request).map_or(FoundCalls::Unreadable, FoundCalls::Calls);
        return Some(SpokenCalls { before: before.trim().to_owned(), found });
    }
    let (before, calls) = calls_without_mark(text, request)?;
    let is_quoted = is_quoted_from(request, text);
    (!is_quoted).then(|| SpokenCalls { before: before.trim().to_owned(), found: FoundCalls::Calls(calls) })
}

/// Makes the calls part of the answer, and returns the words before them.
pub(super) fn carry_over(
    calls: SpokenCalls,
    request: &Request,
    end: TextEnd,
    answer: &mut SpokenAnswer,
) -> Result<String, AnswerFault> {
    match calls.found {
        FoundCalls::Calls(mut found) if !request.tools.is_empty() => {
            found.truncate(MOST_CALLS);
            answer.calls = found;
            Ok(calls.before)
        }
        FoundCalls::Calls(_) | FoundCalls::Unreadable if end == TextEnd::Cut => Ok(calls.before),
        FoundCalls::Calls(_) | FoundCalls::Unreadable => Err(AnswerFault::Call),
    }
}

/// Calls without a mark: the whole text, or its end from the beginning of a line on. Without a mark, a call has to name a
/// tool that there is.
fn calls_without_mark<'a>(text: &'a str, request: &Request) -> Option<(&'a str, Vec<(String, Value)>)> {
    let bare = inside_fence(text).unwrap_or(text);
    if let Some(calls) = calls_of_whole_text(bare, request) {
        return Some(("", calls));
    }
    let marked = MarkedText::new(text);
    if let Some(call) = react_agent_call(&marked, request) {
        return Some(("", vec![call]));
    }
    let starts = text.match_indices("\n{").chain(text.match_indices("\n["));
    let places = starts.map(|(at, _)| at + 1).filter(|at| !marked.code.holds(*at)).take(MOST_PLACES);
    places.filter_map(|at| text.split_at_checked(at)).find_map(|(before, rest)| {
        let calls = json::whole_value(rest).and_then(|value| json::calls_in_value(&value, request))?;
        calls.iter().all(|(name, _)| is_known(name, request)).then_some((before, calls))
    })
}

/// Calls that a whole text consists of.
fn calls_of_whole_text(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    if let Some(value) = json::whole_value(text) {
        let calls = json::calls_in_value(&value, request)?;
        let is_certain = json::is_call_by_form(&value);
        return (is_certain || calls.iter().all(|(name, _)| is_known(name, request))).then_some(calls);
    }
    if let Some(calls) = python::calls_of_text(text) {
        return calls.iter().all(|(name, _)| is_known(name, request)).then_some(calls);
    }
    // `web_search {"query": "…"}`
    let (name, arguments) = text.split_at_checked(text.find('{')?)?;
    let name = plain_name(name);
    let arguments = json::whole_value(arguments).filter(Value::is_object)?;
    is_known(&name, request).then(|| vec![(name, arguments)])
}

/// What is inside a fence around the whole text.
fn inside_fence(text: &str) -> Option<&str> {
    let (_, rest) = text.strip_prefix("```")?.split_once('\n')?;
    let inner = rest.trim_end().strip_suffix("```")?;
    (!inner.contains("```")).then(|| inner.trim())
}

/// A call as agents of the form `ReAct` write it: `Action: web_search`, and behind it `Action Input: {…}`.
fn react_agent_call(marked: &MarkedText<'_>, request: &Request) -> Option<(String, Value)> {
    let at = marked.text.find("Action:")?;
    let begins_line = marked.text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    if !begins_line || marked.code.holds(at) {
        return None;
    }
    let (name, input) = marked.text.get(at..)?.strip_prefix("Action:")?.split_once("Action Input:")?;
    let name = plain_name(name);
    let input = json::first_value(input)?;
    (is_known(&name, request) && input.is_object()).then_some((name, input))
}
