//! Cuts words that are too long for a line, so that what is left does not say something else.

use myao_core::{
    prompt::{clip, estimate_tokens},
    text::is_japanese,
    worth::is_question,
};

/// `words` in at most `room` tokens. A question that loses its end is still told as a question: without its mark it
/// would be a statement, which nobody made.
pub(super) fn shorten(words: &str, room: usize) -> String {
    let short = clip(words, room);
    if short == words || !is_question(words) || is_question(&short) {
        return short;
    }
    let mark = if is_japanese(words).unwrap_or(false) { "？" } else { "?" };
    format!("{}{mark}", clip(words, room.saturating_sub(estimate_tokens(mark))))
}
