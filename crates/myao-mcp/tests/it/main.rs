//! Tests of the crate's public surface.
