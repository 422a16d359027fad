//! Which words of a question say what is asked of a thing, and not of which thing: the price of the shelf, 棚の値段 (ADR 149).
//!
//! Texts about other things hold such a word as often, and who answers seldom repeats it. So where a question says of what
//! it asks it, the word finds nothing by itself.

mod english;
mod japanese;

use std::ops::Range;

use self::{english::english_aspects, japanese::japanese_aspects};

/// A word that says what is asked of a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedAspect<'a> {
    /// Where it stands, in bytes of the sentence.
    pub(super) place: Range<usize>,
    /// The thing of which it is asked.
    pub(super) subject: &'a str,
}

/// The aspects in a sentence that says of what they are asked.
pub(super) fn asked_aspects(sentence: &str) -> Vec<AskedAspect<'_>> {
    let mut aspects = english_aspects(sentence);
    aspects.extend(japanese_aspects(sentence));
    aspects
}

/// The sentence with blanks in these places.
pub(super) fn without_places<'a>(
    sentence: &'a str,
    places: impl Iterator<Item = &'a Range<usize>>,
) -> String {
    let mut rest = sentence.to_owned();
    for place in places {
        if let Some(word) = sentence.get(place.clone()) {
            rest.replace_range(place.clone(), &" ".repeat(word.len()));
        }
    }
    rest
}
