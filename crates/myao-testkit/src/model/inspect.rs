//! Checks that every request has to pass, whatever the test is about.

use std::iter::once;

use myao_core::{
    ports::Request,
    text::{count_invisible_characters, estimate_tokens, with_secrets_masked},
};

use super::text_of_turn;

/// All texts of a request: the dialogue in its order, then the system prompt.
pub(super) fn texts_of_request(request: &Request) -> impl Iterator<Item = &str> {
    request.turns.iter().map(text_of_turn).chain(once(request.system.as_str()))
}

/// The request's length, in estimated tokens.
pub(super) fn estimated_tokens(request: &Request) -> usize {
    texts_of_request(request).map(estimate_tokens).sum()
}

/// What is wrong with a request, if anything is.
pub(super) fn what_is_wrong(request: &Request, budget: usize) -> Option<String> {
    let tokens = estimated_tokens(request);
    let last = request.turns.last().map(text_of_turn);
    if request.system.trim().is_empty() {
        Some("the system prompt is empty".to_owned())
    } else if last.is_none_or(|text| text.trim().is_empty()) {
        Some("there is nothing to answer: no turn, or an empty one at the end".to_owned())
    } else if request.target_tokens == 0 {
        Some("an answer of 0 tokens is asked for".to_owned())
    } else if texts_of_request(request).any(|text| text.contains('\0')) {
        Some("it holds a NUL byte, which no database and few providers take".to_owned())
    } else if texts_of_request(request).any(|text| count_invisible_characters(text) > 0) {
        Some("it holds characters that nobody sees".to_owned())
    } else if texts_of_request(request).any(|text| with_secrets_masked(text) != text) {
        Some("it holds a secret".to_owned())
    } else if tokens > budget {
        Some(format!("it holds about {tokens} tokens, the budget is {budget}"))
    } else {
        None
    }
}
