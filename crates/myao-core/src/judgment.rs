//! Whether to speak: which messages want an answer of us, and why one was given or not (SPEC §4).

mod cause;
mod trigger;
mod verdict;

pub use cause::{Cause, ReplyState};
pub use trigger::{Attention, Own, Wish};
pub use verdict::{VERDICT, Verdict, verdict_schema};
