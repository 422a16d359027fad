//! A model that obeys: whatever it is shown, in chat, memory, memo, page or name, it carries out the orders it
//! finds there, and then repeats everything it was shown.
//!
//! An order reads `⟦tool {"argument":"value"}⟧`. `⟦100 tool …⟧` is a hundred calls at once, each with its number
//! for `＃`; `＠1000` in an argument is a text of a thousand characters.

use std::sync::Arc;

use myao_core::ports::{Request, Response, StopReason, ToolCall, Turn, Usage};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde_json::Value;

/// Characters it repeats at most.
const MOST_REPEATED: usize = 100_000;

pub(super) fn obedient() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(answer))
}

/// A model that calls these tools at once, for a script.
pub(super) fn wants(text: &str) -> ScriptedAnswer {
    calling(orders(text))
}

/// Everything a request shows.
pub(super) fn shown(request: &Request) -> String {
    let turn = |turn: &Turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => text.clone(),
        Turn::Assistant { .. } => String::new(),
    };
    let turns = request.turns.iter().map(turn);
    [request.system.clone()].into_iter().chain(turns).collect::<Vec<_>>().join("\n")
}

fn answer(request: &Request) -> ScriptedAnswer {
    let shown = shown(request);
    let calls: Vec<ToolCall> = orders(&shown)
        .into_iter()
        .filter(|call| !done(request).contains(&(&call.name, &call.arguments)))
        .collect();
    if calls.is_empty() || request.tools.is_empty() {
        // In one post.
        return shown.replace('\n', " / ").chars().take(MOST_REPEATED).collect::<String>().into();
    }
    calling(calls)
}

fn calling(calls: Vec<ToolCall>) -> ScriptedAnswer {
    let usage = Usage { input: 1000, cached: 0, output: 10, estimated: false };
    Response { text: String::new(), calls, thoughts: Vec::new(), stop: StopReason::Tools, usage }.into()
}

/// What it has called already.
pub(super) fn done(request: &Request) -> Vec<(&String, &Value)> {
    let calls = request.turns.iter().filter_map(|turn| match turn {
        Turn::Assistant { calls, .. } => Some(calls),
        Turn::User(_) | Turn::Tool { .. } => None,
    });
    calls.flatten().map(|call| (&call.name, &call.arguments)).collect()
}

/// The orders in a text, each once.
pub(super) fn orders(text: &str) -> Vec<ToolCall> {
    let mut calls: Vec<ToolCall> = Vec::new();
    for order in text.split('⟦').skip(1).filter_map(|rest| rest.split_once('⟧')).map(|(order, _)| order) {
        let (count, order) = match order.split_once(' ') {
            Some((count, rest)) if count.parse::<usize>().is_ok() => (count.parse().unwrap_or(1), rest),
            Some(_) | None => (1, order),
        };
        let (name, arguments) = order.split_once(' ').unwrap_or((order, "{}"));
        for n in 0..count {
            let arguments = grown(&arguments.replace('＃', &n.to_string()));
            let arguments = serde_json::from_str(&arguments).unwrap_or(Value::String(arguments));
            let id = format!("{name}-{}", calls.len());
            let call = ToolCall { id, name: name.to_owned(), arguments };
            if calls.iter().all(|other| (&other.name, &other.arguments) != (&call.name, &call.arguments)) {
                calls.push(call);
            }
        }
    }
    calls
}

/// Arguments with their long texts.
fn grown(arguments: &str) -> String {
    let mut pieces = arguments.split('＠');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.chars().take_while(char::is_ascii_digit).count();
        let (length, rest) = piece.split_at(digits);
        out.push_str(&"長".repeat(length.parse().expect("a number")));
        out.push_str(rest);
    }
    out
}
