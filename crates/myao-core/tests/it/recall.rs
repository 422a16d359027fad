//! Finding again what was said.

mod day;
mod exchange;
mod meaning;
mod named;
mod query;
mod rank;
mod relevance;
mod snippet;
mod sources;
