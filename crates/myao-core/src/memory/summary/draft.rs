//! What is to be done for a memory: keep a text, or ask a model.

use crate::ports::Request;

/// What is to be done for a memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    /// No model is asked: this is the memory's text, perhaps empty.
    Keep(String),
    /// Ask a model this; its answer is the memory's text.
    Ask(Box<Request>),
    /// There is too much for one request: ask all of these, and join the answers with [`super::Summarizer::join_part_summaries`].
    Parts(Vec<Request>),
}
