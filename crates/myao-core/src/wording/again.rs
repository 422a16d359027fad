//! What a model is told whose answer cannot be used: to write it again, shorter, as data, or without tools.

use serde_json::json;

use crate::{
    ports::{Request, Turn},
    text::{Language, cut_to_tokens, phrase, phrase_with},
};

/// Asks a model whose answer was cut off to write it again within `tokens` (specification §2.2 Guard).
pub(crate) fn ask_shorter(language: Language, tokens: u32) -> String {
    phrase_with(language, "ask-shorter", &json!({ "tokens": tokens }))
}

/// Asks a model that has used up its tool calls to answer now (specification §4).
pub fn ask_without_tools(language: Language) -> String {
    phrase(language, "ask-without-tools").to_owned()
}

/// How many tokens are shown of an answer that cannot be read as data; `PROBLEM_TOKENS` is the same for the parser's
/// message.
const SHOWN_TOKENS: usize = 200;
const PROBLEM_TOKENS: usize = 100;

/// The same request once more, after an `answer` that cannot be read as data; `problem` is the parser's message. The
/// new request is at most 400 tokens longer than the first, however long the answer is.
pub fn ask_for_repair(request: &Request, answer: &str, problem: &str) -> Request {
    let mut again = request.clone();
    let text = cut_to_tokens(answer, SHOWN_TOKENS, request.language);
    let problem = cut_to_tokens(problem, PROBLEM_TOKENS, request.language);
    again.turns.push(Turn::Assistant { text, calls: Vec::new(), thoughts: Vec::new() });
    again.turns.push(Turn::User(ask_again_for_data(request.language, &problem)));
    again
}

fn ask_again_for_data(language: Language, problem: &str) -> String {
    phrase_with(language, "ask-for-data", &json!({ "problem": problem }))
}
