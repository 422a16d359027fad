//! Finds the answer in what a model wrote (ADR 83).
//!
//! Servers pass on what belongs to no answer: thoughts, the channels and the end marks of a model's own format, tool
//! calls in words, an error of a gateway. [`read_answer`] takes off what is around the answer, carries tool calls over,
//! and says where there is no answer at all. An answer that speaks *about* such marks keeps them.
//!
//! Read in this order: `code` and `marks` (whether a mark is in use or spoken about), then the steps in the order in
//! which a text passes them: `wrapper` with `thoughts` and `harmony`, `turns`, `own_line`, `calls`, and `errors`.

mod calls;
mod code;
mod errors;
mod harmony;
mod marks;
mod own_line;
mod thoughts;
mod turns;
mod wrapper;

use serde_json::Value;

use self::calls::SpokenCalls;
use crate::ports::{Request, ResponseFormat, Turn};

pub use own_line::without_own_name;
pub(crate) use thoughts::behind_thoughts;

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

/// Finds the answer to `request` in `raw`.
///
/// # Errors
/// When the text is no answer: an [`AnswerFault`] says what it is.
pub fn read_answer(raw: &str, request: &Request, end: TextEnd) -> Result<SpokenAnswer, AnswerFault> {
    let inner = wrapper::unwrapped(raw);
    let text = turns::first_turn(&inner.text, request);
    let mut answer = SpokenAnswer { thought: inner.thought, ..SpokenAnswer::default() };
    if asks_for_data(request) {
        answer.text = text;
    } else {
        let calls = match inner.call {
            Some(found) => Some(SpokenCalls { before: text.clone(), found }),
            None => calls::find(&text, request),
        };
        let words = match calls {
            Some(calls) => calls::carry_over(calls, request, end, &mut answer)?,
            None => text,
        };
        answer.text = own_line::first_words(&words, request);
    }
    if answer.calls.is_empty() && errors::is_error(&answer.text, request) {
        return Err(AnswerFault::Error(answer.text));
    }
    Ok(answer)
}

fn asks_for_data(request: &Request) -> bool {
    matches!(request.form, ResponseFormat::Data { .. })
}

/// Whether these words stand in what people or tools said to the model: then a text with them may quote.
fn is_quoted_from(request: &Request, words: &str) -> bool {
    request.turns.iter().any(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => text.contains(words),
        Turn::Assistant { .. } => false,
    })
}
