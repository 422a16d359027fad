//! When a memory is written, and where chapters end: pure functions of the talk, the policy and the horizon.

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
    /// It is not closed: it holds what was said in a channel that has no chapter yet, until one is cut there.
    Provisional,
    /// A live channel's first chapter, closed by an older version of the program although nothing else closed it.
    First,
    /// Overwrite mode: the chapter is the window, as it was when it was cut.
    Window,
    /// Taken over from a database of the predecessor.
    Adopted,
}

stored_names!(ClosedBy, "reason for a chapter to end", {
    Threshold => "threshold",
    Idle => "idle",
    Provisional => "provisional",
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

/// Whether a memory should be written now: history is off (`policy` is `None`), there is no memory yet, the newest
/// message is `conversation_idle_seconds` old at `now`, or `new_count` messages have filled a chapter.
///
/// Every chapter is cut by it ([`cut_into_chapters`], [`first_version`]), overwrite mode asks it before it replaces a memory, and
/// threads go by it too. `now` is the moment up to which everything said is known.
pub fn should_update(
    latest_ts: Option<MessageTs>,
    has_memory: bool,
    new_count: u64,
    policy: Option<ChapterPolicy>,
    now: MessageTs,
) -> bool {
    let Some(policy) = policy else { return true };
    !has_memory
        || latest_ts.is_some_and(|latest| policy.is_idle(latest, now))
        || new_count >= u64::from(policy.message_threshold)
}

/// Cuts the talk after `start` into the chapters that are complete, oldest first.
///
/// `messages` are the time stamps of talk, in any order; a time stamp that comes twice counts as one message. Those
/// at or before `start` and those after `horizon` (the moment up to which the channel is known to be complete) are
/// ignored. Messages after the last cut belong to a chapter that is still open.
///
/// Called repeatedly while the horizon advances, each time from the end of the last chapter on, it gives the same
/// chapters as one call, and these cover every message from the start on exactly once.
pub fn cut_into_chapters(
    start: MessageTs,
    messages: impl IntoIterator<Item = MessageTs>,
    policy: ChapterPolicy,
    horizon: MessageTs,
) -> Vec<Cut> {
    let seen = looked_at(start, messages, horizon);
    let followed_by = seen.iter().skip(1).chain([&horizon]);
    let mut cuts = Vec::new();
    let mut from = start;
    let mut count = 0_u32;
    for (ts, next) in seen.iter().zip(followed_by) {
        count = count.saturating_add(1);
        // Never "no memory yet": that would make a chapter of every first message (`first_version` asks it).
        if should_update(Some(*ts), true, u64::from(count), Some(policy), *next) {
            let is_full = count >= policy.message_threshold;
            let closed_by = if is_full { ClosedBy::Threshold } else { ClosedBy::Idle };
            cuts.push(Cut { from, to: *ts, count, closed_by });
            (from, count) = (*ts, 0);
        }
    }
    cuts
}

/// The first version of a channel in which no chapter is complete: everything that was said, provisionally. `None` when
/// nothing was said.
///
/// It stands until [`cut_into_chapters`], from the same `start`, has the channel's first chapter, which takes its place and its
/// number; so what comes of it does not depend on when it was made.
pub fn first_version(
    start: MessageTs,
    messages: impl IntoIterator<Item = MessageTs>,
    policy: ChapterPolicy,
    horizon: MessageTs,
) -> Option<Cut> {
    let seen = looked_at(start, messages, horizon);
    let to = *seen.last()?;
    let count = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    let is_due = should_update(Some(to), false, u64::from(count), Some(policy), horizon);
    is_due.then_some(Cut { from: start, to, count, closed_by: ClosedBy::Provisional })
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
