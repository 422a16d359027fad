//! Nothing: what counts are the features in its manifest, which `cargo xtask features` writes (ADR 111).
