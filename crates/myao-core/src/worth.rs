//! Scores texts by how much they are worth keeping, by their own words.
//!
//! `points` scores a text, `lasting` what of it still counts after months, and `concrete` how concrete it is; `line`
//! does the same for a line of a memory, and `select` puts texts in order. `lexicon` names the words that they know,
//! `finder` looks for many of them at once.

mod concrete;
mod finder;
mod lasting;
mod lexicon;
mod line;
mod points;
mod select;

pub use concrete::{EVERYBODY, points_for_concreteness};
pub use finder::{WordFinder, words_with_spaces};
pub use lasting::points_if_lasting;
pub use line::{ARROW, BY_PROGRAM, is_program, points_of_line, speaker_of};
pub use points::{
    SAID, WORTH, begins_with_particle, has_number, is_announcement, is_common_word, is_decision, is_fragment,
    is_question, is_said, points_of_text, weight_of_text, without_address, words_about_matter,
};
pub use select::{Level, best_first};
