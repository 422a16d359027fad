//! Messages that a list leaves out and that are too young for that to tell anything: they may have been deleted while nobody
//! listened, or not be in the history yet. The part of the gap that holds them stays open, and is read once more as soon as
//! they are old enough (ADR 20).

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{HeldMessage, MessageTs},
    memory::SETTLING_SECONDS,
};

/// The span, both ends included, in which messages of the archive were not listed and were too young.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnsettledSpan {
    pub(super) first: MessageTs,
    last: MessageTs,
}

impl UnsettledSpan {
    /// That of a single message.
    pub(super) fn of_message(ts: MessageTs) -> Self {
        Self { first: ts, last: ts }
    }

    /// That of the messages that stand in the archive from `settled` on, before `asked_at`, and are not listed. `None` if
    /// there are none.
    pub(super) fn of_unlisted(
        held: &[HeldMessage],
        seen: &[MessageTs],
        settled: MessageTs,
        asked_at: MessageTs,
    ) -> Option<Self> {
        let seen: BTreeSet<MessageTs> = seen.iter().copied().collect();
        let is_unlisted = |message: &&HeldMessage| {
            message.stands() && settled <= message.ts && message.ts < asked_at && !seen.contains(&message.ts)
        };
        let spans = held.iter().filter(is_unlisted).map(|message| Self::of_message(message.ts));
        spans.reduce(Self::join)
    }

    /// The span over both.
    pub(super) fn join(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// How long it takes from `now` until a list that leaves them out tells that they were deleted.
    pub(super) fn settles_in(self, now: Timestamp) -> SignedDuration {
        // A list tells of what is older than that many seconds.
        let settled = self.last.plus_seconds(SETTLING_SECONDS + 1).to_timestamp();
        settled.duration_since(now).max(SignedDuration::ZERO)
    }
}
