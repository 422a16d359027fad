//! What a model may do before it answers (SPEC §4).

pub mod web;
