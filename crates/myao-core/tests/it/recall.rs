//! Finding again what was said.

mod as_of;
mod day;
mod exchange;
mod house_words;
mod line_as_said;
mod meaning;
mod meant;
mod message_ends;
mod named;
mod phrase;
mod query;
mod question_owner;
mod rank;
mod recall_floor;
mod relevance;
mod renamed;
mod snippet;
mod sources;
mod typed;
