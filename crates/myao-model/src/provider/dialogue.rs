//! A request's turns as the messages that providers take: one speaker after the other.

use myao_core::ports::{Request, Thought, ToolCall, Turn};

use super::catalog::Protocol;

/// What Mistral's models are called, wherever they are served.
const MISTRALS: [&str; 2] = ["stral", "xtral"];
/// Mistral's word on results when the next one is ours: it takes no user after a tool.
const SEEN: &str = "OK.";

/// One message.
#[derive(Debug)]
pub(super) enum DialogueMessage<'a> {
    /// What we say.
    Ours(String),
    /// What tools gave back, by call; for Anthropic with words of ours behind them.
    Results { results: Vec<(&'a str, &'a str)>, words: Vec<&'a str> },
    /// What the model said, and what it thought before.
    Model { text: &'a str, calls: &'a [ToolCall], thoughts: &'a [Thought] },
}

/// The messages of a request, oldest first. Turns of one speaker are one message, and what is empty is none, which
/// no provider takes.
pub(super) fn messages<'a>(
    request: &'a Request,
    protocol: Protocol,
    model: &str,
) -> Vec<DialogueMessage<'a>> {
    let is_mistral = MISTRALS.iter().any(|name| model.to_lowercase().contains(name));
    let mut messages: Vec<DialogueMessage<'a>> = Vec::new();
    for turns in request.turns.chunk_by(|one, next| is_one_message(one, next, protocol)) {
        let Some(message) = message(turns) else { continue };
        let follows_results = matches!(messages.last(), Some(DialogueMessage::Results { .. }));
        if is_mistral && follows_results && matches!(message, DialogueMessage::Ours(_)) {
            messages.push(DialogueMessage::Model { text: SEEN, calls: &[], thoughts: &[] });
        }
        messages.push(message);
    }
    messages
}

/// Some servers insist that roles alternate, and all want the results of one turn's calls together; Anthropic's
/// results are a user's.
fn is_one_message(one: &Turn, next: &Turn, protocol: Protocol) -> bool {
    match (one, next) {
        (Turn::User(_), Turn::User(_)) | (Turn::Tool { .. }, Turn::Tool { .. }) => true,
        (Turn::Tool { .. }, Turn::User(_)) => protocol == Protocol::Anthropic,
        _ => false,
    }
}

fn message(turns: &[Turn]) -> Option<DialogueMessage<'_>> {
    let mut words: Vec<&str> = Vec::new();
    let mut results = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(text) => words.push(text),
            Turn::Tool { call, text } => results.push((call.as_str(), text.as_str())),
            Turn::Assistant { text, calls, thoughts } => {
                let is_empty = text.is_empty() && calls.is_empty();
                return (!is_empty).then_some(DialogueMessage::Model { text, calls, thoughts });
            }
        }
    }
    Some(if results.is_empty() {
        DialogueMessage::Ours(words.join("\n\n"))
    } else {
        DialogueMessage::Results { results, words }
    })
}

/// The tool that was called under this id; empty where none was.
pub(super) fn tool_of<'a>(id: &str, request: &'a Request) -> &'a str {
    let calls = request.turns.iter().filter_map(|turn| match turn {
        Turn::Assistant { calls, .. } => Some(calls),
        Turn::User(_) | Turn::Tool { .. } => None,
    });
    calls.flatten().find(|call| call.id == id).map_or("", |call| &call.name)
}
