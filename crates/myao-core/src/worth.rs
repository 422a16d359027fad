//! Scores texts by how much they are worth keeping, by their own words.
//!
//! `points` scores a text, `lasting` what of it still counts after months, and `concrete` how concrete it is; `line`
//! does the same for a line of a memory, and `select` puts texts in order. `lexicon` holds the words that they know,
//! `finder` looks for many of them at once.

mod concrete;
mod finder;
mod lasting;
mod lexicon;
mod line;
mod points;
mod select;

pub use concrete::{EVERYBODY, concreteness};
pub use finder::{WordFinder, spaced};
pub use lasting::lasting;
pub use lexicon::words;
pub use line::{ARROW, BY_PROGRAM, is_program, of_line, speaker_of};
pub use points::{
    SAID, WORTH, begins_with_particle, has_number, is_announcement, is_common_word, is_fragment, is_question,
    is_said, score, terms, weight, without_address,
};
pub use select::{Level, order};
