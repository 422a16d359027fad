//! Finds what a prompt says already, so that the same line is shown only once (specification §3).

use std::{collections::BTreeSet, ops::RangeInclusive};

use jiff::civil::Date;

use super::selection::{Item, Selection};
use crate::{
    context::{ChannelMemory, Context},
    memory::{Line, lines_of_text, parts_of_text},
    text::{fold_for_comparison, letters_and_digits, text_under_heading},
};

/// The lines of a channel's long-term memory and versions, as far as these are shown.
pub(super) fn lines_shown(memory: &ChannelMemory, chosen: &Selection) -> Vec<Line> {
    let id = &memory.channel_id;
    let long_term = memory.long_term_memory.iter().map(|text| (Item::LongTerm(id.clone()), text));
    let versions = memory.versions().map(|v| (Item::ShortTerm(id.clone(), Some(v.version)), &v.content));
    let taken = long_term.chain(versions).filter(|(item, _)| chosen.has(item));
    let shown = taken.filter_map(|(item, text)| chosen.shown_text(&item, &text_under_heading(text)));
    shown.flat_map(|text| lines_of_text(&text)).collect()
}

/// The workspace's memory without the lines that a channel's memory says in the same prompt, of the same day. What is
/// left spans channels, or belongs to a channel whose memory has no room. `None` where nothing is left.
pub(super) fn workspace_beside(context: &Context, chosen: &Selection) -> Option<String> {
    let text = context.workspace_long_term_memory.as_deref()?;
    let shown = context.channel_memories.values().flat_map(|memory| lines_shown(memory, chosen));
    let said: BTreeSet<_> = shown.map(|line| comparison_key(line.day, &line.words)).collect();
    let lines = lines_of_text(text);
    let repeated =
        lines.iter().filter(|line| said.contains(&comparison_key(line.day, without_label(&line.words))));
    let repeated: BTreeSet<usize> = repeated.map(|line| line.nth).collect();
    let left = if repeated.is_empty() { text.to_owned() } else { without_repeated_parts(text, &repeated) };
    (!left.trim().is_empty()).then_some(left)
}

/// Lines with the same key count as the same. What happened again on another day is another line.
fn comparison_key(day: Option<Date>, words: &str) -> (Option<Date>, String) {
    (day, letters_and_digits(&fold_for_comparison(words)))
}

/// A memory's text without the parts that begin on the lines `left_out`, and without headings that have nothing below
/// them any more.
fn without_repeated_parts(text: &str, left_out: &BTreeSet<usize>) -> String {
    let parts: Vec<RangeInclusive<usize>> =
        parts_of_text(text).iter().map(|part| part.nth..=part.last).collect();
    let mut kept: Vec<&str> = Vec::new();
    // The headings and empty lines above the next part, each with its depth.
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut next = parts.iter().peekable();
    for (nth, line) in text.lines().enumerate() {
        while next.next_if(|part| *part.end() < nth).is_some() {}
        match next.peek().filter(|part| part.contains(&nth)) {
            Some(part) if left_out.contains(part.start()) => {}
            Some(_) => {
                kept.extend(above.drain(..).map(|(_, line)| line));
                kept.push(line);
            }
            None => {
                let depth = heading_depth(line);
                above.retain(|(other, _)| *other < depth);
                above.push((depth, line));
            }
        }
    }
    kept.join("\n")
}

/// The depth of a line that belongs to no part: a heading, the day of what follows, or an empty line.
fn heading_depth(line: &str) -> usize {
    const DAY: usize = 7;
    const EMPTY: usize = 8;
    let bare = line.trim();
    match bare.len() - bare.trim_start_matches('#').len() {
        _ if bare.is_empty() => EMPTY,
        0 => DAY,
        marks => marks,
    }
}

/// The words without the name of the channel that they begin with.
fn without_label(words: &str) -> &str {
    match words.split_once(' ') {
        Some((label, rest)) if label.starts_with('#') && label.len() > 1 => rest,
        Some(_) | None => words,
    }
}
