//! Whether those who ask want what a tool is about to change, and which words it may use.
//!
//! [`Intent`] tells from the words of a message whether it asks for a change, `always` whether something is to be
//! remembered always. [`Mandate`] decides whether a model that has read words from outside may make a change.
//! [`Origins`] separates the words of a place from those of other places. [`TypedCommand`] is what a command asks for.

mod always;
mod command;
mod intent;
mod origins;
mod permission;

pub use command::{LONGEST_QUIET, QuietSpan, TypedCommand, USUAL_QUIET};
pub use intent::Intent;
pub use origins::Origins;
pub use permission::{Mandate, Outside, Unwanted};
