//! What is heard of places and people: what each place may see, which channels and processes hear, what was missed
//! meanwhile, who is never remembered, and what was not understood or is said no longer.

pub(crate) mod behind;
mod changed_histories;
mod clock_steps;
pub(crate) mod gaps;
pub(crate) mod opt_outs;
mod outside;
pub(crate) mod processes;
pub(crate) mod removals;
pub(crate) mod sight;
pub(crate) mod threads_to_recheck;
pub(crate) mod unnamed;
pub(crate) mod unread_events;
pub(crate) mod visible;

use crate::Store;

/// What is heard: what each place may see, who hears, what was missed, and who opted out.
///
/// [`Store::hearing`] gives it.
#[derive(Debug)]
pub struct HearingHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// What is heard: what each place may see, who hears, what was missed, and who opted out.
    pub fn hearing(&self) -> HearingHandle<'_> {
        HearingHandle { store: self }
    }
}
