//! The fuzz targets of myao, a function each: see `docs/fuzzing.md`.

mod agents;
// By its path, as the tests include it: so its modules are found in the same place.
#[path = "targets.rs"]
mod targets;

use targets::material;

/// One text of so many is also repeated to see that work grows in proportion: what is repeated takes a hundred times
/// as long. The tests repeat every seed.
const SHARE: usize = 128;

/// Makes a function of each target. A program holds what it calls and nothing else: libFuzzer looks through all of it
/// after every run.
macro_rules! functions {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("The target `", stringify!($name), "`.")]
            ///
            /// # Panics
            /// Where something is wrong with what became of `data`.
            pub fn $name(data: &[u8]) {
                targets::$name::run(data);
            }
        )*
    };
}

/// The target `agents`, which the tests of `crates/myao-mcp` include.
///
/// # Panics
/// Where something is wrong with what became of `data`.
pub fn agents(data: &[u8]) {
    agents::run(data);
}

functions! { answers chapters configuration database events export guard interactions markdown markup pages prompts talk }
