//! When a place or a channel is left alone for what we said there, or are about to say.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::Speaker,
    judgment::{Moment, Utterance},
};

use super::Past;
use crate::live::{HOUR, MOST_UNASKED};

/// An answer that was decided upon and waits for its time: nothing else is judged in its place meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    pub(super) decided: Timestamp,
    pub(super) due: Timestamp,
}

impl UnderWay {
    /// Until when its place is left alone, at a moment in it; none when it is over: a mention has it given at once.
    pub(super) fn until(self, past: &Past, moment: &Moment) -> Option<Timestamp> {
        let is_here =
            |said: &&Utterance| said.thread_ts.filter(|root| *root != said.ts) == moment.pause.thread;
        let mut since = past.between(self.decided, moment.at).filter(is_here);
        let was_given = since.any(|said| said.speaker == Speaker::Own);
        (moment.at < self.due && !was_given).then_some(self.due)
    }
}

/// Until when a channel has heard enough of us at `now`, if it has: as the live program counts ([`MOST_UNASKED`]).
/// `said` is sorted.
pub(super) fn enough_said(said: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let most = usize::try_from(MOST_UNASKED).unwrap_or(usize::MAX);
    let oldest = said.len().checked_sub(most).and_then(|over| said.get(over))?;
    // An hour ago is within the hour.
    let until =
        oldest.checked_add(HOUR).and_then(|end| end.checked_add(SignedDuration::from_micros(1))).ok()?;
    (until > now).then_some(until)
}
