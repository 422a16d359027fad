//! Finds again what was said: how texts become the terms of an index, what a question asks for, and which of the
//! messages and memories that were found come first (specification §5).
//!
//! Read in this order:
//! 1. `fold`: letters as they are compared: width, case and kana do not matter.
//! 2. `terms`: the terms under which a text is found.
//! 3. `question`: what is looked for, and which of its terms are looked up in an index; `filter`: by whom, where and
//!    when it was said.
//! 4. `query`: a query as people type it; `phrase`: the form in which its phrases are compared; `day`: days as people name them; `meant`: whom a name means; `named`: which
//!    people and days a question names; `question_owner`: whose thing it asks for; `called_person`, `questioner`: how much what
//!    was found bears on that; `kanji_number`: numbers in kanji.
//!    `dictionary`, `typed`: which words are said that begin as what was typed, or are near it.
//! 5. `rank`: which of what was found comes first, and `weights`: what counts for it; `evidence`: how much a term tells,
//!    `everyday`: words that tell nothing; `script`: where words that are written without spaces end; `whole_words`: 京都
//!    and not 東京都.
//! 6. `highlight`: where in a text stands what was asked for; `passage`, `snippet`: which part of the text shows it.
//! 7. `relevance`: what is looked up for a prompt without being asked for; `recall_floor`: what of it a prompt may show; `asked_shares`: how much
//!    each word is of what is asked; `asked_aspects`: which words say what is asked and not of which thing; `sentence_names`: what a Japanese sentence names.
//! 8. `recalled`: something that was found; `exchange`: what is shown around a message that was found; `message_ends`:
//!    which of the messages that were found a later one replaced.
//! 9. [`brief`]: what somebody missed who was away.
//! 10. `sources`: which messages a line of a memory was made from; `line_as_said`: whether it repeats one to the letter.
//! 11. `house_words`: abbreviations and nicknames that people explain in talk, and questions in the words that they mean;
//!     `renamed`: people who were called otherwise before.
//! 12. `embedded`, `vector`: what a text means, as numbers; `nearest`: which texts mean about the same; `fuse`: makes
//!     one list out of two.

mod as_of;
mod asked_aspects;
mod asked_shares;
pub mod brief;
mod called_person;
mod counts;
mod day;
mod dictionary;
mod embedded;
mod everyday;
mod evidence;
mod exchange;
mod filter;
mod questioner;

mod fold;
mod fuse;
mod highlight;
mod house_words;
mod kanji_number;
mod line_as_said;
mod meant;
mod message_ends;
mod named;
mod nearest;
mod passage;
mod phrase;
mod query;
mod question;
mod question_owner;
mod rank;
mod recall_floor;
mod recalled;
mod relevance;
mod renamed;
mod script;
mod sentence_names;
mod snippet;
mod sources;
mod terms;
mod typed;
mod vector;
mod weights;
mod whole_words;

pub use as_of::{AsOfError, parse_as_of};
pub use called_person::CalledPerson;
pub use day::{DayRange, start_of_last_days};
pub use dictionary::{is_dictionary_word, katakana_key, katakana_words};
pub use embedded::{EmbeddedText, words_of_message, words_to_embed};
pub use exchange::{EXCHANGE_SECONDS, ExchangeMessage, LOOKED_AT, exchange_around_hit, is_of_one_exchange};
pub use filter::RecallFilter;
pub use fold::FoldedText;
pub use fuse::fuse_ranked_lists;
pub use highlight::Highlighter;
pub use house_words::{
    HouseWord, HouseWordForm, HouseWordState, SaidHouseWord, asks_for_meaning, holds_one_of_names,
    house_words_in, index_terms_of_house_words, index_terms_of_question, question_in_other_words,
    states_of_house_words,
};
pub use line_as_said::LineAsSaid;
pub use meant::{FormerName, NamedPeople};
pub use message_ends::ends_of_messages;
pub use named::{NamedInQuestion, name_parts, plain_name};
pub use nearest::{NearVector, VectorKey, VectorSet};
pub use query::{QueryError, RecallQuery};
pub use question::{COMMON, IndexSize, RecallQuestion, TermLookups};
pub use question_owner::QuestionOwner;
pub use questioner::{FoundWords, Questioner, ToldOf};
pub use rank::{ConversationUnit, Matches, Postings, RankedText, RecallCandidate, TalkAround, UnitPlaces};
pub use recall_floor::{HeldEvidence, RecallFloorCandidate, has_recall_floor, is_above_recall_floor};
pub use recalled::{RecalledItem, RecalledWords};
pub use relevance::words_to_recall;
pub use renamed::{NamePair, RenamedPerson, bare_name};
pub use snippet::{SNIPPET_COLUMNS, Snippet};
pub use sources::{SourceCandidate, SourceCandidates};
pub use terms::{IndexTerm, Term, WordStems, terms_in_order, terms_to_index};
pub use typed::{SaidWord, TypedWord, TypedWords, WordRange};
pub use vector::TextVector;
pub use weights::{RankParts, RankWeights};
