//! Keeps `crates/workspace-hack` in step (ADR 111): with it a crate that is tested by itself uses its dependencies with
//! the features that they have where the whole workspace is tested, so that none is built a second time.

mod manifest;
mod packages;

use std::{collections::BTreeSet, fs, process::Command, thread};

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::Value;

pub use self::{
    manifest::text_of_manifest,
    packages::{BuiltPackage, BuiltPackages, FeatureGap, RunsIn, packages_beside},
};
use crate::tree::{cargo_metadata, output_of_command};

/// The crate that names the features.
pub(crate) const CRATE: &str = "workspace-hack";
pub(crate) const MANIFEST: &str = "crates/workspace-hack/Cargo.toml";
/// It stays apart: what only tasks need is no part of the product.
pub(crate) const TASKS: &str = "xtask";
/// A feature that is named may bring in a package that wants features named in turn.
const MOST_ROUNDS: usize = 8;
/// Which dependencies `cargo tree` follows: all.
const EVERYTHING: &str = "normal,build,dev";
/// The same without what only runs in the compiler and in build scripts.
const WITHOUT_COMPILERS: &str = "no-build,no-proc-macro";

/// Writes the crate's manifest anew, from nothing, so that every crate is in step.
///
/// # Errors
/// When `cargo tree` fails, the manifest cannot be written, or crates still differ then.
pub fn write_manifest() -> anyhow::Result<()> {
    let metadata = cargo_metadata()?;
    let mut named = Vec::new();
    for _ in 0..MOST_ROUNDS {
        fs::write(MANIFEST, text_of_manifest(&named)).with_context(|| format!("writing {MANIFEST}"))?;
        let whole = packages_built(&["--workspace"])?;
        let mut gaps = BTreeSet::new();
        for name in product_crates(&metadata)? {
            gaps.extend(packages_built(&["--package", name])?.gaps_to(&whole));
        }
        if gaps.is_empty() {
            return Ok(());
        }
        named.extend(gaps);
    }
    bail!("after {MOST_ROUNDS} rounds crates still differ: look at {MANIFEST}")
}

/// What each crate, tested by itself, would build and the whole workspace would not. Fails where `Cargo.lock` would have
/// to change. That a package runs in the compiler with the features that it should have in the program is not seen.
pub(crate) fn unshared_packages(metadata: &Value) -> anyhow::Result<Vec<(String, BuiltPackage)>> {
    let names = product_crates(metadata)?;
    let mut selections = vec![vec!["--locked", "--workspace"]];
    selections.extend(names.iter().map(|name| vec!["--locked", "--package", name]));
    // Each takes a quarter of a second.
    let lists = thread::scope(|scope| {
        let listing: Vec<_> =
            selections.iter().map(|selection| scope.spawn(|| list_packages(selection, EVERYTHING))).collect();
        listing.into_iter().map(join).collect::<anyhow::Result<Vec<String>>>()
    })?;
    let (whole, alone) = lists.split_first().context("nothing was listed")?;
    let unshared = names.iter().zip(alone).flat_map(|(name, alone)| {
        packages_beside(alone, whole).into_iter().map(|package| ((*name).to_owned(), package))
    });
    Ok(unshared.collect())
}

fn join(listing: thread::ScopedJoinHandle<'_, anyhow::Result<String>>) -> anyhow::Result<String> {
    listing.join().map_err(|_panic| anyhow!("listing packages panicked"))?
}

fn product_crates(metadata: &Value) -> anyhow::Result<Vec<&str>> {
    let packages = metadata.get("packages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> =
        packages.iter().filter_map(|package| package.get("name").and_then(Value::as_str)).collect();
    ensure!(names.contains(&CRATE), "`cargo metadata` does not know {MANIFEST}");
    Ok(names.into_iter().filter(|name| ![CRATE, TASKS].contains(name)).collect())
}

/// What `cargo test` would build, tests included.
fn packages_built(selection: &[&str]) -> anyhow::Result<BuiltPackages> {
    Ok(BuiltPackages::from_lists(
        &list_packages(selection, EVERYTHING)?,
        &list_packages(selection, WITHOUT_COMPILERS)?,
    ))
}

fn list_packages(selection: &[&str], edges: &str) -> anyhow::Result<String> {
    let mut command = Command::new("cargo");
    command.args(["tree", "--quiet", "--target", "x86_64-unknown-linux-gnu", "--prefix", "none"]);
    command.args(["--format", "{p}|{f}", "--edges", edges]).args(selection);
    output_of_command(&mut command)
}
