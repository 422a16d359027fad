//! What belongs to this installation alone: a workspace of our own, and who is signed in to the pages.

pub(crate) mod web_sessions;
mod workspace;

use crate::Store;
pub(crate) use workspace::forget_person;
pub use workspace::{LocalAnswerCall, LocalReaction};

/// What belongs to this installation alone: a workspace of our own, and who is signed in.
///
/// [`Store::local`] gives it.
#[derive(Debug)]
pub struct LocalHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What belongs to this installation alone: a workspace of our own, and who is signed in.
    pub fn local(&self) -> LocalHandle<'_> {
        LocalHandle { store: self }
    }
}
