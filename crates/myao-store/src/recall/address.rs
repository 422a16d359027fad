//! Where a message or a memory stands in the index: a number that follows from what it is, so that no table maps one to
//! the other.
//!
//! Of a message it is its channel's number, above its time in quarters of a millisecond: what is found in a channel, or in
//! a stretch of it, is a range. Messages of one channel in the same quarter share an address; what is found there is
//! read and compared one by one. Of a memory it is the number of its journal entry: channels are numbered from 1 on.

use myao_core::{chat::MessageTs, memory::StepId};

/// Bits of the time: from 1970 on, 139 years.
const TIME_BITS: u32 = 44;
const SLOTS: i64 = 1 << TIME_BITS;
/// Microseconds that share an address.
const SLOT: i64 = 250;

/// What stands at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexedRow {
    /// Messages of the channel of this number, from the first of these times on to before the second, in microseconds.
    Messages { number: i64, from: i64, to: i64 },
    /// The memory whose text came with this journal entry.
    Memory(StepId),
}

/// The address of a message of the channel with this number.
pub(super) fn of_message(number: i64, ts: MessageTs) -> i64 {
    number.saturating_mul(SLOTS).saturating_add(slot(ts.as_micros()))
}

fn slot(micros: i64) -> i64 {
    (micros / SLOT).clamp(0, SLOTS - 1)
}

/// The address of a memory.
pub(super) fn of_memory(step: StepId) -> i64 {
    step.0.clamp(0, SLOTS - 1)
}

/// The addresses of memories, from the first on to before the second.
pub(super) const MEMORIES: (i64, i64) = (0, SLOTS);
/// The same of messages.
pub(super) const MESSAGES: (i64, i64) = (SLOTS, i64::MAX);

/// The addresses of a channel's messages, from the first on to before the second.
pub(super) fn of_channel(number: i64) -> (i64, i64) {
    (number.saturating_mul(SLOTS), number.saturating_add(1).saturating_mul(SLOTS))
}

/// The number of a message's channel; none for a memory.
pub(super) fn number(address: i64) -> Option<i64> {
    (address >= SLOTS).then_some(address / SLOTS)
}

pub(super) fn place(address: i64) -> IndexedRow {
    if address < SLOTS {
        return IndexedRow::Memory(StepId(address));
    }
    let from = address.rem_euclid(SLOTS).saturating_mul(SLOT);
    // What lies outside of all time shares the last address with its end.
    let is_last = address.rem_euclid(SLOTS) == SLOTS - 1;
    let to = if is_last { i64::MAX } else { from.saturating_add(SLOT) };
    IndexedRow::Messages { number: address / SLOTS, from, to }
}
