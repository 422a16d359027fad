//! Memories, chapters, merges and the guard.

mod as_of;
mod attribution;
mod chapter;
mod chapter_limits;
mod correction;
mod diff;
mod entity;
mod first_version;
mod grounding;
mod guard;
mod guard_answers;
mod guard_language;
mod guard_samples;
mod horizon;
mod lines;
mod merge;
mod merge_order;
mod named;
mod said_right;
mod scope;
mod step;
mod talk;
mod terms;
mod triggers;
