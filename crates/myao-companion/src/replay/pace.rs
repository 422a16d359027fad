//! Decides how long a place is not judged because we are about to say something there.

use jiff::Timestamp;
use myao_core::{
    chat::Speaker,
    judgment::{Moment, Utterance},
};

use super::Past;

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
