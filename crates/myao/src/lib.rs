//! myao: a friend in a chat workspace that remembers, and whose memory people can trust.
//!
//! This crate is the program. Read in this order:
//! 1. [`app`]: the composition root, read like a list.
//! 2. [`cli`]: the commands.
//! 3. [`failure`]: a command that did not do what it was asked to, and its exit code.
//! 4. [`exposure`]: what others can reach of an installation.
//! 5. [`clock`]: the time of day; the only module that reads it.

pub mod app;
pub mod cli;
pub mod clock;
pub mod exposure;
pub mod failure;
