#!/usr/bin/env bash
# Cargo builds a package by a profile, in which single packages may have settings of their own.
#
# Expected: a package with a setting of its own takes the others from the profile, as it does with `debug`.
# Observed: not `strip`. With `opt-level` set for the package that is the program, `strip = true` of its profile is
# dropped, and the program keeps its symbols. Repeated among the package's settings it holds.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
echo 'fn main() { println!("hello"); }' >src/main.rs

symbols_with() { # SETTINGS OF THE PACKAGE
    cat >Cargo.toml <<TOML
[package]
name = "probe"
version = "0.1.0"
edition = "2024"

[profile.release]
strip = true
$1
TOML
    CARGO_TARGET_DIR="$folder/target" cargo build --quiet --release
    python3 - "$folder/target/release/probe" <<'PYTHON'
import struct
import sys

file = open(sys.argv[1], "rb").read()
start, size, count = struct.unpack_from("<Q", file, 40) + struct.unpack_from("<HH", file, 58)
kinds = [struct.unpack_from("<I", file, start + at * size + 4)[0] for at in range(count)]
print("symbols" if 2 in kinds else "no symbols")
PYTHON
}

cargo --version
changed=0
show() { # TITLE EXPECTED KNOWN SETTINGS
    local observed
    observed=$(symbols_with "$4")
    echo "$1: expected $2, observed $observed"
    [[ "$observed" == "$3" ]] || changed=1
}
show "no settings of its own" "no symbols" "no symbols" ""
show "opt-level of its own" "no symbols" "symbols" $'[profile.release.package.probe]\nopt-level = "s"'
show "opt-level and strip of its own" "no symbols" "no symbols" $'[profile.release.package.probe]\nopt-level = "s"\nstrip = true'
exit "$changed"
