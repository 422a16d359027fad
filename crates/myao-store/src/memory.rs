//! What is remembered: chapters and the memories made from them, the journal of every write, and the work on them: what
//! is due, what failed, and what models cost.

pub(crate) mod calls;
pub(crate) mod chapters;
pub(crate) mod coverage;
pub(crate) mod due;
pub(crate) mod growth;
pub(crate) mod journal;
pub(crate) mod memo_id;
pub(crate) mod memories;
mod refold;
pub(crate) mod restart;
pub(crate) mod rewriting;
pub(crate) mod setbacks;
mod threads;
pub(crate) mod workspace;
