//! What a prompt says already: the same line is shown once (SPEC §3).

use std::collections::BTreeSet;

use super::{Item, body, selection::Selection};
use crate::{
    context::{ChannelMemory, Context},
    memory::{leading_days, lines, parts},
    text::{fold, letters},
};

/// The letters of the lines of a channel's long-term memory and versions, as far as they are shown.
pub(super) fn letters_shown(memory: &ChannelMemory, chosen: &Selection) -> BTreeSet<String> {
    let id = &memory.channel_id;
    let long_term = memory.long_term_memory.iter().map(|text| (Item::LongTerm(id.clone()), text));
    let versions = memory.short_term_memory_history.iter();
    let versions = versions.map(|v| (Item::ShortTerm(id.clone(), Some(v.version)), &v.content));
    let shown = long_term.chain(versions).filter_map(|(item, text)| chosen.shown(&item, &body(text)));
    shown.flat_map(|text| lines(&text)).map(|line| letters(&fold(&line.words))).collect()
}

/// The workspace's memory without the lines that the memories of channels say in the same prompt: what spans channels, and
/// what of single ones has no room. None where nothing is left.
pub(super) fn workspace_beside(context: &Context, chosen: &Selection) -> Option<String> {
    let text = context.workspace_long_term_memory.as_deref()?;
    let said = context.channel_memories.values().flat_map(|memory| letters_shown(memory, chosen)).collect();
    let left = without(text, &said);
    (!left.trim().is_empty()).then_some(left)
}

/// A memory's text without the parts whose letters are `said`, and without headings that nothing stands under any more.
fn without(text: &str, said: &BTreeSet<String>) -> String {
    let starts: BTreeSet<usize> = parts(text).iter().map(|part| part.nth).collect();
    let repeated: BTreeSet<usize> = lines(text)
        .iter()
        .filter(|line| said.contains(&letters(&fold(without_label(&line.words)))))
        .map(|line| line.nth)
        .collect();
    let mut kept: Vec<&str> = Vec::new();
    // Headings and empty lines above the next part, with how deep they are.
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut is_kept = true;
    for (nth, line) in text.lines().enumerate() {
        if starts.contains(&nth) {
            is_kept = !repeated.contains(&nth);
        } else if let Some(depth) = depth(line) {
            above.retain(|(other, _)| *other < depth);
            above.push((depth, line));
            continue;
        }
        if is_kept {
            kept.extend(above.drain(..).map(|(_, line)| line));
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// How deep a line stands that belongs to no part: a heading, the day of what follows, or nothing.
fn depth(line: &str) -> Option<usize> {
    const DAY: usize = 7;
    const EMPTY: usize = 8;
    let bare = line.trim();
    let is_day = || bare.starts_with(|c: char| c.is_ascii_digit()) && leading_days(bare).1.is_empty();
    match bare.len() - bare.trim_start_matches('#').len() {
        _ if bare.is_empty() => Some(EMPTY),
        0 => is_day().then_some(DAY),
        marks => (!line.starts_with("  ")).then_some(marks),
    }
}

/// The words without the channel that they begin with.
fn without_label(words: &str) -> &str {
    match words.split_once(' ') {
        Some((label, rest)) if label.starts_with('#') && label.len() > 1 => rest,
        Some(_) | None => words,
    }
}
