//! Ids, instants, names, and what is no longer there.

mod absence;
mod names;
mod ts;
