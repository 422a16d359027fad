//! Finds messages that were deleted before an export was taken: the archive holds them, and the export should hold
//! them too, but does not.
//!
//! An export shows the workspace as it was in the past. A person may import one that is older than the archive, that
//! covers only a part of the workspace, or that lacks files. So only messages that the export would certainly contain
//! are compared ([`Inventory::absent`]).

use std::collections::BTreeSet;

use super::{Absence, ChannelId, MessageTs, absence::missing};

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
    /// Which of the `archived` messages were deleted before the export was taken: those that it should hold and
    /// does not. An export older than the archive proves nothing, nor does a day without a file, a file that is
    /// damaged, or the time before the export's oldest message.
    ///
    /// An export ends at some time of a day, and writing it takes a while. A message of its last hours that we received
    /// live may have been posted after its channel was written; one that we know from an earlier export was not.
    /// Messages posted after its newest one are never counted, whatever the times of its files say: copying changes
    /// those times.
    pub fn absent(&self, archived: &[MessageTs], times: ExportTimes, known: KnownBy) -> Absence {
        missing(&self.expected(archived, times, known), &self.seen, false)
    }

    /// The messages that [`Inventory::absent`] compares and finds missing, however many they are. It is used when a
    /// person says that all of them were deleted.
    pub fn surely_absent(
        &self,
        archived: &[MessageTs],
        times: ExportTimes,
        known: KnownBy,
    ) -> Vec<MessageTs> {
        let seen: BTreeSet<MessageTs> = self.seen.iter().copied().collect();
        self.expected(archived, times, known).difference(&seen).copied().collect()
    }

    /// The archived messages that the export should hold.
    fn expected(&self, archived: &[MessageTs], times: ExportTimes, known: KnownBy) -> BTreeSet<MessageTs> {
        if times.taken < known.heard_until {
            return BTreeSet::new();
        }
        let is_from_exports = !known.live && known.heard_until > MessageTs::MIN;
        let hours = if is_from_exports { 0 } else { WRITTEN_WITHIN_SECONDS };
        let until = times.newest.plus_seconds(-hours);
        let is_within = |stretches: &[(MessageTs, MessageTs)], ts: MessageTs| {
            let next = stretches.partition_point(|(_, to)| *to < ts);
            stretches.get(next).is_some_and(|(from, _)| *from <= ts)
        };
        let is_expected = |ts: &MessageTs| {
            is_within(&self.between, *ts)
                || (times.oldest <= *ts && *ts <= until && is_within(&self.days, *ts))
        };
        archived.iter().copied().filter(is_expected).collect()
    }
}
