//! Computes where a message or a memory stands in the index: a number that follows from what it is, so that no table
//! has to map one to the other.
//!
//! The number begins with the channel's number, so that what a search may see, and what it looks for in one channel, is
//! a range. For a message, the time follows, in units of a quarter of a millisecond, so that a stretch of talk is a
//! range as well. Messages of one channel in the same quarter share an address; what is found there is read and
//! compared one by one. For a memory, the number of its step follows, after all messages of its channel.

use myao_core::{chat::MessageTs, memory::StepId};

/// Bits of the time: 139 years from 1970 on. Together with the 18 bits of a channel's number, and one that tells
/// memories from messages, they fill a row's number.
const TIME_BITS: u32 = 44;

const SLOTS: i64 = 1 << TIME_BITS;

/// How many addresses a channel has: its messages', then its memories'.
const OF_A_CHANNEL: i64 = 2 * SLOTS;

/// How many microseconds share an address.
const SLOT: i64 = 250;

/// All addresses, from the first to the second, exclusive.
pub(super) const ALL: (i64, i64) = (0, i64::MAX);

/// What an address stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexedRow {
    /// Messages of a channel, from the first of these times to the second, exclusive, in microseconds.
    Messages { from: i64, to: i64 },
    /// The memory whose text came with this step.
    Memory(StepId),
}

/// The address of a message of the channel with this number.
pub(super) fn of_message(number: i64, ts: MessageTs) -> i64 {
    let slot = (ts.as_micros() / SLOT).clamp(0, SLOTS - 1);
    number.saturating_mul(OF_A_CHANNEL).saturating_add(slot)
}

/// The address of a memory of the channel with this number.
pub(super) fn of_memory(number: i64, step: StepId) -> i64 {
    memories_of(number).0.saturating_add(step.0.clamp(0, SLOTS - 1))
}

/// The addresses of a channel's messages and memories, from the first to the second, exclusive.
pub(super) fn of_channel(number: i64) -> (i64, i64) {
    (number.saturating_mul(OF_A_CHANNEL), number.saturating_add(1).saturating_mul(OF_A_CHANNEL))
}

/// The addresses of a channel's memories, from the first to the second, exclusive.
pub(super) fn memories_of(number: i64) -> (i64, i64) {
    let (from, to) = of_channel(number);
    (from.saturating_add(SLOTS), to)
}

/// The number of an address's channel.
pub(super) fn channel_number(address: i64) -> i64 {
    address / OF_A_CHANNEL
}

/// The part of an address within its channel.
pub(super) fn part_within_channel(address: i64) -> i64 {
    address.rem_euclid(OF_A_CHANNEL)
}

/// The first time, in microseconds, or the first step that this part of an address, or one after it, stands for.
pub(super) fn from_within(within: i64) -> IndexedRow {
    match indexed_row(within) {
        // Times before 1970 share the first address.
        IndexedRow::Messages { to, .. } if within <= 0 => IndexedRow::Messages { from: i64::MIN, to },
        row @ (IndexedRow::Messages { .. } | IndexedRow::Memory(_)) => row,
    }
}

/// The part of an address within its channel that comes after all messages.
pub(super) const AFTER_MESSAGES: i64 = SLOTS;

/// Whether something at this address may have been said between these times, both included. Of a memory, its address does
/// not tell.
pub(super) fn may_be_between(address: i64, from: MessageTs, to: MessageTs) -> bool {
    let number = channel_number(address);
    is_memory(address) || (of_message(number, from) <= address && address <= of_message(number, to))
}

pub(super) fn is_memory(address: i64) -> bool {
    matches!(indexed_row(address), IndexedRow::Memory(_))
}

pub(super) fn indexed_row(address: i64) -> IndexedRow {
    let within = part_within_channel(address);
    if within >= SLOTS {
        return IndexedRow::Memory(StepId(within - SLOTS));
    }
    let from = within.saturating_mul(SLOT);
    // Times beyond the range share the last address.
    let to = if within == SLOTS - 1 { i64::MAX } else { from.saturating_add(SLOT) };
    IndexedRow::Messages { from, to }
}

/// How many addresses a minute of talk has.
pub(super) const MINUTE: i64 = 60_000_000 / SLOT;
