//! What is remembered: chapters and the memories made from them, the journal of every write, and the work on them: what
//! is due, what failed, and what models cost.

pub(crate) mod as_of;
pub(crate) mod calls;
pub(crate) mod chapters;
pub(crate) mod coverage;
pub(crate) mod due;
pub(crate) mod figures;
pub(crate) mod growth;
pub(crate) mod journal;
pub(crate) mod memo_id;
pub(crate) mod memories;
pub(crate) mod recorded_texts;
mod refold;
pub(crate) mod restart;
pub(crate) mod rewriting;
pub(crate) mod setbacks;
mod threads;
pub(crate) mod workspace;

use crate::Store;

/// What is remembered: chapters, memories and their journal; what is due, and what it cost.
///
/// [`Store::memory`] gives it.
#[derive(Debug)]
pub struct MemoryHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What is remembered: chapters, memories and their journal; what is due, and what it cost.
    pub fn memory(&self) -> MemoryHandle<'_> {
        MemoryHandle { store: self }
    }
}
