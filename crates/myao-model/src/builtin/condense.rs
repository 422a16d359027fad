//! Shortens sentences: leaves out what people add to be polite, to begin, or to gain time (specification §2.1).
//!
//! Words are left out, never changed, except Japanese endings whose plain form is known. What carries meaning stays:
//! negations, hedges (`I think`, `maybe`, 「らしい」), numbers, names, and everything in quotation marks or code.

mod english;
mod japanese;

use myao_core::{
    text::{is_japanese, one_line},
    worth::EVERYBODY,
};

/// A sentence in fewer words; empty if it consists of courtesies only.
pub(super) fn condense(sentence: &str) -> String {
    let plain = without_smileys(without_call_to_all(sentence));
    let short = if is_japanese(&plain).unwrap_or(false) {
        japanese::condense(&plain)
    } else {
        english::condense(&plain)
    };
    let bare = short.trim_end_matches(['。', '！', '!', '．', '～', '〜', '♪', '☆', ' ', '、', '，', ',']);
    let bare = if bare.ends_with("..") || bare.ends_with("etc.") { bare } else { bare.trim_end_matches('.') };
    one_line(bare.trim_start_matches(['、', '，', '。']))
}

/// A text without faces that stand as words of their own: `:)`, `;-D`, `^^`. `==`, `=>` and `:=` are no faces.
fn without_smileys(text: &str) -> String {
    text.split(' ').filter(|word| !is_face(word)).collect::<Vec<_>>().join(" ")
}

fn is_face(word: &str) -> bool {
    let mouth = |mouth: &str, mouths: &str| !mouth.is_empty() && mouth.chars().all(|c| mouths.contains(c));
    let eyes =
        |eyes: [char; 2]| word.strip_prefix(eyes).map(|rest| rest.strip_prefix(['-', '\'']).unwrap_or(rest));
    matches!(word, "<3" | "^^" | "^_^" | "xD" | "XD")
        || eyes([':', ';']).is_some_and(|rest| mouth(rest, ")(DPpOo|/*"))
        || eyes(['=', '=']).is_some_and(|rest| mouth(rest, ")(DP"))
}

/// A sentence without `@channel` and the like at its beginning.
fn without_call_to_all(text: &str) -> &str {
    let called =
        text.strip_prefix('@').and_then(|rest| EVERYBODY.iter().find_map(|all| rest.strip_prefix(all)));
    called
        .filter(|rest| rest.starts_with([' ', ',', ':', '、']))
        .map_or(text, |rest| rest.trim_start_matches([' ', ',', ':', '、']))
}
