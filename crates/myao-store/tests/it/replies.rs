//! Replies, from the wish to the post (SPEC §4, DESIGN D).

mod closed;
mod crashes;
mod deliver;
mod inputs;
mod removal;
pub(crate) mod talk;
mod triggers;
mod write;

pub(crate) use talk::attention;
