//! Walks through talk from the oldest message to the newest, opens what is promised, asked and announced, and closes what
//! later talk settles.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use jiff::civil::Date;

use super::{
    LoopKind, OpenLoop,
    deed::SaidPromise,
    empty::Emptiness,
    kept::Owed,
    reading::{MessageReading, SaidOf},
    settled::{LastSaid, LoopSurroundings, Nearness, Tracked, is_long_over, is_settled, nearness},
    signs::Sign,
};
use crate::chat::{ChannelId, Message, MessageTs, UserId};

/// Who is asked at top level takes it on with the next they say there within this time.
const TAKEN_ON_WITHIN_SECONDS: i64 = 3_600;

/// A request that nobody has taken on yet.
#[derive(Clone, Debug)]
struct WaitingRequest {
    channel: ChannelId,
    ts: MessageTs,
    thread: Option<MessageTs>,
    of: Vec<UserId>,
    by: UserId,
    words: String,
    topics: BTreeSet<String>,
    day: Option<Date>,
}

/// What was said last in each channel and thread, by two people.
#[derive(Debug, Default)]
struct LastWords(BTreeMap<(ChannelId, Option<MessageTs>), (LastSaid, Option<LastSaid>)>);

impl LastWords {
    /// Takes the next message; returns what somebody else has said last.
    fn note(&mut self, message: &Message) -> Option<LastSaid> {
        let said = LastSaid { by: message.user.clone(), ts: message.ts };
        let place = place_of(message);
        let before = match self.0.remove(&place) {
            Some((last, other)) if last.by == message.user => other,
            Some((last, _)) => Some(last),
            None => None,
        };
        self.0.insert(place, (said, before.clone()));
        before
    }
}

/// What is open so far.
#[derive(Debug, Default)]
pub(super) struct LoopWalk {
    open: Vec<Tracked>,
    asked: Vec<WaitingRequest>,
    /// Who asked last when something will be done, by channel and thread.
    asked_when: BTreeMap<(ChannelId, Option<MessageTs>), UserId>,
    last_said: LastWords,
    /// Who said what stands at top level.
    roots: BTreeMap<(ChannelId, MessageTs), UserId>,
}

impl LoopWalk {
    /// Takes the next message. Only a person's opens anything; `is_person` says whether it is one's.
    pub(super) fn hear(&mut self, reading: &MessageReading<'_>, is_person: bool) {
        let message = reading.message;
        if message.thread_ts.is_none() {
            self.roots.insert((message.channel.clone(), message.ts), message.user.clone());
        }
        let moved = self.move_promise(reading);
        let dated = self.date_promise(reading);
        let now = reading.message.ts;
        let owed = self.owed_by(&reading.message.user);
        let before = self.last_said.note(message);
        let around = LoopSurroundings { owed: &owed, before: before.as_ref() };
        let is_over =
            |tracked: &Tracked| is_long_over(&tracked.open, now) || is_settled(tracked, reading, around);
        self.open.retain(|tracked| Some(tracked.open.ts) == dated || !is_over(tracked));
        self.pass_questions_on(reading);
        self.note_when(reading);
        if !is_person || reading.is_in_jest() {
            return;
        }
        if !moved {
            self.open_promises(reading);
            self.open_coming(reading);
        }
        self.take_on(reading);
        if !self.ask_again(reading) {
            self.open_question(reading);
        }
        self.note_request(reading);
    }

    /// A promise whose author is asked when, and says no more than a day, stands by then; says which one.
    fn date_promise(&mut self, reading: &MessageReading<'_>) -> Option<MessageTs> {
        let message = reading.message;
        let asker = self.asked_when.get(&place_of(message))?;
        let day = reading.only_day().filter(|_| *asker != message.user)?;
        let is_meant = |tracked: &&mut Tracked| {
            let is_own =
                tracked.open.kind == LoopKind::Promise && tracked.open.who.as_ref() == Some(&message.user);
            is_own && nearness(&tracked.open, message) != Nearness::Elsewhere
        };
        let dated = self.open.iter_mut().rev().find(is_meant)?;
        dated.open.by = Some(day);
        Some(dated.open.ts)
    }

