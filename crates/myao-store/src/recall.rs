//! The index by which messages and memories are found again (SPEC §5, ADR 42).
//!
//! A row of it is a message or the text of a channel's memory, and holds the hashes of its terms; it changes in the
//! transaction of what it indexes. Nothing is read out of it but addresses: words come from the archive and the
//! memories, as they stand, through a `Visibility`.

mod address;
mod build;
mod damage;
mod index;
mod postings;
mod recent;
mod search;
mod searchable;
mod single;
mod texts;
mod units;

pub use build::IndexProgress;
pub(crate) use index::{RecallChanges, drop_channel, drop_memories, number_channel, put_memory};
pub use recent::MOST_OF_A_CHANNEL;
pub(crate) use search::recall;
pub use search::{RecallRequest, Recalled};
pub use searchable::Searchable;
pub use texts::{MemoryLine, RecalledText};
