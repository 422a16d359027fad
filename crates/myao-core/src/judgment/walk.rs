//! Replays a channel's past: which pauses would have been judged, and when.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{
    due::{Decision, Due},
    manners::Manners,
    pause::{ChannelTalk, Pause, Utterance},
};
use crate::chat::{ChannelId, MessageTs};

/// A moment at which a pause is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The pause.
    pub pause: Pause,
    /// When it is judged.
    pub at: Timestamp,
    /// The wait that was drawn for it.
    pub wait: SignedDuration,
    /// How often the same pause was judged before.
    pub before: u32,
}

/// Walks through what was said in one channel, with the rules of the live program ([`Manners::due`]).
///
/// After each [`Walk::next_moment`] it has to be told what was decided ([`Walk::decide`]); a pause about which it was
/// told nothing is not judged again.
#[derive(Debug)]
pub struct Walk<'a> {
    manners: &'a Manners,
    said: std::iter::Peekable<std::slice::Iter<'a, Utterance>>,
    talk: ChannelTalk,
    due: BTreeMap<Option<MessageTs>, (Timestamp, Moment)>,
    /// The last decision about each message of a place, and how many there were. Earlier messages are kept, since the
    /// pause at top level is about an earlier message again once the newest one is replied to in a thread.
    decided: BTreeMap<(Option<MessageTs>, MessageTs), (Decision, u32)>,
}

impl<'a> Walk<'a> {
    /// Starts before the first of `said`, which must be in the order of time.
    pub fn new(manners: &'a Manners, channel: ChannelId, said: &'a [Utterance]) -> Self {
        let due = BTreeMap::new();
        let decided = BTreeMap::new();
        Self { manners, said: said.iter().peekable(), talk: ChannelTalk::new(channel), due, decided }
    }

    /// The next moment before `until` at which something is to be judged; `None` if there is none.
    pub fn next_moment(&mut self, until: Timestamp) -> Option<Moment> {
        loop {
            let soonest = self.due.values().min_by_key(|(at, moment)| (*at, moment.pause.thread)).copied();
            let next = self.said.peek().map(|said| said.ts.to_timestamp());
            match (soonest, next) {
                // A message of the same instant is heard after the judgment.
                (Some((at, moment)), next) if next.is_none_or(|next| at <= next) => {
                    if at >= until {
                        return None;
                    }
                    self.due.remove(&moment.pause.thread);
                    let about = (moment.pause.thread, moment.pause.latest_ts);
                    self.decided.insert(about, (Decision::Speak, moment.before));
                    return Some(moment);
                }
                (_, Some(next)) if next < until => self.hear(),
                _ => return None,
            }
        }
    }

    /// Records the decision about the moment that was given last.
    pub fn decide(&mut self, moment: &Moment, decision: Decision) {
        let about = (moment.pause.thread, moment.pause.latest_ts);
        self.decided.insert(about, (decision, moment.before.saturating_add(1)));
        self.look_at(moment.pause.thread, moment.at);
    }

    /// Makes the moment that was given last come again, at `until` at the earliest: nothing was decided about it.
    pub fn put_off(&mut self, moment: &Moment, until: Timestamp) {
        let about = (moment.pause.thread, moment.pause.latest_ts);
        self.decided.insert(about, (Decision::Hold(until), moment.before));
        self.look_at(moment.pause.thread, moment.at);
    }

    fn hear(&mut self) {
        let Some(said) = self.said.next() else { return };
        self.talk.hear(said);
        let now = said.ts.to_timestamp();
        self.look_at(None, now);
        if let Some(root) = said.thread_ts {
            self.look_at(Some(root), now);
        }
    }

    /// Computes when the place is to be judged, as things stand.
    fn look_at(&mut self, thread: Option<MessageTs>, now: Timestamp) {
        self.due.remove(&thread);
        let Some(pause) = self.talk.pause(thread) else { return };
        let decided = self.decided.get(&(thread, pause.latest_ts)).copied();
        let before = decided.map_or(0, |(_, before)| before);
        let decided = decided.map(|(decision, _)| decision);
        if let Due::At { at, wait } = self.manners.due(&self.talk, &pause, decided, now) {
            let at = at.max(now);
            self.due.insert(thread, (at, Moment { pause, at, wait, before }));
        }
    }
}
