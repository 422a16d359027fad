//! Where chapters end: a pure function of the talk, the policy and the horizon (SPEC §2.1, seed 01f).

use jiff::Timestamp;

use super::HistorySettings;
use crate::chat::MessageTs;

const MICROS_PER_SECOND: i128 = 1_000_000;

/// When a chapter is full or over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterPolicy {
    /// How many messages fill a chapter; at least 1.
    pub message_threshold: u32,
    /// How many seconds of silence end a chapter; at least 1.
    pub conversation_idle_seconds: u64,
}

/// Why a chapter ended where it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// The chapter was full.
    Threshold,
    /// Nobody spoke for long enough.
    Idle,
    /// It is a live channel's first chapter, made of all messages there are although nothing else closed it.
    First,
    /// Overwrite mode: the chapter is the window, as it was when it was cut.
    Window,
    /// Taken over from a database of the predecessor.
    Adopted,
}

stored_names!(ClosedBy, "reason for a chapter to end", {
    Threshold => "threshold",
    Idle => "idle",
    First => "first",
    Window => "window",
    Adopted => "adopted",
});

/// A chapter's place in the talk: the half-open range (`from`, `to`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Exclusive: the end of the previous chapter, or where the channel's memory starts.
    pub from: MessageTs,
    /// Inclusive: the last message that it holds when it is cut.
    pub to: MessageTs,
    /// How many messages it holds; at least 1.
    pub count: u32,
    /// Why it ends there.
    pub closed_by: ClosedBy,
}

impl ChapterPolicy {
    /// Whether the silence from `last` to `until` ends a chapter. It is computed in i128, which no setting overflows.
    fn is_idle(self, last: MessageTs, until: MessageTs) -> bool {
        let silence = i128::from(until.as_micros()) - i128::from(last.as_micros());
        silence >= i128::from(self.conversation_idle_seconds) * MICROS_PER_SECOND
    }
}

/// Cuts the talk after `start` into the chapters that are complete, oldest first.
///
/// `messages` are the time stamps of talk, in any order; a time stamp that comes twice counts as one message. Those
/// at or before `start` and those after `horizon` (the moment up to which the channel is known to be complete) are
/// ignored. Messages after the last cut belong to a chapter that is still open.
///
/// Called repeatedly while the horizon advances, each time from the end of the last chapter on, it gives the same
/// chapters as one call, and these cover every message from the start on exactly once.
pub fn cut(
    start: MessageTs,
    messages: impl IntoIterator<Item = MessageTs>,
    policy: ChapterPolicy,
    horizon: MessageTs,
) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut from = start;
    let mut open: Option<(MessageTs, u32)> = None;
    for ts in looked_at(start, messages, horizon) {
        if let Some((last, count)) = open
            && policy.is_idle(last, ts)
        {
            cuts.push(Cut { from, to: last, count, closed_by: ClosedBy::Idle });
            (from, open) = (last, None);
        }
        let count = open.map_or(1, |(_, count)| count + 1);
        if count >= policy.message_threshold {
            cuts.push(Cut { from, to: ts, count, closed_by: ClosedBy::Threshold });
            (from, open) = (ts, None);
        } else {
            open = Some((ts, count));
        }
    }
    if let Some((last, count)) = open
        && policy.is_idle(last, horizon)
    {
        cuts.push(Cut { from, to: last, count, closed_by: ClosedBy::Idle });
    }
    cuts
}

/// The first chapter of a live channel in which nothing closes a chapter yet: it holds all messages there are
/// (SPEC §2.1 Start; seed 01f: no memory yet, so make one). `None` when nothing was said.
pub fn close_first(
    start: MessageTs,
    messages: impl IntoIterator<Item = MessageTs>,
    horizon: MessageTs,
) -> Option<Cut> {
    let seen = looked_at(start, messages, horizon);
    let count = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    seen.last().map(|to| Cut { from: start, to: *to, count, closed_by: ClosedBy::First })
}

/// The messages in (`start`, `horizon`], in order, each once.
fn looked_at(
    start: MessageTs,
    messages: impl IntoIterator<Item = MessageTs>,
    horizon: MessageTs,
) -> Vec<MessageTs> {
    let mut seen: Vec<MessageTs> = messages.into_iter().filter(|ts| *ts > start && *ts <= horizon).collect();
    seen.sort_unstable();
    seen.dedup();
    seen
}

/// Whether a channel's short-term memory should be written now, with the triggers of seed 01f: history off,
/// no memory yet, `new_count` at the threshold, or `latest_ts` idle for long enough.
pub fn should_update(
    latest_ts: Option<MessageTs>,
    has_memory: bool,
    new_count: u64,
    settings: &HistorySettings,
    now: Timestamp,
) -> bool {
    let policy = settings.policy();
    let now = MessageTs::from_timestamp(now);
    !settings.enabled
        || !has_memory
        || latest_ts.is_some_and(|latest| policy.is_idle(latest, now))
        || new_count >= u64::from(policy.message_threshold)
}
