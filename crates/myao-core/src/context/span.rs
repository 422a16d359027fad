//! Decides where a shown conversation starts, so that every message before it is in a memory (specification §3).

use crate::chat::MessageTs;

/// A written chapter, as far as the conversation's start depends on it: the half-open range (`from`, `to`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterSpan {
    /// Its number.
    pub version: u32,
    /// The end of the chapter before (exclusive).
    pub from: MessageTs,
    /// The end of its range (inclusive).
    pub to: MessageTs,
    /// Whether it was folded into the channel's long-term memory.
    pub merged: bool,
    /// Whether all its messages are deleted, so that there is nothing to show.
    pub emptied: bool,
}

/// Where the conversation starts (exclusive), and which versions are shown before it, oldest first.
///
/// `spans` are the channel's chapters that have a text, in order; `at_least_from` (exclusive) is where the
/// conversation would start if it held `message_limit` messages and no more; at most `limit` versions are shown.
///
/// Versions whose messages all stand in the conversation are left out first, and do not count towards the limit.
/// Every message between the beginning of the first chapter and the start is in a shown version or in the long-term
/// memory. For that, the start moves back if more versions wait to be folded than may be shown, or if a chapter has
/// no text yet. Without chapters the conversation holds everything.
pub fn conversation_start(
    spans: &[ChapterSpan],
    at_least_from: MessageTs,
    limit: usize,
) -> (MessageTs, Vec<u32>) {
    let mut start = at_least_from.min(remembered_until(spans));
    let texts: Vec<&ChapterSpan> = spans.iter().filter(|span| !span.emptied).collect();
    if let Some(oldest_waiting) = texts.iter().position(|span| !span.merged)
        && let Some(too_new) = texts.get(oldest_waiting.saturating_add(limit))
    {
        start = start.min(too_new.from);
    }
    let older: Vec<u32> = texts.iter().filter(|span| span.from < start).map(|span| span.version).collect();
    let surplus = older.len().saturating_sub(limit);
    (start, older.into_iter().skip(surplus).collect())
}

/// The end of the last chapter before the first hole; [`MessageTs::MIN`] when there is no chapter.
fn remembered_until(spans: &[ChapterSpan]) -> MessageTs {
    let Some(first) = spans.first() else { return MessageTs::MIN };
    let mut until = first.to;
    for span in spans {
        if span.from > until {
            break;
        }
        until = until.max(span.to);
    }
    until
}
