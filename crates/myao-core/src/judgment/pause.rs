//! Finds the places where talk has paused after a person's message (specification §4).

use std::collections::{BTreeMap, BTreeSet};

use crate::chat::{ChannelId, MessageTs, Speaker};

/// One message, as far as pauses depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// Its time stamp.
    pub ts: MessageTs,
    /// The root of the thread it replies in; `None` at top level.
    pub thread_ts: Option<MessageTs>,
    /// Who said it. Messages of bots neither begin nor end a pause; a bot that is answered like a person counts as a
    /// person.
    pub speaker: Speaker,
    /// Whether it asked us for an answer, given or not, or its author wants none unasked: nothing unasked is said about it.
    pub takes_nothing_unasked: bool,
}

/// A place where a person said something and nobody said anything since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The thread; `None` for top level.
    pub thread: Option<MessageTs>,
    /// The newest message that nobody answered: what a verdict is about.
    pub latest_ts: MessageTs,
    /// The newest message of the place, with which the wait begins.
    pub said_ts: MessageTs,
}

/// A message that may be the last word of a place.
#[derive(Clone, Copy, Debug)]
struct StandingMessage {
    ts: MessageTs,
    /// Whether it may want an answer that nobody gives: a person said it, and not to us.
    is_open: bool,
}

/// What was said in a channel lately, and the pauses in it.
///
/// Each thread is a place, and so is top level. A reply in a thread takes the thread's root away from top level, since
/// what is to be said about the root is said in the thread. A message of ours, or to us, stays at top level even if it
/// was replied to, so that we never speak twice in a row.
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
    /// A channel in which nothing was said yet.
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

    /// The channel.
    pub fn channel(&self) -> &ChannelId {
        &self.channel
    }

    /// Adds a message. Messages may come in any order.
    pub fn hear(&mut self, said: &Utterance) {
        if said.speaker == Speaker::Bot {
            return;
        }
        let standing = StandingMessage {
            ts: said.ts,
            is_open: said.speaker == Speaker::Person && !said.takes_nothing_unasked,
        };
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

    /// The pause of a place; `None` if the last message there is ours or was said to us, or if there is no message.
    pub fn pause(&self, thread: Option<MessageTs>) -> Option<Pause> {
        let (standing, said_ts) = match thread {
            Some(root) => self.threads.get(&root).map(|standing| (*standing, standing.ts))?,
            None => (*self.top.last_key_value()?.1, self.newest_at_top?),
        };
        standing.is_open.then_some(Pause { thread, latest_ts: standing.ts, said_ts })
    }

    /// The pauses of all places, top level first.
    pub fn pauses(&self) -> impl Iterator<Item = Pause> {
        let places = std::iter::once(None).chain(self.threads.keys().copied().map(Some));
        places.filter_map(|thread| self.pause(thread))
    }

    /// How many messages people wrote after `from`, up to `to`.
    pub(crate) fn people_between(&self, from: MessageTs, to: MessageTs) -> usize {
        if from >= to { 0 } else { self.people.range(from..=to).filter(|ts| **ts > from).count() }
    }

    /// When a person last said something.
    pub(crate) fn last_person(&self) -> Option<MessageTs> {
        self.people.last().copied()
    }
}
