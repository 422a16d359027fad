//! Migrations are compiled in; cargo does not see by itself that one was added.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
