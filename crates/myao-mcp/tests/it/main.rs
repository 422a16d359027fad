//! Tests of the crate's public surface.

mod scene;
mod tools;
