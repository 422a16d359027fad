//! Deletions that an export tells of by leaving them out: what the archive holds, and a newer export should.
//!
//! An export is a state of the past, and a person may import one again that is older than the archive, a part of
//! one, or one with files missing. Only what it surely would contain counts ([`Inventory::absent`]).

use std::collections::BTreeSet;

use super::{Absence, ChannelId, MessageTs, absence::missing};

/// An export may be written over hours, and a zip tells its times without a zone.
const WRITTEN_WITHIN_SECONDS: i64 = 24 * 3600;

/// When an export was made, as far as it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportTimes {
    /// Its oldest message, whatever the channel: it may be of a span of time only.
    pub oldest: MessageTs,
    /// Its newest message: it was taken after this, or is of a span that ends here.
    pub newest: MessageTs,
    /// When it was taken, as its files tell (ADR 4).
    pub taken: MessageTs,
}

/// What an export has of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// Which channel.
    pub channel: ChannelId,
    /// The time stamps of everything in its files, understood or not.
    pub seen: Vec<MessageTs>,
    /// Stretches, apart and in order, ends included, between messages of files that are whole and of days in a row: everything said in
    /// them is in these files.
    pub between: Vec<(MessageTs, MessageTs)>,
    /// Stretches, apart and in order, from the first to the last instant of days whose files are whole, in whatever zone the days are.
    pub days: Vec<(MessageTs, MessageTs)>,
}

/// How the archive came by what it has of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBy {
    /// Up to when the channel is known to be complete; [`MessageTs::MIN`] when that is unknown.
    pub heard_until: MessageTs,
    /// Whether we were ever a member of it: else all that is known is from exports.
    pub live: bool,
}

impl Inventory {
    /// Which of the `archived` messages were deleted before the export was taken: those that it should hold and
    /// does not. An export older than the archive proves nothing, nor does a day without a file, a file that is
    /// damaged, or the time before the export's oldest message.
    ///
    /// At its end an export is cut off somewhere in a day. What we heard ourselves in its last hours may have been
    /// said after its channel was written; what an earlier export had was not. Nothing is said of what was posted
    /// after its newest message, whenever its files say that they were written: copies have other times.
    pub fn absent(&self, archived: &[MessageTs], times: ExportTimes, known: KnownBy) -> Absence {
        missing(&self.expected(archived, times, known), &self.seen, false)
    }

    /// The same for a person who knows that whatever is missing was deleted, however much it is.
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