    /// Everything that somebody has promised, by what is to be done.
    fn owed_by(&self, user: &UserId) -> Vec<Owed> {
        let is_own = |tracked: &&Tracked| {
            tracked.open.kind == LoopKind::Promise && tracked.open.who.as_ref() == Some(user)
        };
        let mut owed: BTreeMap<Option<&str>, Owed> = BTreeMap::new();
        for tracked in self.open.iter().filter(is_own) {
            let alike = owed.entry(tracked.deed.map(|deed| deed.word));
            let (_, topics) = alike.or_insert_with(|| (tracked.deed, BTreeSet::new()));
            topics.extend(tracked.topics.iter().cloned());
        }
        owed.into_values().collect()
    }

    /// Keeps who asked last when something will be done, until anything else is said there.
    fn note_when(&mut self, reading: &MessageReading<'_>) {
        let place = place_of(reading.message);
        if reading.asks_when() {
            self.asked_when.insert(place, reading.message.user.clone());
        } else {
            self.asked_when.remove(&place);
        }
    }

    /// Who is asked and does not know has no answer to give; whom they ask has.
    fn pass_questions_on(&mut self, reading: &MessageReading<'_>) {
        let message = reading.message;
        for tracked in self.open.iter_mut().filter(|tracked| tracked.open.kind == LoopKind::Question) {
            let is_asked = tracked.asked.contains(&message.user);
            if nearness(&tracked.open, message) == Nearness::Elsewhere || !is_asked {
                continue;
            }
            if reading.emptiness() == Some(Emptiness::NoAnswer) && reading.promises().is_empty() {
                tracked.asked.retain(|asked| *asked != message.user);
                tracked.open.who = tracked.asked.first().cloned();
            } else if reading.hands_on(tracked.open.whom.as_ref()) {
                tracked.asked.extend(reading.called.iter().cloned());
            }
        }
    }

    pub(super) fn into_open(self) -> Vec<Tracked> {
        self.open
    }

