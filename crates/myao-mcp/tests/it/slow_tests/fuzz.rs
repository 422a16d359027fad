//! The target `agents` of `scripts/fuzz`, over its seeds: what was found once stays found.

#[path = "../../../../../fuzz/src/agents.rs"]
mod agents;
#[expect(dead_code, reason = "other targets use the rest")]
#[path = "../../../../../fuzz/src/material.rs"]
mod material;

use std::{fs, path::PathBuf};

#[test]
fn agents_send_the_seeds() {
    let seeds = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/agents");
    let mut fed = 0;
    for seed in fs::read_dir(seeds).expect("listed") {
        let path = seed.expect("an entry").path();
        println!("{}", path.display());
        agents::run(&fs::read(path).expect("read"));
        fed += 1;
    }
    assert!(fed > 0, "no seeds");
}
