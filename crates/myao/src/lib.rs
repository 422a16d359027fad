//! myao: a friend in a chat workspace that remembers, and whose memory people can trust.
//!
//! Read in this order:
//! 1. [`config`]: the one file that says how everything runs; the only place that reads the environment.
//! 2. [`app`]: the composition root, read like a list.
//! 3. [`ask`]: the one way to a model; every call is recorded.
//! 4. [`keeper`]: the memory reconciler.
//! 5. [`companion`]: what a reply is made from.
//! 6. [`tools`]: what a model may do before it answers.
//! 7. [`live`]: `myao run`.
//! 8. [`replay`]: what would have been said unasked, over the past.
//! 9. [`cli`]: the commands.

pub mod app;
pub mod ask;
mod borrowing;
pub mod cli;
pub mod clock;
pub mod companion;
pub mod config;
pub mod exposure;
pub mod keeper;
pub mod live;
pub mod replay;
pub mod tools;
