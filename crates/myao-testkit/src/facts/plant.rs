//! Puts facts into talk.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use fastrand::Rng;
use myao_core::chat::{ChannelId, Message, MessageKind, MessageTs, UserId};

use super::Fact;

const DAY: i64 = 24 * 3600 * 1_000_000;
/// The ages of facts, from and to, in days, and how many of every eight facts have that age. Recent talk is short, so
/// fewer facts fit into it.
const AGES: [(i64, i64, usize); 4] = [(0, 7, 1), (8, 30, 2), (31, 90, 2), (91, 3650, 3)];
/// How long after the previous message a fact is said, at most, in microseconds.
const PAUSE: i64 = 20_000_000;
/// How many days before the change a fact is first said: the least and the most.
const EARLIER: (i64, i64) = (2, 150);
/// How many tries to find room for one fact are made.
const TRIES: usize = 400;

/// A fact, and the messages that say it.
#[derive(Clone, Debug)]
pub struct PlantedFact {
    /// The fact.
    pub fact: Fact,
    /// The message that says it first.
    pub first: Message,
    /// The message that says that it has changed.
    pub change: Option<Message>,
}

impl PlantedFact {
    /// The newest message about the fact.
    pub fn newest(&self) -> &Message {
        self.change.as_ref().unwrap_or(&self.first)
    }
}

/// Puts facts into `talk`. Each fact is said at top level, by the person who spoke just before; the change of a fact is
/// said later in the same channel. The same seed gives the same places. A fact for which there is no room is left out.
///
/// `talk` is everything that was said; ages are counted back from `now`.
pub fn plant_facts(talk: &[Message], facts: &[Fact], now: MessageTs, seed: u64) -> Vec<PlantedFact> {
    let mut soil = Soil::of(talk, seed);
    let ages: Vec<(i64, i64)> =
        AGES.iter().flat_map(|(from, to, share)| std::iter::repeat_n((*from, *to), *share)).collect();
    let mut planted = Vec::new();
    // Facts come by templates in turn. The stride shares no factor with eight, so that each template gets every age.
    for (number, fact) in facts.iter().enumerate() {
        let Some(age) = ages.get((number * 5 + number / 8) % ages.len()) else { continue };
        let range = (now.as_micros() - (age.1 + 1) * DAY + 1, now.as_micros() - age.0 * DAY);
        planted.extend(soil.plant(fact, range.0, range.1));
    }
    planted
}

/// The talk of a channel, in order.
type Talk<'t> = BTreeMap<MessageTs, &'t Message>;

struct Soil<'t> {
    channels: BTreeMap<&'t ChannelId, Talk<'t>>,
    /// Every message, by time. A place is drawn from this list, so that there are more facts where more is said.
    by_time: Vec<(MessageTs, &'t ChannelId)>,
    taken: BTreeSet<(&'t ChannelId, MessageTs)>,
    rng: Rng,
}

impl<'t> Soil<'t> {
    fn of(talk: &'t [Message], seed: u64) -> Self {
        let mut channels: BTreeMap<&ChannelId, Talk<'_>> = BTreeMap::new();
        let mut by_time = Vec::new();
        for message in talk.iter().filter(|message| message.is_talk()) {
            channels.entry(&message.channel).or_default().insert(message.ts, message);
            by_time.push((message.ts, &message.channel));
        }
        by_time.sort_unstable();
        Self { channels, by_time, taken: BTreeSet::new(), rng: Rng::with_seed(seed) }
    }

    fn plant(&mut self, fact: &Fact, from: i64, to: i64) -> Option<PlantedFact> {
        for _ in 0..TRIES {
            let (channel, last) = self.any_within(from, to, None)?;
            let Some(change) = &fact.change else {
                let first = self.say(channel, last, &fact.said);
                return Some(PlantedFact { fact: fact.clone(), first, change: None });
            };
            let earlier = |days: i64| last.as_micros() - days * DAY;
            let Some((_, first)) = self.any_within(earlier(EARLIER.1), earlier(EARLIER.0), Some(channel))
            else {
                continue;
            };
            let first = self.say(channel, first, &fact.said);
            let change = Some(self.say(channel, last, &change.said));
            return Some(PlantedFact { fact: fact.clone(), first, change });
        }
        None
    }

    /// A message with room behind it, that was said within a range of microseconds.
    fn any_within(
        &mut self,
        from: i64,
        to: i64,
        channel: Option<&'t ChannelId>,
    ) -> Option<(&'t ChannelId, MessageTs)> {
        let from = MessageTs::from_micros(from);
        let to = MessageTs::from_micros(to);
        let messages: Vec<(MessageTs, &'t ChannelId)> = if let Some(channel) = channel {
            let talk = self.channels.get(channel)?;
            talk.range(from..=to).map(|(ts, message)| (*ts, &message.channel)).collect()
        } else {
            let start = self.by_time.partition_point(|(ts, _)| *ts < from);
            let end = self.by_time.partition_point(|(ts, _)| *ts <= to);
            self.by_time.get(start..end).unwrap_or_default().to_vec()
        };
        for _ in 0..TRIES {
            let (ts, channel) = *self.rng.choice(&messages)?;
            if !self.taken.contains(&(channel, ts)) && self.pause(channel, ts) > 1 {
                return Some((channel, ts));
            }
        }
        None
    }

    /// How long the channel is silent after a message, in microseconds.
    fn pause(&self, channel: &ChannelId, ts: MessageTs) -> i64 {
        let after = (Bound::Excluded(ts), Bound::Unbounded);
        let next = self.channels.get(channel).and_then(|talk| talk.range(after).next());
        next.map_or(PAUSE, |(next, _)| next.micros_since(ts))
    }

    fn say(&mut self, channel: &'t ChannelId, after: MessageTs, text: &str) -> Message {
        self.taken.insert((channel, after));
        let pause = (self.pause(channel, after) / 2).clamp(1, PAUSE);
        let before = self.channels.get(channel).and_then(|talk| talk.get(&after));
        Message {
            channel: channel.clone(),
            ts: MessageTs::from_micros(after.as_micros() + pause),
            thread_ts: None,
            user: before.map_or_else(|| UserId::new("somebody"), |message| message.user.clone()),
            kind: MessageKind::Talk,
            text: text.to_owned(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        }
    }
}
