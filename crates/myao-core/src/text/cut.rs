//! Cuts a text that is too long at the end of a sentence, and adds a mark that says how much is missing.

use serde_json::json;

use super::{language::Language, phrases::phrase_with, tokens::estimate_tokens};

/// What is shown where not even the mark has room.
const NOTHING: &str = "…";
/// A sentence that is longer than the room is cut into pieces of this many characters.
const PIECE_CHARS: usize = 32;
/// A cut behind a sentence may leave at most one part in this many of the room empty.
const MOST_EMPTY: usize = 2;

/// `text` if it has at most `tokens` (estimated), else as much of its beginning as fits together with a mark that says
/// how many characters are missing. The beginning ends behind a sentence, unless that would leave more than half of the
/// room empty. Where not even the mark has room, the result is `…`.
pub fn cut_to_tokens(text: &str, tokens: usize, language: Language) -> String {
    if estimate_tokens(text) <= tokens {
        return text.to_owned();
    }
    let all = text.chars().count();
    let Some(room) = tokens.checked_sub(estimate_tokens(&missing_mark(language, all))) else {
        return NOTHING.to_owned();
    };
    let (mut end, left) = bytes_that_fit(sentences_of_text(text), room);
    if left > room / MOST_EMPTY {
        end += bytes_that_fit(pieces_of_text(text.get(end..).unwrap_or_default()), left).0;
    }
    let (shown, rest) = text.split_at(end);
    format!("{}{}", shown.trim_end(), missing_mark(language, rest.chars().count()))
}

/// The mark behind a text of which `characters` are not shown.
pub(crate) fn missing_mark(language: Language, characters: usize) -> String {
    phrase_with(language, "talk-missing", &json!({ "characters": characters }))
}

/// How many bytes of the pieces fit into `room`, and how much room is left. A text costs at most the sum of its pieces.
fn bytes_that_fit(pieces: impl Iterator<Item = impl AsRef<str>>, room: usize) -> (usize, usize) {
    let mut bytes = 0;
    let mut left = room;
    for piece in pieces {
        let Some(rest) = left.checked_sub(estimate_tokens(piece.as_ref())) else { break };
        (bytes, left) = (bytes + piece.as_ref().len(), rest);
    }
    (bytes, left)
}

fn sentences_of_text(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '!' | '?' | '\n');
    text.split_inclusive(ends).flat_map(|part| part.split_inclusive(". "))
}

fn pieces_of_text(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(PIECE_CHARS).map_or(rest.len(), |(at, _)| at);
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}
