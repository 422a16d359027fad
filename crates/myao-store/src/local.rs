//! What belongs to this installation alone: a workspace of our own, and who is signed in to the pages.

pub(crate) mod web_sessions;
mod workspace;

pub(crate) use workspace::forget_person;
pub use workspace::{LocalAnswerCall, LocalReaction};
