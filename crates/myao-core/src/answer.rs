//! Finds the answer in what a model wrote (ADR 83).
//!
//! Servers pass on what belongs to no answer: thoughts, the channels and the end marks of a model's own format, tool
//! calls in words, an error of a gateway. [`find_spoken_answer`] takes off what is around the answer, carries tool calls over,
//! and says where there is no answer at all. An answer that speaks *about* such marks keeps them.
//!
//! Read in this order: `code` and `marks` (whether a mark is in use or spoken about), then the steps in the order in
//! which a text passes them: `wrapper` with `thoughts` and `harmony`, `turns`, `own_line`, `calls`, and `errors`.
//! `settled` is what of an answer is certain while it is still being written.

mod calls;
mod code;
mod errors;
mod harmony;
mod inner;
mod marks;
mod own_line;
mod settled;
mod spoken;
mod thoughts;
mod turns;
mod wrapper;

use self::calls::SpokenCalls;
use crate::ports::{Request, ResponseFormat};

pub use own_line::without_own_name;
pub use settled::settled_beginning;
pub use spoken::{AnswerFault, SpokenAnswer, TextEnd};
pub(crate) use thoughts::text_behind_thoughts;

/// Finds the answer to `request` in `raw`.
///
/// # Errors
/// When the text is no answer: an [`AnswerFault`] says what it is.
pub fn find_spoken_answer(raw: &str, request: &Request, end: TextEnd) -> Result<SpokenAnswer, AnswerFault> {
    let inner = wrapper::take_wrappers_off(raw);
    let text = turns::models_own_turn(&inner.text, request);
    let mut answer = SpokenAnswer { thought: inner.thought, ..SpokenAnswer::default() };
    if asks_for_data(request) {
        answer.text = text;
    } else {
        let calls = match inner.call {
            Some(found) => Some(SpokenCalls { before: text.clone(), found }),
            None => calls::find_spoken_calls(&text, request),
        };
        let words = match calls {
            Some(calls) => calls::carry_over(calls, request, end, &mut answer)?,
            None => text,
        };
        answer.text = own_line::first_words(&words, request);
    }
    if answer.calls.is_empty() && errors::is_server_error(&answer.text, request) {
        return Err(AnswerFault::Error(answer.text));
    }
    Ok(answer)
}

fn asks_for_data(request: &Request) -> bool {
    matches!(request.form, ResponseFormat::Data { .. })
}
