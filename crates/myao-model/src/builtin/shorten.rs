//! Cuts words that are too long for a line, so that what is left does not say something else.

use myao_core::{
    text::{clip_to_tokens, estimate_tokens, is_japanese},
    worth::{ARROW, is_fragment, is_question, speaker_of},
};

use super::sentences::places_of_asides;

/// `words` in at most `room` tokens. A question that loses its end is still told as a question: without its mark it
/// would be a statement, which nobody made.
pub(super) fn shorten_to_room(words: &str, room: usize) -> String {
    let short = clip_to_tokens(words, room);
    if short == words {
        return short;
    }
    if let Some(end) = japanese_end(words, room) {
        return end;
    }
    if !(is_question(words) || words.ends_with(['?', '？'])) || is_question(&short) {
        return short;
    }
    let mark = if is_japanese(words).unwrap_or(false) { "？" } else { "?" };
    format!("{}{mark}", clip_to_tokens(words, room.saturating_sub(estimate_tokens(mark))))
}

/// The end of a Japanese sentence behind one of its commas, with its speaker: there stand its verb, and whether it is
/// denied, doubted or asked. `None` if only little of it fits, or if its end is lost already.
fn japanese_end(words: &str, room: usize) -> Option<String> {
    if !is_japanese(words)? || words.contains(ARROW) || words.ends_with('…') {
        return None;
    }
    let (speaker, said) = speaker_of(words);
    let name = if speaker.is_empty() { String::new() } else { format!("{speaker}: ") };
    let asides = places_of_asides(said);
    let commas =
        said.match_indices(['、', '，']).filter(|(at, _)| !asides.iter().any(|aside| aside.contains(at)));
    let ends = commas.filter_map(|(at, comma)| said.get(at + comma.len()..)).map(str::trim_start);
    let fits = |end: &&str| estimate_tokens(&format!("{name}…{end}")) <= room;
    let longest = ends.filter(|end| !is_fragment(end)).find(fits)?;
    let is_enough = estimate_tokens(longest) * 2 >= room.saturating_sub(estimate_tokens(&name));
    is_enough.then(|| format!("{name}…{longest}"))
}
