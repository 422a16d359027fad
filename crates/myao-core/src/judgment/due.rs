//! Decides when a pause is judged, from what is stored and the current time (specification §4, design §6).

use jiff::{SignedDuration, Timestamp};

use super::{
    manners::Manners,
    pause::{ChannelTalk, Pause},
};
use crate::chat::{MessageTs, Place, instant_after};

/// The last decision about a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// To speak: the pause is not judged again.
    Speak,
    /// To stay quiet, or the judgment failed: the pause is not judged again before this instant.
    Hold(Timestamp),
}

/// Whether and when a pause is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The pause is judged.
    At {
        /// The instant from which on it is judged.
        at: Timestamp,
        /// The wait that was drawn for it.
        wait: SignedDuration,
    },
    /// The pause is not judged any more.
    Never(NeverJudged),
}

/// Why a pause is not judged any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeverJudged {
    /// It was already decided to speak.
    Decided,
    /// Its message is older than `response.max_message_age_seconds` by the time it could be judged.
    TooOld,
    /// Nobody talked in the channel for `response.active_channel_days`.
    Inactive,
}

impl Manners {
    /// When a pause of a channel is to be judged, as things stand at `now`: once its wait since the last message is
    /// over, not while an earlier decision holds, and not in quiet hours.
    pub fn due(&self, talk: &ChannelTalk, pause: &Pause, decided: Option<Decision>, now: Timestamp) -> Due {
        let place = Place { channel: talk.channel().clone(), thread: pause.thread };
        let wait = self.wait(&place, pause.said_ts, self.people_before(talk, pause.said_ts));
        let waited = instant_after(pause.said_ts.to_timestamp(), wait);
        let free = match decided {
            Some(Decision::Speak) => return Due::Never(NeverJudged::Decided),
            Some(Decision::Hold(until)) => waited.max(until),
            None => waited,
        };
        let from = free.max(now);
        let open = self.not_quiet(from);
        if open.duration_since(pause.latest_ts.to_timestamp()) > self.max_message_age {
            return Due::Never(NeverJudged::TooOld);
        }
        let talked = talk.last_person().map_or(now, MessageTs::to_timestamp);
        if open.duration_since(talked) > self.active_channel {
            return Due::Never(NeverJudged::Inactive);
        }
        Due::At { at: if open == from { free } else { open }, wait }
    }

    /// How many messages people wrote in the window before a message, that message included.
    fn people_before(&self, talk: &ChannelTalk, said: MessageTs) -> usize {
        self.liveliness.as_ref().map_or(0, |lively| {
            let window = i64::try_from(lively.window.as_micros()).unwrap_or(i64::MAX);
            let from = MessageTs::from_micros(said.as_micros().saturating_sub(window));
            talk.people_between(from, said)
        })
    }
}

/// The first instant from `earliest` on that is at least `gap` away from all of `taken`, so that answers nobody asked
/// for do not come all at once (`response.response_interval`).
pub fn apart_from_taken(earliest: Timestamp, taken: &[Timestamp], gap: SignedDuration) -> Timestamp {
    let mut taken = taken.to_vec();
    taken.sort_unstable();
    taken.into_iter().fold(earliest, |instant, other| {
        if instant.duration_since(other).abs() < gap { instant_after(other, gap) } else { instant }
    })
}
