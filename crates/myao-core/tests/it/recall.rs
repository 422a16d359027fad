//! Finding again what was said.

mod day;
mod query;
mod snippet;
