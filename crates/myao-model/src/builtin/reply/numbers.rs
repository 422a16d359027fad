//! Finds the number of a thing where nobody says "number": `locker 31`, ロッカーは31番です.

use myao_core::{
    text::{Lexicon, english_stem},
    worth::words_with_spaces,
};

use super::topics::is_word;

static LINKS: Lexicon = Lexicon::english("topics.number_links");
static LINKS_JAPANESE: Lexicon = Lexicon::japanese("topics.number_links");
static ENDS_JAPANESE: Lexicon = Lexicon::japanese("topics.number_ends");

/// Whether a folded text gives a thing a number; `thing` is the stem of an English word, or letters without spaces.
pub(super) fn has_number_of(folded: &str, thing: &str) -> bool {
    if thing.is_ascii() { has_spaced_number(folded, thing) } else { has_unspaced_number(folded, thing) }
}

/// `locker 31`, `locker no. 31`, `my locker is 31`; not `my locker is 5 years old`.
fn has_spaced_number(folded: &str, thing: &str) -> bool {
    let spaced = words_with_spaces(folded);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let things = words.iter().enumerate().filter(|(_, word)| english_stem(word) == thing);
    things.map(|(at, _)| words.get(at + 1..).unwrap_or_default()).any(|behind| {
        let mut rest = behind.iter().skip_while(|word| LINKS.contains(word));
        let is_number = rest.next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()));
        is_number && rest.next().is_none_or(|next| !is_word(next))
    })
}

/// ロッカー31番, ロッカーは31です; not ロッカーは31日から.
fn has_unspaced_number(folded: &str, thing: &str) -> bool {
    folded.match_indices(thing).any(|(at, found)| {
        let behind = folded.get(at + found.len()..).unwrap_or_default();
        let link = LINKS_JAPANESE.words().find_map(|link| behind.strip_prefix(link)).unwrap_or(behind);
        let number = link.trim_start_matches([' ', ':', '#']);
        let rest = number.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
        let digits = number.get(..number.len() - rest.len()).unwrap_or_default();
        digits.contains(|c: char| c.is_ascii_digit())
            && (rest.is_empty() || ENDS_JAPANESE.words().any(|end| rest.starts_with(end)))
    })
}
