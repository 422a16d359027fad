//! Cutting talk into chapters, whatever the time stamps: every message is in one chapter or waits, in order, and
//! looking more often changes nothing.

use arbitrary::{Result, Unstructured};
use myao_core::{
    chat::MessageTs,
    memory::{ChapterPolicy, Cut, cut_into_chapters, first_version},
};

use super::material;

/// Instants around which something may go wrong.
const EDGES: [i64; 6] = [i64::MIN, 0, 1_772_510_000_000_000, i64::MAX, -1, 7_200_000_000];
/// Messages of one channel.
const MOST: usize = 200;

pub(crate) fn run(data: &[u8]) {
    material::taken(data, check);
}

fn stamp(u: &mut Unstructured<'_>) -> Result<MessageTs> {
    let edge = *u.choose(&EDGES)?;
    let distance = match u.int_in_range(0..=3)? {
        0 => i64::from(u.arbitrary::<i8>()?),
        1 => i64::from(u.arbitrary::<i16>()?) * 1_000_000,
        2 => i64::from(u.arbitrary::<i32>()?) * 1_000,
        _ => u.arbitrary()?,
    };
    Ok(MessageTs::from_micros(edge.saturating_add(distance)))
}

fn check(u: &mut Unstructured<'_>) -> Result<()> {
    let policy = ChapterPolicy {
        message_threshold: (*u.choose(&[0, 1, 2, 3, 50, u32::MAX])?),
        conversation_idle_seconds: (*u.choose(&[0, 1, 7200, u64::MAX])?),
    };
    let start = stamp(u)?;
    let horizon = stamp(u)?;
    let mut messages = Vec::new();
    while !u.is_empty() && messages.len() < MOST {
        messages.push(stamp(u)?);
    }
    let cuts = cut_into_chapters(start, messages.iter().copied(), policy, horizon);
    let mut seen: Vec<MessageTs> =
        messages.iter().copied().filter(|ts| *ts > start && *ts <= horizon).collect();
    seen.sort_unstable();
    seen.dedup();
    covers(start, &cuts, &seen);
    // Looked at a second time, from the middle on, as after a kill.
    let kept = cuts.len() / 2;
    let from = kept.checked_sub(1).and_then(|last| cuts.get(last)).map_or(start, |last| last.to);
    let again = cut_into_chapters(from, messages.iter().rev().copied(), policy, horizon);
    assert_eq!(cuts.get(kept..), Some(again.as_slice()), "the rest is cut as before");
    // And once before, when less was known.
    if let Some(earlier) = seen.get(seen.len() / 2) {
        let before = cut_into_chapters(start, messages.iter().copied(), policy, *earlier);
        assert!(cuts.starts_with(&before), "{before:?} became {cuts:?}");
    }
    let first = first_version(start, messages, policy, horizon);
    assert_eq!(first.map(|cut| cut.to), seen.last().copied());
    Ok(())
}

/// Panics unless the chapters own the messages in order, each one once.
fn covers(start: MessageTs, cuts: &[Cut], seen: &[MessageTs]) {
    let mut from = start;
    for cut in cuts {
        assert_eq!(cut.from, from, "a chapter begins where the one before ends");
        assert!(cut.to > cut.from, "an empty range");
        let count = seen.iter().filter(|ts| **ts > cut.from && **ts <= cut.to).count();
        assert_eq!(u32::try_from(count), Ok(cut.count));
        assert!(cut.count >= 1 && seen.contains(&cut.to), "it ends with a message");
        from = cut.to;
    }
}
