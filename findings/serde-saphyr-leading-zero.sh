#!/usr/bin/env bash
# serde-saphyr (a crate) reads YAML into Rust types.
#
# Expected: 08 and 014 are whole numbers. To the core schema of YAML 1.2, which writes octal numbers as 0o14 and lets
# others begin with a zero, they are eight and fourteen. (To YAML 1.1, 014 is twelve and 08 is text.)
# Observed: neither, by default. A whole number with a leading zero becomes one with a fraction where any type is taken
# (8.0, 14.0), and is an error where a whole number is asked for. Options of the crate make it text or octal, none a
# plain whole number.
set -euo pipefail

version=2.1.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<TOML
[package]
name = "probe"
version = "0.1.0"
edition = "2024"

[dependencies]
serde-saphyr = "=$version"
serde_json = "1"

[profile.dev]
debug = false
TOML

cat > src/main.rs <<'RUST'
use std::collections::BTreeMap;

fn main() {
    let mut changed = false;
    // What is written, what it is, what it was as any type and as a whole number when this was written.
    for (written, expected, known_any, known_whole) in [
        ("hours: 8", "8", "8", Some(8)), // a control
        ("hours: 08", "8", "8.0", None),
        ("hours: 014", "14", "14.0", None),
        ("hours: 0o14", "12", "12", Some(12)),
    ] {
        let any: BTreeMap<String, serde_json::Value> = serde_saphyr::from_str(written).expect("any type");
        let whole = serde_saphyr::from_str::<BTreeMap<String, u32>>(written);
        let shown = whole.as_ref().map_or_else(|error| error.to_string(), |map| map["hours"].to_string());
        let shown = shown.lines().next().unwrap_or_default();
        println!("{written}: expected {expected}, observed {} as any type, {shown:?} as u32", any["hours"]);
        changed |= any["hours"].to_string() != known_any || whole.ok().map(|map| map["hours"]) != known_whole;
    }
    std::process::exit(i32::from(changed));
}
RUST
echo "serde-saphyr $version, $(rustc --version)"
CARGO_TARGET_DIR="$folder/target" cargo run --quiet
