//! What people ask by commands and buttons: each is a row before it is done, and is done once (ADR 120).
//!
//! `arrive` notes them, `work` takes them from *waiting* to *over*. An answer that only one person sees cannot be looked up
//! on the platform, so it is sent at most once: a row is *answering* before that. What a crash leaves there is not answered
//! again; the person is told to ask again, once.

mod arrive;
mod language;
mod row;
mod work;

use crate::Store;

pub(crate) use work::forget_person;
pub use work::{InteractionOutcome, InteractionState, OpenInteraction};

/// What people ask by commands and buttons.
///
/// [`Store::interactions`] gives it.
#[derive(Debug)]
pub struct InteractionsHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What people ask by commands and buttons.
    pub fn interactions(&self) -> InteractionsHandle<'_> {
        InteractionsHandle { store: self }
    }
}
