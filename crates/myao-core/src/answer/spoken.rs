//! What is found in the text of a model: an answer, or why there is none.

use serde_json::Value;

use crate::ports::{Request, Turn};

/// The answer in a model's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpokenAnswer {
    /// Its words, without what is around them; empty if it has none.
    pub text: String,
    /// Tools that it calls in words: name and arguments.
    pub calls: Vec<(String, Value)>,
    /// Whether the model thought in its text.
    pub thought: bool,
}

/// Why a model's text is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerFault {
    /// It is an error of a server in front of the model, in these words.
    Error(String),
    /// It is a tool call in words that nobody can carry out.
    Call,
}

/// Whether the text ended where it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEnd {
    /// The model came to an end.
    Whole,
    /// The limit of the answer cut it off.
    Cut,
}

/// Whether these words stand in what people or tools said to the model: then a text with them may quote.
pub(super) fn is_quoted_from(request: &Request, words: &str) -> bool {
    request.turns.iter().any(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => text.contains(words),
        Turn::Assistant { .. } => false,
    })
}
