#!/usr/bin/env bash
# legible (a crate) finds the article of a web page and writes it as Markdown.
#
# Expected: what HTML strikes out (`<del>`, `<s>`) is struck out or left out, a power is no other number, and the items of
# a list keep the numbers that `value` gives them and count on.
# Observed: struck words stand like any others ("now Monday Tuesday"), 10 to the sixth is 106, the ninth step is the first,
# and every item after the first is number 1. Its HTML, from which the Markdown is written, still has all of it.
set -euo pipefail

version=0.5.1
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
legible = "=$version"

[profile.dev]
debug = false
TOML

cat > src/main.rs <<'RUST'
fn main() {
    let filler = "Everybody who comes gets a loaf to take home, and whoever cannot come tells Ann by Saturday. ".repeat(4);
    let page = format!(
        "<!doctype html><html><head><title>Baking day</title></head><body><article><h1>Baking day</h1>\
         <p>Baking day is now <del>Monday</del> <ins>Tuesday</ins>, and flour costs <s>500</s> 700 yen. {filler}</p>\
         <p>We need 10<sup>6</sup> rings of dough. {filler}</p>\
         <ol start=\"5\"><li>Weigh the flour</li><li value=\"9\">Wash up</li></ol><p>{filler}</p></article></body></html>"
    );
    let article = legible::parse(&page, None, None).expect("an article");
    let mut changed = false;
    for (expected, observed, in_html) in [
        ("now ~~Monday~~ Tuesday", "now Monday Tuesday", "<del>Monday</del>"),
        ("costs ~~500~~ 700 yen", "costs 500 700 yen", "<s>500</s>"),
        ("10^6 rings", "106 rings", "10<sup>6</sup>"),
        ("9. Wash up", "1. Wash up", "value=\"9\""),
    ] {
        let is_so = article.markdown_content.contains(observed);
        let is_known = article.content.contains(in_html);
        println!("expected {expected:?}, observed {observed:?}: {is_so}; its HTML has {in_html:?}: {is_known}");
        changed |= !is_so || !is_known;
    }
    std::process::exit(i32::from(changed));
}
RUST
echo "legible $version, $(rustc --version)"
CARGO_TARGET_DIR="$folder/target" cargo run --quiet
