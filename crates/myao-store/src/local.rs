//! What belongs to this installation alone: a workspace of our own, who is signed in to the pages, and which programs may
//! ask for memories.

mod agent_tokens;
mod walk;
pub(crate) mod web_sessions;
mod workspace;

pub(crate) use agent_tokens::NotedUses;
pub use agent_tokens::{AgentTokenError, StoredAgentToken};
pub use walk::{LocalProgress, LocalWalk};
pub(crate) use workspace::forget_person;
pub use workspace::{LocalAnswerCall, LocalReaction};

use crate::Store;

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
