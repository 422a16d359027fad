//! Without a build script cargo leaves out packages that run in one.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
