//! Turns a request's turns into messages of alternating roles, as providers take them.

use myao_core::ports::{Request, Thought, ToolCall, Turn};

use super::catalog::Protocol;

/// Parts of the names of Mistral's models, on any server.
const MISTRALS: [&str; 2] = ["stral", "xtral"];
/// A message of the model that is put between tool results and words of ours: Mistral accepts no user after a tool.
const SEEN: &str = "OK.";

/// One message.
#[derive(Debug)]
pub(super) enum DialogueMessage<'a> {
    /// Words of ours.
    Ours(String),
    /// The results of tools, by the id of the call; for Anthropic with words of ours behind them.
    Results { results: Vec<(&'a str, &'a str)>, words: Vec<&'a str> },
    /// The model's words and calls, and its thoughts before them.
    Model { text: &'a str, calls: &'a [ToolCall], thoughts: &'a [Thought] },
}

/// The messages of a request, oldest first. Consecutive turns of one role are one message; empty turns, which no
/// provider accepts, are left out.
pub(super) fn messages_of_request<'a>(
    request: &'a Request,
    protocol: Protocol,
    model: &str,
) -> Vec<DialogueMessage<'a>> {
    let is_mistral = MISTRALS.iter().any(|name| model.to_lowercase().contains(name));
    let mut messages: Vec<DialogueMessage<'a>> = Vec::new();
    for turns in request.turns.chunk_by(|one, next| is_one_message(one, next, protocol)) {
        let Some(message) = message_of_turns(turns) else { continue };
        let follows_results = matches!(messages.last(), Some(DialogueMessage::Results { .. }));
        if is_mistral && follows_results && matches!(message, DialogueMessage::Ours(_)) {
            messages.push(DialogueMessage::Model { text: SEEN, calls: &[], thoughts: &[] });
        }
        messages.push(message);
    }
    messages
}

/// Whether two turns belong to one message. Some servers require that roles alternate, and all want the results of one
/// turn's calls together; with Anthropic, results have the role of the user.
fn is_one_message(one: &Turn, next: &Turn, protocol: Protocol) -> bool {
    match (one, next) {
        (Turn::User(_), Turn::User(_)) | (Turn::Tool { .. }, Turn::Tool { .. }) => true,
        (Turn::Tool { .. }, Turn::User(_)) => protocol == Protocol::Anthropic,
        _ => false,
    }
}

fn message_of_turns(turns: &[Turn]) -> Option<DialogueMessage<'_>> {
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

/// The name of the tool that was called under this id; empty if none was.
pub(super) fn tool_of<'a>(id: &str, request: &'a Request) -> &'a str {
    let calls = request.turns.iter().filter_map(|turn| match turn {
        Turn::Assistant { calls, .. } => Some(calls),
        Turn::User(_) | Turn::Tool { .. } => None,
    });
    calls.flatten().find(|call| call.id == id).map_or("", |call| &call.name)
}
