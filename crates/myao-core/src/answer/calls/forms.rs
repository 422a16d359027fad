//! The forms in which models are trained to write tool calls, each with its marks.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde_json::{Map, Value};

use super::{json, python, tool_names::plain_name};
use crate::{
    answer::marks::{MarkedText, finder_of_marks, found_in},
    ports::Request,
    text::parse_json,
};

/// What begins calls.
#[rustfmt::skip] // a table
const MARKS: [&str; 25] = [
    "<tool_call>", "<|tool_call|>", "<|tool_call>", "<tool_calls>", "<|tool_call_start|>", "<tool_use>",
    "[TOOL_CALLS]", "[TOOL_REQUEST]", "functools[", "<|START_ACTION|>", "<|python_tag|>",
    "<function=", "<function_call>", "<function_calls>", "<invoke name=",
    "<minimax:tool_call>", "<longcat_tool_call>", "<seed:tool_call>",
    "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>",
    "<｜DSML｜function_calls>", "<｜DSML｜tool_calls>", "<｜DSML｜invoke",
];
static MARK_FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder_of_marks(&MARKS));
/// What ends a parameter's value.
const CLOSINGS: [&str; 3] = ["</parameter>", "</tool_call>", "</seed:tool_call>"];
/// Most values looked at in one text.
const MOST_VALUES: usize = 20;

/// Where the first mark in use begins.
pub(super) fn first_mark(marked: &MarkedText<'_>) -> Option<usize> {
    let mut found = found_in(MARK_FINDER.as_ref(), marked.text);
    found.find(|mark| marked.is_used(mark.start, mark.end)).map(|mark| mark.start)
}

/// The calls behind a mark; `None` if they cannot be read.
pub(super) fn read_marked_calls(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    let forms = [
        invoke_tags,
        function_tags,
        key_value_tags,
        separator_marks,
        name_with_arguments,
        gemma_braces,
        json_objects,
        python_notation,
    ];
    forms.iter().find_map(|form| form(text, request)).filter(|calls| !calls.is_empty())
}

/// The value of an argument that stands as plain text: a text where the tool wants one, else what JSON makes of it.
fn argument_value(name: &str, key: &str, value: &str, request: &Request) -> Value {
    let tool = request.tools.iter().find(|tool| tool.name == name);
    let kind = tool.and_then(|tool| tool.parameters.get("properties")?.get(key)?.get("type")?.as_str());
    let text = || Value::String(value.to_owned());
    if kind == Some("string") { text() } else { parse_json(value.as_bytes()).unwrap_or_else(|_| text()) }
}

/// Text between two marks, and what is behind the second one.
fn text_between<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(open)?.1.split_once(close)
}

