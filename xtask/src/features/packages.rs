//! Which packages are built with which features, read from what `cargo tree` lists.

use std::{collections::BTreeSet, fmt};

/// A package as it is built, once for each set of features.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuiltPackage {
    /// As its registry knows it.
    pub name: String,
    /// As it is locked: `1.2.3`.
    pub version: String,
    /// With those that follow from others.
    pub features: BTreeSet<String>,
}

/// Where a package runs: cargo unites features for each apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunsIn {
    /// In what is built.
    Target,
    /// In the compiler, as a macro, or in a build script.
    Host,
}

/// A package that a crate by itself builds with other features than the workspace does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeatureGap {
    /// Where it runs.
    pub runs_in: RunsIn,
    /// As the workspace builds it.
    pub wanted: BuiltPackage,
}

/// Other people's packages that some crates need, by where they run.
#[derive(Debug, Default)]
pub struct BuiltPackages {
    target: BTreeSet<BuiltPackage>,
    host: BTreeSet<BuiltPackage>,
}

impl BuiltPackages {
    /// From `cargo tree --prefix none --format '{p}|{f}'`: all packages, and those that run in what is built.
    pub fn from_lists(all: &str, target: &str) -> Self {
        let target: BTreeSet<_> = target.lines().filter_map(package_of_line).collect();
        // What runs in both with the same features is built for the target anyway.
        let host =
            all.lines().filter_map(package_of_line).filter(|package| !target.contains(package)).collect();
        Self { target, host }
    }

    /// The packages that are built otherwise in `whole`, as they are built there.
    pub fn gaps_to(&self, whole: &Self) -> BTreeSet<FeatureGap> {
        let differs = |package: &&BuiltPackage| !whole.target.contains(package);
        let of_target = self.target.iter().filter(differs).flat_map(|package| {
            same_package(&whole.target, package).map(|wanted| FeatureGap { runs_in: RunsIn::Target, wanted })
        });
        let differs =
            |package: &&BuiltPackage| !whole.host.contains(package) && !whole.target.contains(package);
        let of_host = self.host.iter().filter(differs).flat_map(|package| {
            let found = same_package(&whole.host, package).chain(same_package(&whole.target, package));
            found.take(1).map(|wanted| FeatureGap { runs_in: RunsIn::Host, wanted })
        });
        of_target.chain(of_host).collect()
    }
}

/// The packages of a list of `cargo tree` that stand in no line of `whole`.
pub fn packages_beside(alone: &str, whole: &str) -> BTreeSet<BuiltPackage> {
    let whole: BTreeSet<_> = whole.lines().filter_map(package_of_line).collect();
    alone.lines().filter_map(package_of_line).filter(|package| !whole.contains(package)).collect()
}

fn same_package(
    packages: &BTreeSet<BuiltPackage>,
    package: &BuiltPackage,
) -> impl Iterator<Item = BuiltPackage> {
    let is_same = |other: &&BuiltPackage| other.name == package.name && other.version == package.version;
    packages.iter().filter(is_same).cloned().collect::<Vec<_>>().into_iter()
}

/// `None` for a crate of ours, which stands in a folder and not in a registry.
fn package_of_line(line: &str) -> Option<BuiltPackage> {
    let (package, features) = line.split_once('|')?;
    let package = package.trim_end_matches(" (proc-macro)");
    let (name, version) = package.split_once(" v").filter(|(_, version)| !version.contains(' '))?;
    let features = features.trim_end_matches(" (*)").split(',').filter(|feature| !feature.is_empty());
    let features = features.map(str::to_owned).collect();
    Some(BuiltPackage { name: name.to_owned(), version: version.to_owned(), features })
}

impl fmt::Display for BuiltPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features: Vec<&str> = self.features.iter().map(String::as_str).collect();
        write!(f, "{} {} ({})", self.name, self.version, features.join(", "))
    }
}
