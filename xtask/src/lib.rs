//! Tasks of the repository that `cargo xtask` runs.
//!
//! [`tidy`] checks the rules that neither the compiler nor clippy knows. Each rule is a pure function in a file of its
//! own; [`tidy::all_violations`] lists them. [`structure`] measures how the code is built and named. [`features`] keeps
//! crates in step that are built by themselves. [`keys`] writes the pages of all keys of the configuration. [`measurement`] runs the measurements of memory and of searches.
//! [`secret_rules`] imports the rules by which secrets are recognised. [`generated_export`] writes exports of any size.

pub mod features;
pub mod generated_export;
pub mod keys;
pub mod measurement;
pub mod secret_rules;
pub mod structure;
pub mod tidy;
mod tree;