/// `<invoke name="web_search"><parameter name="query">news</parameter></invoke>`
fn invoke_tags(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    for part in text.split("invoke name=\"").skip(1) {
        let (name, body) = part.split_once('"')?;
        let name = plain_name(name);
        let mut arguments = Map::new();
        for parameter in body.split("parameter name=\"").skip(1) {
            let (key, rest) = parameter.split_once('"')?;
            let (attributes, rest) = rest.split_once('>')?;
            let value = rest.split("</").next()?.trim_matches('\n');
            let is_text = attributes.contains("string=\"true\"");
            let value = if is_text {
                Value::String(value.to_owned())
            } else {
                argument_value(&name, key, value, request)
            };
            arguments.insert(key.to_owned(), value);
        }
        calls.push((name, Value::Object(arguments)));
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// `<function=web_search><parameter=query>news</parameter></function>`, or JSON between the tags.
fn function_tags(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    for part in text.split("<function=").skip(1) {
        let (name, body) = part.split_once('>')?;
        let name = plain_name(name);
        let body = body.split("</function>").next()?;
        let mut arguments = Map::new();
        for parameter in body.split("<parameter=").skip(1) {
            let (key, rest) = parameter.split_once('>')?;
            // Small models leave out closing tags.
            let end = CLOSINGS.iter().filter_map(|closing| rest.find(closing)).min();
            let value = rest.get(..end.unwrap_or(rest.len()))?.trim_matches('\n');
            arguments.insert(key.to_owned(), argument_value(&name, key, value, request));
        }
        let arguments = if arguments.is_empty() && !body.trim().is_empty() {
            json::first_value(body).filter(Value::is_object)?
        } else {
            Value::Object(arguments)
        };
        calls.push((name, arguments));
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// `<tool_call>web_search<arg_key>query</arg_key><arg_value>news</arg_value></tool_call>`
fn key_value_tags(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    for part in text.split("tool_call>").filter(|part| part.contains("<arg_key>")) {
        let (name, _) = part.split_once("<arg_key>")?;
        let name = plain_name(name);
        let mut arguments = Map::new();
        let mut rest = part;
        while let Some((key, behind)) = text_between(rest, "<arg_key>", "</arg_key>") {
            let (value, behind) = text_between(behind, "<arg_value>", "</arg_value>")?;
            arguments.insert(key.trim().to_owned(), argument_value(&name, key.trim(), value.trim(), request));
            rest = behind;
        }
        calls.push((name, Value::Object(arguments)));
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// `<|tool_call_begin|>functions.web_search:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` and DeepSeek's forms.
fn separator_marks(text: &str, _: &Request) -> Option<Vec<(String, Value)>> {
    let begin =
        ["<|tool_call_begin|>", "<｜tool▁call▁begin｜>"].into_iter().find(|begin| text.contains(begin))?;
    let mut calls = Vec::new();
    for part in text.split(begin).skip(1) {
        let (name, rest) = part
            .split_once("<|tool_call_argument_begin|>")
            .or_else(|| part.split_once("<｜tool▁sep｜>"))
            .or_else(|| part.split_at_checked(part.find('{')?))?;
        // Older models name the kind of the tool first: `function<｜tool▁sep｜>web_search`, then JSON in a fence.
        let name = if name == "function" { rest.lines().next().unwrap_or_default() } else { name };
        calls.push((plain_name(name), json::first_value(rest).filter(Value::is_object)?));
    }
    Some(calls)
}

/// `[TOOL_CALLS]web_search[ARGS]{…}`, once or more often.
fn name_with_arguments(text: &str, _: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    for part in text.split("[TOOL_CALLS]").skip(1) {
        let part = part.trim();
        if part.starts_with(['[', '{']) {
            return None;
        }
        let name = part.split(['[', '{']).next()?;
        calls.push((plain_name(name), json::first_value(part.get(part.find('{')?..)?)?));
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// `<|tool_call>call:web_search{query:<|"|>news<|"|>}<tool_call|>`
fn gemma_braces(text: &str, _: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    for part in text.split("call:").skip(1) {
        let (name, rest) = part.split_at_checked(part.find('{')?)?;
        let rest = rest.replace("<|\"|>", "\"");
        let mut quoted = String::new();
        let mut word = String::new();
        let mut in_text = false;
        for c in rest.chars() {
            in_text ^= c == '"';
            if !in_text && (c.is_ascii_alphanumeric() || c == '_') {
                word.push(c);
                continue;
            }
            let is_key = c == ':' && !in_text && word.starts_with(|c: char| c.is_ascii_alphabetic());
            let quote = if is_key { "\"" } else { "" };
            quoted.extend([quote, &word, quote]);
            word.clear();
            quoted.push(c);
        }
        calls.push((plain_name(name), json::first_value(&quoted)?));
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// One or more objects or lists, with anything around them.
fn json_objects(text: &str, request: &Request) -> Option<Vec<(String, Value)>> {
    let mut calls = Vec::new();
    let mut rest = text.strip_prefix("functools").unwrap_or(text);
    // The marks of Mistral have brackets of their own.
    rest = rest.strip_prefix("[TOOL_CALLS]").or_else(|| rest.strip_prefix("[TOOL_REQUEST]")).unwrap_or(rest);
    for _ in 0..MOST_VALUES {
        let Some(at) = rest.find(['{', '[']) else { break };
        let Some(value) = rest.get(at..) else { break };
        let mut stream = serde_json::Deserializer::from_str(value).into_iter::<Value>();
        let Some(Ok(found)) = stream.next() else {
            rest = value.get(1..)?;
            continue;
        };
        rest = value.get(stream.byte_offset()..)?;
        calls.extend(json::calls_in_value(&found, request).into_iter().flatten());
    }
    Some(calls).filter(|calls| !calls.is_empty())
}

/// `<|python_tag|>web_search.call(query="news")`, `<|tool_call_start|>[web_search(query="news")]<|tool_call_end|>`
fn python_notation(text: &str, _: &Request) -> Option<Vec<(String, Value)>> {
    let inner = ["<|python_tag|>", "<|tool_call_start|>", "<tool_call>"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))?;
    let inner = inner.split(['<']).next()?;
    python::calls_of_text(inner)
}
