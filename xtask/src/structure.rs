//! What the crates' code is made of: its modules and which of them need one another, and how its functions are named.

mod code;
mod knots;
mod measures;
mod report;
mod uses;

pub(crate) use knots::folders;
pub use report::run;

/// The names of modules from a crate's root on; empty for `lib.rs` and `main.rs`.
type ModulePath = Vec<String>;

/// The crate of a file of production code, and its module there.
fn module_of(path: &str) -> Option<(&str, ModulePath)> {
    let (name, inside) = path.strip_prefix("crates/").unwrap_or(path).split_once("/src/")?;
    let inside = inside.strip_suffix(".rs")?;
    let module = if ["lib", "main"].contains(&inside) { "" } else { inside };
    Some((name, module.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()))
}
