//! What is inside the wrappers of a text.

use super::calls::FoundCalls;

/// What is inside the wrappers.
#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) text: String,
    pub(super) thought: bool,
    /// A call in a channel of its own.
    pub(super) call: Option<FoundCalls>,
}
