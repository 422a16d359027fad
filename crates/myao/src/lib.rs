//! myao: a friend in a chat workspace that remembers, and whose memory people can trust.
//!
//! This crate is the program. Read in this order:
//! 1. [`app`]: the composition root.
//! 2. [`cli`]: the commands.
//! 3. [`failure`]: errors of commands, with their exit codes.
//! 4. [`locale`]: in which language and time zone an installation remembers.
//! 5. [`exposure`]: what others can reach of an installation.
//! 6. `agent_secrets`: what other agents show to ask for memories.
//! 7. `traces`: what a collector of traces is sent.
//! 8. [`clock`]: the machine's clock; the only module that reads it.

mod agent_secrets;
mod agent_server;
pub mod app;
pub mod cli;
pub mod clock;
pub mod exposure;
pub mod failure;
pub mod locale;
mod traces;
