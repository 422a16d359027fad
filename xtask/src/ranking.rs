//! Builds and runs what fits the weights of the ranking (`crates/myao-core/examples/ranking`).

use crate::keep::run_example;

/// Builds the measurement and runs it with `arguments`. Returns whether it did what it was asked to.
///
/// # Errors
/// When it cannot be built or started.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    run_example("ranking", arguments)
}
