//! What belongs to this installation alone: a workspace of our own, and who is signed in to the pages.

mod walk;
pub(crate) mod web_sessions;
mod workspace;

pub use walk::{LocalProgress, LocalWalk};
pub(crate) use workspace::forget_person;
pub use workspace::{LocalAnswerCall, LocalReaction};
