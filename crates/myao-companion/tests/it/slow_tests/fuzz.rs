//! The targets of `scripts/fuzz`, over their seeds: what was found once stays found, and no target rots.

#[path = "../../../../../fuzz/src/targets.rs"]
mod targets;

use std::{collections::BTreeSet, fs, path::PathBuf};

/// Every text is also repeated, as the fuzzer does with few of them, to see that work grows in proportion.
const SHARE: usize = 1;
/// Bytes of all seeds together: they are read by everybody who gets the repository.
const MOST_BYTES: u64 = 200_000;

/// The target that the tests of `myao-mcp` feed: what it is about stands above this crate.
const FED_BESIDE: &str = "agents";

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The files of a folder, without what is behind the last point of their names.
fn names(folder: &str) -> BTreeSet<String> {
    let files =
        fs::read_dir(home().join(folder)).expect("listed").map(|entry| entry.expect("an entry").path());
    files.map(|path| path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned()).collect()
}

/// Feeds a target its seeds.
fn feed(name: &str, target: fn(&[u8])) {
    let mut seeds = 0;
    for seed in fs::read_dir(home().join("seeds").join(name)).expect("listed") {
        let path = seed.expect("an entry").path();
        println!("{}", path.display());
        target(&fs::read(path).expect("read"));
        seeds += 1;
    }
    assert!(seeds > 0, "{name} has no seeds");
}

macro_rules! seeds_of {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                feed(stringify!($name), targets::$name::run);
            }
        )*

        #[test]
        fn every_target_is_fed_and_is_a_program_of_its_own() {
            let fed = BTreeSet::from([$(stringify!($name).to_owned(),)* FED_BESIDE.to_owned()]);
            assert_eq!(fed, names("seeds"));
            assert_eq!(fed, names("fuzz_targets"));
            let manifest = fs::read_to_string(home().join("Cargo.toml")).expect("read");
            for name in &fed {
                assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
                let program = home().join(format!("fuzz_targets/{name}.rs"));
                let runs = format!("myao_fuzz::{name}(data)");
                assert!(fs::read_to_string(program).expect("read").contains(&runs), "{name}");
            }
        }
    };
}

seeds_of! { answers chapters configuration database events export guard interactions markdown markup pages prompts talk }

#[test]
fn the_seeds_are_small() {
    let folders = fs::read_dir(home().join("seeds")).expect("listed");
    let seeds = folders.flat_map(|folder| fs::read_dir(folder.expect("an entry").path()).expect("listed"));
    let bytes: u64 = seeds.map(|seed| seed.expect("an entry").metadata().expect("told").len()).sum();
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
}
