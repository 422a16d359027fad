//! Indexes messages and memories so that they can be found again (specification §5, ADR 42).
//!
//! A row of the index is a message or the text of a channel's memory, and holds the hashes of its terms; it changes in
//! the same transaction as what it indexes. Only addresses are read out of it: words come from the archive and the
//! memories, as they stand, through a `Visibility`. If a model of embeddings is configured, the meaning of each message
//! is stored beside it (`embeddings`, ADR 43); `near` searches those, and `fusion` joins the results of both searches
//! into one list.

mod address;
mod apart;
mod around;
mod bearing;
mod build;
mod damage;
mod dictionary;
mod embeddings;
mod ends;
mod fusion;
mod index;
mod lines;
mod moving;
mod named;
mod near;
mod own_words;
mod people;
mod postings;
pub(crate) mod recent;
mod request;
mod samples;
pub(crate) mod search;
mod searchable;
mod single;
mod sources;
mod speakers;
mod texts;
mod typed;
mod units;
pub(crate) mod word_counts;

use crate::Store;
pub(crate) use around::surroundings_of_hits;
pub use build::IndexProgress;
pub(crate) use build::{IndexPass, MemoryLines, lines_are_written};
pub use embeddings::{EmbeddingProgress, UnembeddedText};
pub use ends::{EndedLine, LineEnd};
pub(crate) use index::{RecallChanges, drop_channel, drop_memories, number_channel, number_of, put_memory};
pub(crate) use lines::{day_of_row, ended_lines_of_steps, line_texts_by_number};
pub(crate) use named::put_parts;
pub(crate) use near::VectorCache;
pub use people::{PersonLine, PersonLines};
pub(crate) use people::{best_lines, move_lines};
pub use recent::MOST_OF_A_CHANNEL;
pub use request::{QuestionVector, RecallRequest, Recalled};
pub(crate) use search::search_words_and_meaning;
pub use searchable::Searchable;
pub use texts::{MemoryLine, RecalledText};
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
