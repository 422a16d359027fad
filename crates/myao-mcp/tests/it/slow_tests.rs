//! Tests that take longer than all others together.

mod fuzz;
mod visibility;
