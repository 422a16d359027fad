//! `builtin` through the `Model` port: what it writes, and what holds whatever it is given.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod asking;
mod builtin_merge;
mod builtin_merge_properties;
mod builtin_reply;
mod builtin_talk;
mod builtin_talk_properties;