    /// A promise whose author names another day stands as said then; whether there was one.
    fn move_promise(&mut self, reading: &MessageReading<'_>) -> bool {
        let is_any_own = |tracked: &Tracked| tracked.open.who.as_ref() == Some(&reading.message.user);
        if !self.open.iter().any(is_any_own) {
            return false;
        }
        let Some(moved) = reading.moved() else { return false };
        // What moves is an event.
        if reading.promises().is_empty() && !reading.coming().is_empty() {
            return false;
        }
        let message = reading.message;
        // In a thread the thing need not be named; but whoever promises another thing there has not moved the first.
        let is_of_thread = |tracked: &Tracked| {
            let is_other = |said: &SaidOf<'_, SaidPromise>| {
                tracked.deed.is_some_and(|deed| deed.word != said.what.deed.word)
            };
            nearness(&tracked.open, message) == Nearness::SameThread
                && (moved.topics.is_empty() || !reading.promises().iter().any(is_other))
        };
        let is_meant = |tracked: &Tracked| {
            let is_own =
                tracked.open.kind == LoopKind::Promise && tracked.open.who.as_ref() == Some(&message.user);
            is_own && (!moved.topics.is_disjoint(&tracked.topics) || is_of_thread(tracked))
        };
        // One of the same thing is meant, or else the nearest; and of those the newest.
        let meant = self.open.iter().enumerate().filter(|(_, tracked)| is_meant(tracked));
        let nearest = meant.min_by_key(|(nth, tracked)| {
            let is_of_another = moved.topics.is_disjoint(&tracked.topics);
            let is_elsewhere = tracked.open.channel != message.channel;
            (is_of_another, is_elsewhere, nearness(&tracked.open, message), Reverse(*nth))
        });
        let Some((nth, _)) = nearest else { return false };
        let mut tracked = self.open.remove(nth);
        tracked.topics.extend(moved.topics.iter().cloned());
        let open = &mut tracked.open;
        moved.words.clone_into(&mut open.words);
        message.channel.clone_into(&mut open.channel);
        (open.by, open.ts, open.thread_ts) = (Some(moved.what), message.ts, message.thread_ts);
        open.asked_at = None;
        self.put_promise(tracked);
        true
    }

    fn open_promises(&mut self, reading: &MessageReading<'_>) {
        for said in reading.promises() {
            let mut opened = opened(LoopKind::Promise, reading, said);
            opened.open.who = Some(reading.message.user.clone());
            opened.open.whom = reading.called.first().cloned();
            opened.open.by = said.what.by;
            opened.deed = Some(said.what.deed);
            opened.is_firm = said.what.is_firm;
            self.put_promise(opened);
        }
    }

    /// A promise takes the place of an earlier one of the same thing by the same person.
    fn put_promise(&mut self, mut new: Tracked) {
        let day = self.open.iter().rev().find(|old| is_same_promise(old, &new)).and_then(|old| old.open.by);
        self.open.retain(|old| !is_same_promise(old, &new));
        new.open.by = new.open.by.or(day);
        self.open.push(new);
    }

    /// Who was asked to do something, and says so, has promised it.
    fn take_on(&mut self, reading: &MessageReading<'_>) {
        let message = reading.message;
        let is_meant = |asked: &WaitingRequest| {
            let is_near = asked.channel == message.channel
                && match (asked.thread, message.thread_ts) {
                    (None, None) => {
                        message.ts.micros_since(asked.ts)
                            <= MessageTs::MIN.plus_seconds(TAKEN_ON_WITHIN_SECONDS).as_micros()
                    }
                    (thread, _) => thread.unwrap_or(asked.ts) == message.thread(),
                };
            is_near && asked.of.contains(&message.user)
        };
        let Some(at) = self.asked.iter().rposition(is_meant) else { return };
        let asked = self.asked.remove(at);
        if !reading.takes_on {
            return;
        }
        // "I'll do it by Monday" is read as a promise of its own.
        let own = self
            .open
            .iter()
            .position(|tracked| tracked.open.ts == message.ts && tracked.open.channel == message.channel);
        let by = own.and_then(|own| self.open.get(own)).and_then(|own| own.open.by).or(asked.day);
        self.open.retain(|tracked| tracked.open.ts != message.ts || tracked.open.channel != message.channel);
        self.put_promise(Tracked {
            open: OpenLoop {
                kind: LoopKind::Promise,
                who: Some(message.user.clone()),
                whom: Some(asked.by),
                words: asked.words,
                by,
                channel: message.channel.clone(),
                ts: message.ts,
                thread_ts: message.thread_ts,
                asked_at: Some(asked.ts),
            },
            topics: asked.topics,
            deed: None,
            is_firm: true,
            event: None,
            clock: None,
            asked: Vec::new(),
        });
    }

    fn note_request(&mut self, reading: &MessageReading<'_>) {
        let message = reading.message;
        if reading.called.is_empty() {
            return;
        }
        let Some(request) = reading.request() else { return };
        self.asked.push(WaitingRequest {
            channel: message.channel.clone(),
            ts: message.ts,
            thread: message.thread_ts,
            of: reading.called.clone(),
            by: message.user.clone(),
            words: request.words.to_owned(),
            topics: request.topics.clone(),
            day: request.what,
        });
    }

    /// Whether a message stands at top level, or in a thread that its author began.
    fn is_in_own_thread(&self, message: &Message) -> bool {
        let root = message.thread_ts.map(|root| (message.channel.clone(), root));
        root.is_none_or(|root| self.roots.get(&root) == Some(&message.user))
    }

    /// Who asks again without a word of what is waiting for the answer to their newest question there, of whomever they call
    /// as well. False where there is none.
    fn ask_again(&mut self, reading: &MessageReading<'_>) -> bool {
        let message = reading.message;
        let is_meant = |tracked: &&mut Tracked| {
            tracked.open.kind == LoopKind::Question
                && tracked.open.whom.as_ref() == Some(&message.user)
                && nearness(&tracked.open, message) != Nearness::Elsewhere
        };
        if !reading.asks_again() {
            return false;
        }
        let Some(asked) = self.open.iter_mut().rev().find(is_meant) else { return false };
        asked.asked.extend(reading.called.iter().cloned());
        if asked.open.who.is_none() {
            asked.open.who = asked.asked.first().cloned();
        }
        true
    }

    /// A question takes the place of an earlier one by the same person that asks the same.
    fn open_question(&mut self, reading: &MessageReading<'_>) {
        // In somebody else's thread, a question to nobody is mostly a part of an answer.
        if reading.called.is_empty() && !self.is_in_own_thread(reading.message) {
            return;
        }
        let Some(said) = reading.question() else { return };
        let mut new = opened(LoopKind::Question, reading, &said);
        new.open.who = reading.called.first().cloned();
        new.open.whom = Some(reading.message.user.clone());
        new.asked.clone_from(&reading.called);
        self.open.retain(|old| {
            let is_alike = old.open.kind == LoopKind::Question
                && old.open.whom == new.open.whom
                && old.open.channel == new.open.channel;
            !(is_alike && is_mostly_same(&old.topics, &new.topics))
        });
        self.open.push(new);
    }

    /// What is announced takes the place of an earlier word of the same.
    fn open_coming(&mut self, reading: &MessageReading<'_>) {
        if !reading.promises().is_empty() {
            return;
        }
        for said in reading.coming() {
            let mut new = opened(LoopKind::Coming, reading, said);
            new.open.who = Some(reading.message.user.clone());
            new.open.by = Some(said.what.day);
            new.event = Some(said.what.event);
            new.clock = said.what.clock;
            let is_moved = reading.has(Sign::Moved);
            self.open.retain(|old| !is_same_event(old, &new, is_moved));
            self.open.push(new);
        }
    }
}

