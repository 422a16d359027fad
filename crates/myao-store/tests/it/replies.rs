//! Replies, from the wish to the post (specification §4, design §5).

mod closed;
mod crashes;
mod deliver;
mod inputs;
mod removal;
pub(crate) mod talk;
mod triggers;
mod write;

pub(crate) use talk::attention;
