//! Stores memos: notes that somebody wanted to be kept (specification §4).
//!
//! A memo belongs to the channel where it was made, and is seen where that channel may be seen, by the kind that the
//! channel has now; only the owner makes memos that belong to no channel, and says who sees them (`audience`). `stored`
//! reads memos; `write` changes them, each change conditional on what it was made from; `place` gives them another
//! audience; `removal` removes them with the words they were made from; `log` tells who did what.
//!
//! A name is unique in its channel. If several memos have one name, a place sees one of them: its own, else the oldest.

mod audience;
mod grounds;
pub(crate) mod log;
mod place;
pub(crate) mod removal;
mod stored;
mod write;

use crate::Store;
pub use audience::MemoAudience;
pub use grounds::{Grounds, SharedInputs};
pub use log::{MemoActor, MemoDeed, MemoEntry};
pub use place::MemoPlacement;
pub(crate) use stored::for_prompt;
pub use stored::{MOST_LISTED, MemoMaker, MemoPage, MemoQuery, StoredMemo};
pub(crate) use write::rename_taken;
pub use write::{MOST_MEMOS, MemoError, MemoHand};

/// Notes that somebody wanted to be kept, and where they are seen.
///
/// [`Store::memos`] gives it.
#[derive(Debug)]
pub struct MemosHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// Notes that somebody wanted to be kept, and where they are seen.
    pub fn memos(&self) -> MemosHandle<'_> {
        MemosHandle { store: self }
    }
}
