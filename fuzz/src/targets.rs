//! What reads the words of strangers, each fed with bytes that nobody chose: the targets of `scripts/fuzz`.
//!
//! A target is a plain function of bytes that panics where something is wrong. It is compiled twice: here, for
//! libFuzzer, and into the tests of `crates/myao`, which run every target over its seeds. So no target rots, and
//! what was once found stays found: its input is a seed.
//!
//! One target stands beside them, `agents`: its tests are those of the crate that it is about.
//!
//! Read in this order: `material`, bytes as texts and JSON; `effort`, that work grows in proportion; `loopback`,
//! a server that answers what a target says; then the targets.

pub(super) mod answers;
pub(super) mod chapters;
pub(super) mod configuration;
pub(super) mod database;
mod effort;
pub(super) mod events;
pub(super) mod export;
pub(super) mod guard;
pub(super) mod interactions;
mod loopback;
pub(super) mod markdown;
pub(super) mod markup;
pub(super) mod material;
pub(super) mod pages;
pub(super) mod prompts;
pub(super) mod talk;
