//! Made-up talk for the properties of the cut, dense around the numbers at which its decisions turn.

use myao_core::{chat::MessageTs, memory::ChapterPolicy};
use proptest::prelude::*;

pub(super) const SECOND: i64 = 1_000_000;

/// Talk, the policy it is cut by, and where the cutting starts.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) start: MessageTs,
    /// Ascending, each once; some before `start`.
    pub(super) stamps: Vec<MessageTs>,
    pub(super) policy: ChapterPolicy,
}

impl Talk {
    pub(super) fn idle_micros(&self) -> i64 {
        i64::try_from(self.policy.conversation_idle_seconds).expect("small") * SECOND
    }

    /// What the cut is about.
    pub(super) fn after_start(&self) -> Vec<MessageTs> {
        self.stamps.iter().copied().filter(|ts| *ts > self.start).collect()
    }
}

/// Distances, in microseconds: next to nothing, or just under, at, and just over the silence that ends a chapter.
fn distance(idle: i64) -> impl Strategy<Value = i64> {
    prop_oneof![
        3 => 1..=3_i64,
        6 => 1..idle,
        2 => Just(idle - 1),
        2 => Just(idle),
        2 => Just(idle + 1),
        2 => idle..idle * 20,
    ]
}

prop_compose! {
    pub(super) fn talk()(
        message_threshold in 1..7_u32,
        conversation_idle_seconds in prop_oneof![Just(1_u64), 2..100_u64],
    )(
        distances in prop::collection::vec(
            distance(i64::try_from(conversation_idle_seconds).expect("small") * SECOND),
            0..40,
        ),
        skipped in prop_oneof![3 => Just(0_usize), 1 => 0..40_usize],
        policy in Just(ChapterPolicy { message_threshold, conversation_idle_seconds }),
    ) -> Talk {
        let first = 1_500_000_000 * SECOND;
        let sum = |ts: &mut i64, distance: &i64| {
            *ts += distance;
            Some(MessageTs::from_micros(*ts))
        };
        let stamps: Vec<MessageTs> = distances.iter().scan(first, sum).collect();
        let start = skipped.checked_sub(1).and_then(|n| stamps.get(n)).copied();
        Talk { start: start.unwrap_or(MessageTs::from_micros(first)), stamps, policy }
    }
}

prop_compose! {
    /// Talk and an instant somewhere in it, before it or after it, mostly near a decision.
    pub(super) fn talk_until()(talk in talk())(
        near in 0..=talk.stamps.len(),
        beyond in distance(talk.idle_micros()),
        talk in Just(talk),
    ) -> (Talk, MessageTs) {
        let last = near.checked_sub(1).and_then(|n| talk.stamps.get(n)).copied().unwrap_or(talk.start);
        (talk, MessageTs::from_micros(last.as_micros() + beyond - 1))
    }
}
