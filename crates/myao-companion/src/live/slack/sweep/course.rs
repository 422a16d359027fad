//! What is left of a channel's sweep between two of its pages: a sweep gives way after each page to channels where
//! somebody waits, and goes on later.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs},
    judgment::NextPage,
};
use myao_store::{Gap, ThreadToRecheck};

use super::unsettled::UnsettledSpan;

/// What was missed longer ago than this waits until everything younger is read.
const LONG: SignedDuration = SignedDuration::from_hours(24);
/// The age, in seconds, after which threads rarely get replies (design §2: 10 of 2,562).
const THREADS_LIVE: i64 = 30 * 24 * 3600;

/// A stretch of a channel's history, both ends included.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryRange {
    pub(super) oldest: MessageTs,
    /// `None`: now.
    pub(super) latest: Option<MessageTs>,
}

/// What is left of a channel's sweep.
#[derive(Debug)]
pub(super) struct SweepCourse {
    /// The gap as it was when this was planned, or when its progress was last noted.
    pub(super) gap: Gap,
    /// The time from which on edits and deletions are looked for.
    pub(super) recheck_from: MessageTs,
    /// What is still to be read; the last of them is read first.
    pub(super) left: Vec<HistoryRange>,
    /// Where the stretch ends, at its newer end, whose pages are being read.
    pub(super) top: Option<MessageTs>,
    /// Where that begins which an interrupted sweep has filled, while what was said after it is not all read.
    pub(super) joins: Option<MessageTs>,
    /// Threads in which something was not listed that was too young for that to tell anything: they are looked through at the
    /// end, when that is old enough.
    pub(super) unsettled_threads: Vec<ThreadToRecheck>,
    /// False when so much is missing somewhere that nothing was taken for deleted there.
    pub(super) is_whole: bool,
    /// Messages that were not listed, and were too young for that to tell anything.
    pub(super) unsettled: Option<UnsettledSpan>,
    /// When what holds these is read again, by the clock that nobody sets ([`Clock::steady`](myao_core::ports::Clock)). `None`
    /// while everything is read for the first time.
    pub(super) again_at: Option<Timestamp>,
}

impl SweepCourse {
    /// What has to be read of a gap. If an earlier sweep was interrupted, the threads were complete up to its newest
    /// message, so that they are read from there on; if hearing was not interrupted since, nothing is read twice.
    pub(super) fn plan(gap: Gap, recheck_from: MessageTs) -> Self {
        let back = |from: MessageTs| from.plus_seconds(-THREADS_LIVE).min(recheck_from);
        let whole = HistoryRange { oldest: back(gap.from), latest: None };
        let (left, joins) = match gap.swept {
            Some((from, MessageTs::MAX)) => (vec![HistoryRange { latest: Some(from), ..whole }], None),
            Some((from, to)) if back(to) > from => {
                let newest = HistoryRange { oldest: back(to), latest: None };
                (vec![HistoryRange { latest: Some(from), ..whole }, newest], Some(from))
            }
            _ => (vec![whole], None),
        };
        let top = left.last().and_then(|range| range.latest);
        Self {
            gap,
            recheck_from,
            left,
            top,
            joins,
            unsettled_threads: Vec::new(),
            is_whole: true,
            unsettled: None,
            again_at: None,
        }
    }

    /// Adds messages that were not listed, and were too young for that to tell anything; not what is found when it is read
    /// once more: what was said by then is heard, and so is its end.
    pub(super) fn note_unsettled(&mut self, span: Option<UnsettledSpan>) {
        if let Some(span) = span.filter(|_| !self.is_read_again()) {
            self.unsettled = Some(self.unsettled.map_or(span, |known| known.join(span)));
        }
    }

    /// Has everything from a message on read once more, at `again_at` and not before.
    pub(super) fn read_again_from(&mut self, first: MessageTs, again_at: Timestamp) {
        self.left = vec![HistoryRange { oldest: first, latest: None }];
        self.top = None;
        self.again_at = Some(again_at);
    }

    /// Whether this is what is read once more.
    pub(super) fn is_read_again(&self) -> bool {
        self.again_at.is_some()
    }

    /// Whether the rows tell the same as when this was planned or noted: no other process has read on, and hearing was not
    /// interrupted.
    pub(super) fn is_of(&self, gap: &Gap) -> bool {
        self.gap == *gap
    }

    /// Everything from `oldest` on is read.
    pub(super) fn read_down_to(&mut self, oldest: MessageTs) {
        if let Some(range) = self.left.last_mut() {
            range.latest = Some(oldest.just_before());
        }
    }

    /// Whether nothing is left of the stretch that is being read.
    pub(super) fn is_stretch_read(&self) -> bool {
        self.left.last().is_none_or(|range| range.latest.is_some_and(|latest| latest < range.oldest))
    }

    /// Goes on to the next stretch.
    pub(super) fn end_stretch(&mut self) {
        self.left.pop();
        self.top = self.left.last().and_then(|range| range.latest);
    }

    /// The channel.
    pub(super) fn channel(&self) -> &ChannelId {
        &self.gap.channel
    }

    /// Which page is read next.
    pub(super) fn next_page(&self, now: Timestamp) -> NextPage {
        match self.left.last() {
            None => NextPage::Older,
            Some(HistoryRange { latest: None, .. }) => NextPage::Newest,
            Some(HistoryRange { latest: Some(latest), .. }) => {
                let long_ago = MessageTs::from_timestamp(now.saturating_sub(LONG).unwrap_or(now));
                if *latest >= self.gap.from.max(long_ago) { NextPage::Recent } else { NextPage::Older }
            }
        }
    }

    /// The span that is still to be read.
    pub(super) fn rest(&self, now: Timestamp) -> SignedDuration {
        let span = |range: &HistoryRange| {
            let latest = range.latest.map_or(now, MessageTs::to_timestamp).min(now);
            latest.duration_since(range.oldest.to_timestamp().min(latest))
        };
        self.left.iter().map(span).fold(SignedDuration::ZERO, SignedDuration::saturating_add)
    }
}
