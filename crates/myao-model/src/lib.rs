//! Language models behind the mind's `Model` port.
//!
//! So far there is one: [`Builtin`], which needs no key, no network and no weights. Its steps, each a module
//! under `builtin`, in the order a text passes through them: `sentences` (where sentences end), `score` (what
//! a text is worth keeping), `passages` (a message in stretches short enough for a bullet), `exchange` (a
//! question with its answer), `bullet` (the form of a memory's line), `read` (any memory's text taken apart),
//! `select` (what stays), and with these `talk`, `merge` and `reply`.

mod builtin;

pub use builtin::Builtin;

/// The id that `builtin` is configured and recorded under.
pub use myao_core::ports::BUILTIN;