/// Where a message stands: its channel, and its thread unless it stands at top level.
fn place_of(message: &Message) -> (ChannelId, Option<MessageTs>) {
    (message.channel.clone(), message.thread_ts)
}

/// Whether one person promised the same thing in one channel: by the same deed, or asked for it by the same person.
fn is_same_promise(old: &Tracked, new: &Tracked) -> bool {
    let is_alike = old.open.kind == LoopKind::Promise
        && old.open.who == new.open.who
        && old.open.channel == new.open.channel;
    let is_same = match (old.deed, new.deed) {
        (Some(old_deed), Some(new_deed)) => {
            let shares = !old.topics.is_disjoint(&new.topics);
            old_deed.word == new_deed.word && (shares || old.topics.is_empty() || new.topics.is_empty())
        }
        (None, None) => {
            let is_same_request =
                old.open.words == new.open.words || is_mostly_same(&old.topics, &new.topics);
            old.open.whom == new.open.whom && is_same_request
        }
        _ => false,
    };
    is_alike && is_same
}

fn is_same_event(old: &Tracked, new: &Tracked, is_moved: bool) -> bool {
    if old.open.kind != LoopKind::Coming {
        return false;
    }
    let is_same_word = old.event == new.event;
    let shared = old.topics.intersection(&new.topics).count();
    let is_same_channel = old.open.channel == new.open.channel;
    let is_same_day = old.open.by == new.open.by;
    let fewest = old.topics.len().min(new.topics.len());
    if is_moved && is_same_channel {
        return shared > 0 || is_same_word;
    }
    // The same event told again; on another day it is the same only if all that is said of it is the same.
    (is_same_word && is_same_day && shared > 0)
        || (is_same_word && is_same_channel && (shared == fewest || shared > 2))
}

fn is_mostly_same(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    let fewest = one.len().min(other.len());
    fewest > 0 && shared * 2 > fewest
}

fn opened<T>(kind: LoopKind, reading: &MessageReading<'_>, said: &SaidOf<'_, T>) -> Tracked {
    let message = reading.message;
    Tracked {
        open: OpenLoop {
            kind,
            who: None,
            whom: None,
            words: said.words.to_owned(),
            by: None,
            channel: message.channel.clone(),
            ts: message.ts,
            thread_ts: message.thread_ts,
            asked_at: None,
        },
        topics: said.topics.clone(),
        deed: None,
        is_firm: true,
        event: None,
        clock: None,
        asked: Vec::new(),
    }
}
