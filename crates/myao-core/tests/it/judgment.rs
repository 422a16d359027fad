//! Which messages want an answer.

mod trigger;
