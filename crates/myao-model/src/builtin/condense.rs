//! Says the same in fewer words: without what people add to be polite, to begin, or to gain time (SPEC §2.1).
//!
//! Words are left out, never changed, but for Japanese endings whose plain form is known. What carries meaning stays:
//! negations, hedges (`I think`, `maybe`, 「らしい」), numbers, names, and everything in quotation marks or code.

mod english;
mod japanese;

use super::{
    score::EVERYBODY,
    sentences,
    text::{is_japanese, one_line},
};

/// The text in fewer words; empty if it has nothing but courtesies.
pub(super) fn condense(text: &str) -> String {
    let parts: Vec<String> =
        sentences::split(text).into_iter().map(sentence).filter(|s| !s.is_empty()).collect();
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            let closed = out.ends_with(['。', '？', '！', '.', '?', '!', '…']);
            out.push_str(match (is_japanese(&part), closed) {
                (Some(true), true) => "",
                (Some(true), false) => "。",
                (_, true) => " ",
                (_, false) => ". ",
            });
        }
        out.push_str(&part);
    }
    out
}

fn sentence(text: &str) -> String {
    let plain = without_smileys(without_call_to_all(text));
    let short = if is_japanese(&plain).unwrap_or(false) {
        japanese::condense(&plain)
    } else {
        english::condense(&plain)
    };
    let bare = short.trim_end_matches(['。', '！', '!', '．', '～', '〜', '♪', '☆', ' ', '、', ',']);
    let bare = if bare.ends_with("..") || bare.ends_with("etc.") { bare } else { bare.trim_end_matches('.') };
    one_line(bare)
}

/// Signs that people draw faces with, as words of their own: `:)`, `;-D`, `^^`, `orz`.
fn without_smileys(text: &str) -> String {
    let is_face = |word: &str| {
        let count = word.chars().count();
        let signs = word.chars().all(|c| ":;=-^'()[]/\\|DPpOo03<>*_xX".contains(c));
        let eyes = word.starts_with([':', ';', '=', '^']) || word == "<3" || word == "xD" || word == "XD";
        (2..=4).contains(&count) && signs && eyes
    };
    text.split(' ').filter(|word| !is_face(word)).collect::<Vec<_>>().join(" ")
}

/// A sentence without `@channel` and the like at its beginning.
fn without_call_to_all(text: &str) -> &str {
    let called =
        text.strip_prefix('@').and_then(|rest| EVERYBODY.iter().find_map(|all| rest.strip_prefix(all)));
    called
        .filter(|rest| rest.starts_with([' ', ',', ':', '、']))
        .map_or(text, |rest| rest.trim_start_matches([' ', ',', ':', '、']))
}
