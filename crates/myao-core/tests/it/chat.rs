//! Ids, instants and names.

mod names;
mod ts;
