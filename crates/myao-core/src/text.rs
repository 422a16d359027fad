//! The ground floor: what can be said about a text without knowing who wrote it, or why.
//!
//! Read in this order:
//! 1. `characters`: kinds of writing, the folded form of a text, its words and letters; `surrogates`: halves of
//!    characters in JSON; [`Language`]: the language of what we write ourselves; [`Lexicon`]: what is known of a language;
//!    `phrases`: short words of ours in it.
//! 2. `hidden`, `terminal_codes`: what nobody sees is taken out; `quoting`: words of others inside a text of ours.
//! 3. `tokens`: how many tokens a text costs; `cut`, `clip`: its beginning, where it is too long.
//! 4. `terms`: the smallest pieces by which texts are compared; `calendar`: the names of months and weekdays.
//! 5. `secrets`: what is masked, wherever it stands.

mod calendar;
mod characters;
mod clip;
mod cut;
mod hidden;
mod language;
mod lexicon;
mod phrases;
mod quoting;
mod secrets;
mod surrogates;
mod terminal_codes;
mod terms;
mod tokens;

pub(crate) use calendar::{is_day, month_of, weekday_of, weekday_of_kanji};
pub(crate) use characters::without_compatibility_forms;
pub use characters::{
    WritingSystem, english_stem, fold_for_comparison, head_of_text, is_japanese, is_japanese_char,
    letter_pairs, letters_and_digits, one_line, runs_of_one_kind, writing_system,
};
pub use clip::{clip_to_characters, clip_to_tokens};
pub use cut::cut_to_tokens;
pub(crate) use cut::missing_mark;
pub(crate) use hidden::{breaks_line, is_invisible, without_hidden_letters};
pub use hidden::{count_invisible_characters, without_invisible_characters};
pub use language::Language;
pub use lexicon::{Lexicon, LexiconFile, embedded_lexicons};
pub use phrases::{phrase, phrase_with};
pub use quoting::name_as_label;
pub(crate) use quoting::{in_line, text_behind_mark, text_under_heading};
pub use secrets::{
    MASK_BEGINS, MaskedText, kinds_in_text, mask_secrets, version_of_rules, with_secrets_masked,
};
pub use surrogates::{parse_json, whole_characters};
pub use terminal_codes::without_colour_codes;
pub(crate) use terms::{LetterKind, is_grammar, letter_kind};
pub use terms::{
    key_of_term, made_up, terms_borrowed_from, terms_not_said, terms_of_text, visit_terms_of_text,
};
pub use tokens::estimate_tokens;
