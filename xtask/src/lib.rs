//! Chores of the repository that are programs of their own.
//!
//! [`tidy`] checks the house rules that neither the compiler nor clippy knows. Each rule is a pure function
//! in a file of its own; [`tidy::check`] lists them.

pub mod tidy;
