//! What reads the words of strangers, each fed with bytes that nobody chose: the targets of `scripts/fuzz`.
//!
//! A target is a plain function of bytes that panics where something is wrong. It is compiled twice: here, for
//! libFuzzer, and into the tests of `crates/myao`, which run every target over its seeds. So no target rots, and
//! what was once found stays found: its input is a seed.
//!
//! Read in this order: `material`, bytes as texts and JSON; `effort`, that work grows in proportion; `loopback`,
//! a server that answers what a target says; then the targets.

mod answers;
mod chapters;
mod configuration;
mod database;
mod effort;
mod events;
mod export;
mod guard;
mod loopback;
mod markdown;
mod markup;
mod material;
mod pages;
mod prompts;

/// One target: its name, which is also that of its seeds' folder, and what is done with the bytes.
type Target = (&'static str, fn(&[u8]));

/// Every target there is.
pub(crate) const TARGETS: [Target; 11] = [
    ("answers", answers::run),
    ("chapters", chapters::run),
    ("configuration", configuration::run),
    ("database", database::run),
    ("events", events::run),
    ("export", export::run),
    ("guard", guard::run),
    ("markdown", markdown::run),
    ("markup", markup::run),
    ("pages", pages::run),
    ("prompts", prompts::run),
];
