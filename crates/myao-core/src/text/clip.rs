//! Cuts Japanese and English text to a length.

use super::{characters::head_of_text, tokens::estimate_tokens};

/// The most characters that a token has on average, so that only so much of a text has to be measured.
const CHARS_PER_TOKEN: usize = 12;
/// The mark of a text cut short.
const CUT: char = '…';

/// `text` if it has at most `most` tokens, else its beginning, cut at a word or clause if possible, with a `…`.
pub fn clip_to_tokens(text: &str, most: usize) -> String {
    let start = head_of_text(text, most.saturating_add(1).saturating_mul(CHARS_PER_TOKEN));
    if start.len() == text.len() && estimate_tokens(text) <= most {
        return text.to_owned();
    }
    let ends: Vec<usize> = start.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let cut_at = |count: usize| {
        let end = count.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        start.get(..end).unwrap_or_default()
    };
    let fits = |count: &usize| estimate_tokens(&format!("{}{CUT}", cut_at(*count))) <= most;
    let mut low = 0;
    let mut high = ends.len();
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(&middle) { low = middle } else { high = middle - 1 }
    }
    let kept = back_to_boundary(cut_at(low));
    let bare = kept.trim_end_matches(|c: char| c.is_whitespace() || "、,。.…・:：;(（「『".contains(c));
    format!("{bare}{CUT}")
}

/// `text` if it has at most `most` characters, else so many of them, the last one a `…`.
pub fn clip_to_characters(text: &str, most: usize) -> String {
    if head_of_text(text, most).len() == text.len() {
        return text.to_owned();
    }
    format!("{}{CUT}", head_of_text(text, most.saturating_sub(1)))
}

/// The text without its last word or clause, which is incomplete, unless that is more than a quarter of the text.
fn back_to_boundary(text: &str) -> &str {
    let is_boundary = |c: char| c.is_whitespace() || "、。，！？!?」』）)".contains(c);
    let keep = text.len() / 4 * 3;
    let boundary = text.char_indices().rev().find(|(_, c)| is_boundary(*c));
    match boundary {
        Some((at, c)) if at >= keep => text.get(..at + c.len_utf8()).unwrap_or(text),
        Some(_) | None => text,
    }
}
