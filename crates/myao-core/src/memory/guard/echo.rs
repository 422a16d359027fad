//! Detects a text that repeats its instructions, or the headings around what it was to summarise.

use std::collections::BTreeSet;

use super::units::{Unit, shortest_runs, units_of_text};
use crate::ports::{Request, Turn};

/// A shared run of this weight is no coincidence: 24 Japanese characters or 12 words of English. The sentences of our
/// prompts are longer; their headings, which a summary may share, are shorter.
const RUN_WEIGHT: usize = 24;

/// So many of our headings with a period show that the material was copied, headings and all. One may be the title of a
/// good text, and a heading without a period, such as a channel's name, may order it.
const MOST_HEADINGS: usize = 1;

/// Whether `text` and `instructions` share a run of weight [`RUN_WEIGHT`], ignoring case, punctuation, markup and line
/// breaks.
pub(super) fn repeats_instructions(text: &str, instructions: &str) -> bool {
    let text = units_of_text(text);
    let instructions = units_of_text(instructions);
    let known: BTreeSet<&[Unit]> = shortest_runs(&instructions, RUN_WEIGHT).collect();
    shortest_runs(&text, RUN_WEIGHT).any(|run| known.contains(run))
}

/// Whether `text` holds more than [`MOST_HEADINGS`] of the headings that stand with a period over the request's
/// memories, as in `## Memory 2 (2026-03-02 10:00)`. Only our own lines begin with `#`: those of others are indented.
pub(super) fn repeats_headings(text: &str, request: &Request) -> bool {
    let shown = request.turns.iter().flat_map(|turn| match turn {
        Turn::User(text) => text.lines(),
        Turn::Assistant { .. } | Turn::Tool { .. } => "".lines(),
    });
    let is_of_a_period = |line: &&str| {
        line.starts_with('#')
            && line
                .split(['(', '（'])
                .nth(1)
                .is_some_and(|inside| inside.starts_with(|c: char| c.is_ascii_digit()))
    };
    let headings: BTreeSet<&str> = shown.filter(is_of_a_period).map(str::trim_end).collect();
    text.lines().filter(|line| headings.contains(line.trim_end())).count() > MOST_HEADINGS
}
