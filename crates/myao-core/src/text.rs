//! The ground floor: what can be said about a text without knowing who wrote it, or why.
//!
//! Read in this order:
//! 1. `characters`: kinds of writing, the folded form of a text, its words and letters; `surrogates`: halves of
//!    characters in JSON; [`Language`]: the language of what we write ourselves.
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
mod quoting;
mod secrets;
mod surrogates;
mod terminal_codes;
mod terms;
mod tokens;

pub(crate) use calendar::{is_day, month_of, weekday_of, weekday_of_kanji};
pub(crate) use characters::resolved;
pub use characters::{
    WritingSystem, class, fold, head, is_japanese, is_japanese_char, letters, one_line, pairs, runs, stem,
};
pub use clip::clip;
pub use cut::cut;
pub(crate) use cut::missing;
pub(crate) use hidden::{breaks_line, is_invisible, without_hidden_letters};
pub use hidden::{hidden_in, without_hidden};
pub use language::Language;
pub use quoting::label;
pub(crate) use quoting::{body, hanging, in_line};
pub use secrets::{MASK_BEGINS, masked, secret_kinds, secret_rules};
pub use surrogates::{parse_json, whole_characters};
pub use terminal_codes::without_codes;
pub(crate) use terms::{LetterKind, is_grammar, letter_kind};
pub use terms::{borrowed, made_up, term_key, terms, unspoken};
pub use tokens::estimate_tokens;
