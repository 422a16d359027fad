//! Finds messages that were deleted before an export was taken: the archive holds them, and the export should hold
//! them too, but does not.
//!
//! An export shows the workspace as it was in the past. A person may import one that is older than the archive, that
//! covers only a part of the workspace, or that lacks files. So only messages that the export would certainly contain
//! are compared ([`Inventory::compare`]).

use super::{absence::ComparedChannel, held::HeldMessage, ids::ChannelId, ts::MessageTs};

/// Seconds by which the time an export was taken may be off: writing one may take hours, and the times in a zip have
/// no time zone.
const WRITTEN_WITHIN_SECONDS: i64 = 24 * 3600;

/// What an export tells about the time it covers and the time it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportTimes {
    /// Its oldest message in any channel: an export may cover only a span of time.
    pub oldest: MessageTs,
    /// Its newest message in any channel: it was taken after this message, or covers a span that ends with it.
    pub newest: MessageTs,
    /// Up to when its days are whole: it may have been taken in the middle of its last one.
    pub whole_until: MessageTs,
    /// When it was taken, by the times of its files (ADR 4).
    pub taken: MessageTs,
}

/// What an export has of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// The channel.
    pub channel: ChannelId,
    /// The time stamps of everything in its files, understood or not.
    pub seen: Vec<MessageTs>,
    /// Stretches between two messages in undamaged files of consecutive days: everything said in them is in these
    /// files. Disjoint, in order, both ends included.
    pub between: Vec<(MessageTs, MessageTs)>,
    /// Stretches from the first to the last instant of days whose files are undamaged, whatever time zone the days are
    /// in. Disjoint, in order, both ends included.
    pub days: Vec<(MessageTs, MessageTs)>,
}

/// How the archive got its messages of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBy {
    /// Up to when the channel is known to be complete; [`MessageTs::MIN`] when that is unknown.
    pub heard_until: MessageTs,
    /// Whether we were ever a member of it; if not, everything known comes from exports.
    pub live: bool,
}

impl Inventory {
    /// Compares the messages of the archive, in order, with those of the export: all that it should hold. An export older
    /// than the archive proves nothing, nor does a day without a file, a file that is damaged, a day in the middle of
    /// which the export was taken, or the time before its oldest message.
    ///
    /// Writing an export takes a while. A message of its last hours that we received live may have been posted after its
    /// channel was written; one that we know from an earlier export was not. Messages posted after its newest one are
    /// never counted, whatever the times of its files say: copying changes those times.
    pub fn compare(&self, held: Vec<HeldMessage>, times: ExportTimes, known: KnownBy) -> ComparedChannel {
        if times.taken < known.heard_until {
            return ComparedChannel::default();
        }
        let is_from_exports = !known.live && known.heard_until > MessageTs::MIN;
        let hours = if is_from_exports { 0 } else { WRITTEN_WITHIN_SECONDS };
        let until = times.newest.plus_seconds(-hours);
        let is_expected = |ts: MessageTs| {
            ts <= times.whole_until
                && (is_within(&self.between, ts)
                    || (times.oldest <= ts && ts <= until && is_within(&self.days, ts)))
        };
        ComparedChannel::new(held.into_iter().filter(|message| is_expected(message.ts)), &self.seen)
    }
}

fn is_within(stretches: &[(MessageTs, MessageTs)], ts: MessageTs) -> bool {
    let next = stretches.partition_point(|(_, to)| *to < ts);
    stretches.get(next).is_some_and(|(from, _)| *from <= ts)
}
