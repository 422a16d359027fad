//! The fuzz targets of myao: see [`run`] and `docs/fuzzing.md`.

// By its path, as the tests include it: so its modules are found in the same place.
#[path = "targets.rs"]
mod targets;

/// Feeds `data` to the target of this name; panics where something is wrong with what became of it.
///
/// # Panics
/// When there is no such target, too.
pub fn run(name: &str, data: &[u8]) {
    let (_, target) = targets::TARGETS.iter().find(|(known, _)| *known == name).expect("a target of this name");
    target(data);
}
