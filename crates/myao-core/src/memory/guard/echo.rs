//! Detects a text that repeats its instructions.

use std::collections::BTreeSet;

use super::units::{Unit, runs, units};

/// A shared run of this weight is no coincidence: 24 Japanese characters or 12 words of English. The sentences of our
/// prompts are longer; their headings, which a summary may share, are shorter.
const RUN_WEIGHT: usize = 24;

/// Whether `text` and `instructions` share a run of weight [`RUN_WEIGHT`], ignoring case, punctuation, markup and line
/// breaks.
pub(super) fn repeats(text: &str, instructions: &str) -> bool {
    let (text, instructions) = (units(text), units(instructions));
    let known: BTreeSet<&[Unit]> = runs(&instructions, RUN_WEIGHT).collect();
    runs(&text, RUN_WEIGHT).any(|run| known.contains(run))
}
