//! Decides how long a place or a channel is not judged because of what we said there, or are about to say.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::Speaker,
    judgment::{Moment, Utterance},
};

use super::Past;
use crate::live::{HOUR, MOST_UNASKED};

/// An answer that was decided and waits for its time. Nothing else is judged in its place meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    pub(super) decided: Timestamp,
    pub(super) due: Timestamp,
}

impl UnderWay {
    /// Until when the place is not judged; `None` once the answer was given: after a mention it is given at once.
    pub(super) fn until(self, past: &Past, moment: &Moment) -> Option<Timestamp> {
        let is_here =
            |said: &&Utterance| said.thread_ts.filter(|root| *root != said.ts) == moment.pause.thread;
        let mut since = past.between(self.decided, moment.at).filter(is_here);
        let was_given = since.any(|said| said.speaker == Speaker::Own);
        (moment.at < self.due && !was_given).then_some(self.due)
    }
}

/// Until when a channel is not judged because we said enough there, counted like in the live run ([`MOST_UNASKED`]).
/// `said` is sorted.
pub(super) fn enough_said(said: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let most = usize::try_from(MOST_UNASKED).unwrap_or(usize::MAX);
    let oldest = said.len().checked_sub(most).and_then(|over| said.get(over))?;
    // One microsecond more, since an answer exactly an hour ago still counts.
    let until =
        oldest.checked_add(HOUR).and_then(|end| end.checked_add(SignedDuration::from_micros(1))).ok()?;
    (until > now).then_some(until)
}
