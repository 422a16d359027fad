//! Where talk has paused with nobody having the last word but a person (SPEC §4).

use std::collections::{BTreeMap, BTreeSet};

use crate::chat::{ChannelId, MessageTs, Speaker};

/// One message, as far as manners go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// When.
    pub ts: MessageTs,
    /// The root of the thread it replies in; none at top level.
    pub thread_ts: Option<MessageTs>,
    /// Who. Bots leave nobody less alone, and are not left alone themselves; one that is answered like a person
    /// counts as one.
    pub speaker: Speaker,
    /// It asked us for an answer and got what it got: nothing unasked is said to it.
    pub asked_us: bool,
}

/// A place where a person said something and nobody said anything since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The thread; none for top level.
    pub thread: Option<MessageTs>,
    /// The newest message that nobody answered: what a verdict is about.
    pub latest_ts: MessageTs,
    /// The newest message of the place: from then on is waited.
    pub said_ts: MessageTs,
}

/// A message that stands in a place.
#[derive(Clone, Copy, Debug)]
struct StandingMessage {
    ts: MessageTs,
    /// Whether it could be left alone: said by a person, and not to us.
    is_open: bool,
}

/// What was said in a channel lately.
///
/// Each thread is a place, and so is top level. Whoever replies in a thread takes its root away from top level:
/// what is to be said about it is said there. What we said stands wherever it was said, replied to or not, so that
/// we never speak twice in a row.
#[derive(Clone, Debug)]
pub struct ChannelTalk {
    channel: ChannelId,
    top: BTreeMap<MessageTs, StandingMessage>,
    newest_at_top: Option<MessageTs>,
    threads: BTreeMap<MessageTs, StandingMessage>,
    replied: BTreeSet<MessageTs>,
    people: BTreeSet<MessageTs>,
}

impl ChannelTalk {
    /// Nothing yet.
    pub fn new(channel: ChannelId) -> Self {
        Self {
            channel,
            top: BTreeMap::new(),
            newest_at_top: None,
            threads: BTreeMap::new(),
            replied: BTreeSet::new(),
            people: BTreeSet::new(),
        }
    }

    /// Which channel.
    pub fn channel(&self) -> &ChannelId {
        &self.channel
    }

    /// Takes a message in; in any order.
    pub fn hear(&mut self, said: &Utterance) {
        if said.speaker == Speaker::Bot {
            return;
        }
        let standing =
            StandingMessage { ts: said.ts, is_open: said.speaker == Speaker::Person && !said.asked_us };
        if said.speaker == Speaker::Person {
            self.people.insert(said.ts);
        }
        if let Some(root) = said.thread_ts.filter(|root| *root != said.ts) {
            self.replied.insert(root);
            if self.top.get(&root).is_some_and(|standing| standing.is_open) {
                self.top.remove(&root);
            }
            let newest = self.threads.entry(root).or_insert(standing);
            if newest.ts < said.ts {
                *newest = standing;
            }
        } else {
            self.newest_at_top = self.newest_at_top.max(Some(said.ts));
            if !(standing.is_open && self.replied.contains(&said.ts)) {
                self.top.insert(said.ts, standing);
            }
        }
    }

    /// The pause of a place; none where the last word was ours, was said to us, or nobody said anything.
    pub fn pause(&self, thread: Option<MessageTs>) -> Option<Pause> {
        let (standing, said_ts) = match thread {
            Some(root) => self.threads.get(&root).map(|standing| (*standing, standing.ts))?,
            None => (*self.top.last_key_value()?.1, self.newest_at_top?),
        };
        standing.is_open.then_some(Pause { thread, latest_ts: standing.ts, said_ts })
    }

    /// All of them, top level first.
    pub fn pauses(&self) -> impl Iterator<Item = Pause> {
        let places = std::iter::once(None).chain(self.threads.keys().copied().map(Some));
        places.filter_map(|thread| self.pause(thread))
    }

    /// How much people said after `from`, up to `to`.
    pub fn people_between(&self, from: MessageTs, to: MessageTs) -> usize {
        if from >= to { 0 } else { self.people.range(from..=to).filter(|ts| **ts > from).count() }
    }

    /// When the last person said something.
    pub fn last_person(&self) -> Option<MessageTs> {
        self.people.last().copied()
    }
}
