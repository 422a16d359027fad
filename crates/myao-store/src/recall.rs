//! Indexes messages and memories so that they can be found again (specification §5, ADR 42).
//!
//! A row of the index is a message or the text of a channel's memory, and holds the hashes of its terms; it changes in
//! the same transaction as what it indexes. Only addresses are read out of it: words come from the archive and the
//! memories, as they stand, through a `Visibility`. If a model of embeddings is configured, the meaning of each message
//! is stored beside it (`embeddings`, ADR 43), and `near` compares those.
//!
//! A search (`search`) is a chain of steps, in this order:
//! 1. plan: `plan` says what is looked for, with `named` for the people that the words name; `term_lookups` says which
//!    terms are looked up where, by where rows stand (`apart`) and how common terms are (`samples`).
//! 2. look up: `found_rows` asks the index for addresses (`postings`).
//! 3. read: `candidates` reads what stands there (`texts`), who speaks (`speakers`) and in which conversation (`units`).
//! 4. rank: `ranking`, by the core's rules.
//! 5. fuse: `fusion` makes one list of what was found in several ways.
//!
//! `house_words` adds what messages explain of the words of a question, and what is found by what they mean (ADR 137).
//!
//! `recent` answers a query without words, `typed` one whose words nothing says; `to_show` adds what it takes to show hits;
//! `around` reads what stands beside them, `put_right` what people put right of what they say.

mod address;
mod apart;
mod around;
mod as_of;
mod bearing;
mod build;
mod candidates;
mod changed;
mod damage;
mod dictionary;
mod embeddings;
mod ends;
mod found_rows;
mod fusion;
mod house_word_ends;
mod house_words;
mod index;
mod lines;
mod moving;
mod named;
mod near;
mod own_words;
mod people;
mod people_as_of;
mod plan;
mod postings;
mod put_right;
mod ranking;
pub(crate) mod recent;
mod renamed;
mod request;
mod samples;
pub(crate) mod search;
mod searchable;
mod single;
mod sources;
mod speakers;
mod term_lookups;
mod texts;
mod to_show;
mod typed;
mod units;
pub(crate) mod word_counts;

use crate::Store;
pub(crate) use around::surroundings_of_hits;
pub(crate) use as_of::{EndedChapters, ended_chapters, ends_as_of};
pub use build::IndexProgress;
pub(crate) use build::{IndexPass, MemoryLines, lines_are_written};
pub use changed::{LineChange, LineChanges};
pub use embeddings::{EmbeddingProgress, UnembeddedText};
pub use ends::{EndedLine, LineEnd};
pub(crate) use fusion::join_both_lists;
pub use house_word_ends::HouseWordEnd;
pub use house_words::{BearingHouseWord, HouseWordQuery, StoredHouseWord};
pub(crate) use index::{
    RecallChanges, UnindexedVersions, drop_channel, drop_memories, number_channel, number_of, put_memory,
};
pub(crate) use lines::{day_of_row, ended_lines_of_steps, line_texts_by_number};
pub(crate) use named::put_parts;
pub(crate) use near::VectorCache;
pub use people::{PersonLine, PersonLines};
pub(crate) use people::{best_lines, move_lines};
pub(crate) use people_as_of::best_lines_as_of;
pub(crate) use put_right::mark_what_was_put_right;
pub use recent::MOST_OF_A_CHANNEL;
pub(crate) use renamed::renamed_among;
pub use request::{QuestionVector, RecallRequest, Recalled};
pub(crate) use search::{FoundForQuestion, search_with_house_words};
pub use searchable::Searchable;
pub use texts::{MemoryLine, RecalledText};
pub use to_show::{MentionsOf, RecallToShow};
pub use typed::{TypedRecall, WordInstead};

/// What finds messages and memories again: the index, embeddings, and how often each term is said.
///
/// [`Store::recall`] gives it.
#[derive(Debug)]
pub struct RecallHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What finds messages and memories again: the index, embeddings, and how often each term is said.
    pub fn recall(&self) -> RecallHandle<'_> {
        RecallHandle { store: self }
    }
}
