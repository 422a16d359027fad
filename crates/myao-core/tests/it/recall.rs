//! Finding again what was said.

mod day;
mod exchange;
mod meaning;
mod meant;
mod named;
mod phrase;
mod query;
mod rank;
mod relevance;
mod snippet;
mod sources;
mod typed;
