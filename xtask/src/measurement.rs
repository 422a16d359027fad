//! Builds and runs the measurements of memory: examples, such as `crates/myao/examples/answers`.

use std::{path::Path, process::Command};

use anyhow::{Context, ensure};

use crate::tree::cargo_metadata;

/// Our own crates are optimised, so that a year of talk takes seconds. All other crates are built as for tests, so that
/// they need not be built a second time.
const OPTIMISED: (&str, &str) = ("CARGO_PROFILE_DEV_OPT_LEVEL", "2");

/// Builds the measurement of this name and runs it with `arguments`. Returns whether it did what it was asked to.
///
/// # Errors
/// When it cannot be built or started.
pub fn build_and_run(name: &str, arguments: &[String]) -> anyhow::Result<bool> {
    let metadata = cargo_metadata()?;
    let target = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    let target = Path::new(target.context("`cargo metadata` names no target directory")?);
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--workspace", "--example", name])
        .env(OPTIMISED.0, OPTIMISED.1)
        .status()
        .context("starting `cargo build`")?;
    ensure!(built.success(), "the measurement could not be built");
    let program = target.join("debug").join("examples").join(name);
    let ran = Command::new(&program).args(arguments).status();
    Ok(ran.with_context(|| format!("starting {}", program.display()))?.success())
}
