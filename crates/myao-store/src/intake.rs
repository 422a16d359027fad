//! Everything that follows from an arrival, in the order in which it happens:
//!
//! 1. `arrive` takes a batch in, whole or not at all; `arrive_live` does so while we listen, unless it is an `echo` of
//!    what we posted ourselves.
//! 2. `fences` refuse what was forgotten, `opting_out` what comes from people and channels that opted out (`opted_out`
//!    notes who they are).
//! 3. `put` takes each event: `directory` writes the rows of people and channels, `message_row` those of messages, with
//!    `coming_back` and `edit` for messages that were there before. `row_change` says what became of a message's row.
//! 4. What else is stored of a message follows (`followers`); `live` and `triggers` note what wants an answer, `stop`
//!    what does not want one any more, `vote` what people think of an answer.
//! 5. `removal` moves back what was made from words that are gone; `follow` and `take_back` do so with replies.
//!
//! What enters later or leaves by itself passes the same way: our own posts (`sending`, `own_posts`), `files`,
//! `taken_for_deleted`, `expiry`, `rename`. `misnamed`, `older_secrets` and `older_texts` mend what older programs wrote.

pub(crate) mod arrive;
mod arrive_live;
pub(crate) mod batch;
mod coming_back;
mod directory;
mod echo;
mod edit;
mod expiry;
pub(crate) mod fences;
mod files;
pub(crate) mod follow;
mod followers;
mod live;
mod message_row;
mod misnamed;
mod new_rows;
mod older_secrets;
mod older_texts;
mod opted_out;
mod opting_out;
mod own_posts;
mod put;
pub(crate) mod removal;
mod rename;
mod row_change;
mod sending;
mod stop;
pub(crate) mod take_back;
mod taken_for_deleted;
pub(crate) mod triggers;
pub(crate) mod unfinished_imports;
mod vote;

use crate::Store;

/// The way in for everything that happens, and what follows from it.
///
/// [`Store::intake`] gives it.
#[derive(Debug)]
pub struct IntakeHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// The way in for everything that happens, and what follows from it.
    pub fn intake(&self) -> IntakeHandle<'_> {
        IntakeHandle { store: self }
    }
}
