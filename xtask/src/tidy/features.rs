//! Checks that a crate that is tested by itself has the packages of the whole workspace, with the same features.

use super::Violation;
use crate::features::{BuiltPackage, MANIFEST};

const RULE: &str = "features";

/// `unshared` are names of crates, each with a package that it would have built for itself.
pub(super) fn check(unshared: &[(String, BuiltPackage)]) -> Vec<Violation> {
    let report = |(name, package): &(String, BuiltPackage)| {
        let advice =
            format!("`{name}`, tested by itself, would build {package} again: run `cargo xtask features`");
        Violation::new(MANIFEST, 1, RULE, advice)
    };
    unshared.iter().map(report).collect()
}
