//! Real talk, told again and again in other channels and partly with other words until it is as long as is asked for.
//!
//! A file of it has a JSON object a line: `channel` (an id), `ts` and `thread` (microseconds; no thread: null), `user`,
//! `text`. Of what is told again, half of the words that are rare in it become others of the same letters, the other half
//! stays: as in real talk, more of it has more words, and the known ones are said more often.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
};

use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, UserId};
use serde::Deserialize;

/// A word in as many messages, or in fewer, is rare.
const RARE: u32 = 40;
/// Each telling is so much later than the one before, in microseconds.
const LATER: i64 = 3_600_000_000;

#[derive(Deserialize)]
struct Line {
    channel: String,
    ts: i64,
    thread: Option<i64>,
    user: String,
    text: String,
}

/// What is asked, and in which language.
#[derive(Deserialize)]
pub(crate) struct Asked {
    pub(crate) lang: String,
    pub(crate) query: String,
}

/// What is said, one message after the other.
pub(crate) struct Retold {
    lines: Vec<Line>,
    /// In how many messages each word stands.
    holding: HashMap<String, u32>,
    pub(crate) asked: Vec<Asked>,
    said: u32,
}

impl Retold {
    pub(crate) fn new(talk: &str, questions: &str) -> Self {
        let read = |path: &str| fs::read_to_string(path).expect("a file of talk, one of questions");
        let lines: Vec<Line> =
            read(talk).lines().map(|line| serde_json::from_str(line).expect("a message")).collect();
        let asked: Vec<Asked> =
            read(questions).lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
        let mut holding: HashMap<String, u32> = HashMap::new();
        for line in &lines {
            for word in words(&line.text).into_iter().collect::<BTreeSet<_>>() {
                *holding.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self { asked, lines, holding, said: 0 }
    }

    pub(crate) fn said(&self) -> u32 {
        self.said
    }

    /// A day after all of it.
    pub(crate) fn now(&self) -> Timestamp {
        let last = self.lines.iter().map(|line| line.ts).max().unwrap_or_default();
        Timestamp::from_microsecond(last + 30 * 24 * LATER).expect("in time")
    }

    /// The id of a channel in the `nth` telling.
    pub(crate) fn channel(&self, nth: usize, telling: usize) -> ChannelId {
        ChannelId::new(format!("{}x{telling}", self.lines[nth % self.lines.len()].channel))
    }

    pub(crate) fn user(&self, nth: usize) -> UserId {
        UserId::new(self.lines[nth % self.lines.len()].user.clone())
    }

    /// So many days around a message.
    pub(crate) fn days(&self, nth: usize, days: i64) -> (MessageTs, MessageTs) {
        let at = self.lines[nth % self.lines.len()].ts;
        let half = days * 12 * LATER;
        (MessageTs::from_micros(at - half), MessageTs::from_micros(at + half))
    }

    /// Messages of one telling.
    pub(crate) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The channels of so many messages, three in ten private.
    pub(crate) fn workspace(&self, messages: u32) -> Vec<Event> {
        let tellings = usize::try_from(messages).expect("a size") / self.lines.len() + 1;
        let ids: BTreeSet<&str> = self.lines.iter().map(|line| line.channel.as_str()).collect();
        let all = (0..tellings).flat_map(|telling| ids.iter().map(move |id| (telling, *id)));
        let channel = |(nth, (telling, id)): (usize, (usize, &str))| Channel {
            id: ChannelId::new(format!("{id}x{telling}")),
            name: format!("{id}x{telling}").to_lowercase(),
            kind: if nth % 10 < 3 { ChannelKind::Private } else { ChannelKind::Public },
            external: false,
        };
        all.enumerate().map(channel).map(Event::Channel).collect()
    }

    pub(crate) fn say(&mut self) -> Event {
        let at = usize::try_from(self.said).expect("a size");
        let telling = at / self.lines.len();
        let nth = at % self.lines.len();
        self.said += 1;
        let line = &self.lines[nth];
        let ts = |micros: i64| MessageTs::from_micros(micros + i64::try_from(telling).unwrap_or(0) * LATER);
        Event::Message(Message {
            channel: self.channel(nth, telling),
            ts: ts(line.ts),
            thread_ts: line.thread.map(ts),
            user: UserId::new(line.user.clone()),
            kind: MessageKind::Talk,
            text: self.told(&line.text, telling),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        })
    }

    /// A text as it is in the `nth` telling.
    pub(crate) fn told(&self, text: &str, nth: usize) -> String {
        if nth == 0 {
            return text.to_owned();
        }
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        for word in words(text) {
            let (before, after) = rest.split_once(word).expect("its words, in their order");
            told.push_str(before);
            let is_rare = self.holding.get(word).copied().unwrap_or(0) <= RARE;
            if is_rare && hash(word, nth).is_multiple_of(2) {
                told.extend(word.chars().map(|c| other_letter(c, nth)));
            } else {
                told.push_str(word);
            }
            rest = after;
        }
        told + rest
    }

    /// How many messages hold a word, in one telling.
    pub(crate) fn holding(&self, word: &str) -> u32 {
        self.holding.get(word).copied().unwrap_or(0)
    }
}

/// What a text consists of: runs of letters; of Japanese, runs of kanji and of katakana.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        'a'..='z' | 'A'..='Z' => 1,
        '\u{30a1}'..='\u{30fc}' => 2,
        '\u{4e00}'..='\u{9fff}' => 3,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut begun: Option<(usize, u8)> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if let Some((from, of)) = begun
            && of != kind(c)
        {
            words.extend(text.get(from..at).filter(|word| word.chars().count() > 1));
            begun = None;
        }
        if begun.is_none() && kind(c) > 0 {
            begun = Some((at, kind(c)));
        }
    }
    words
}

fn hash(word: &str, nth: usize) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    word.bytes().fold(0xcbf2_9ce4_8422_2325 ^ (nth as u64), step) >> 17
}

/// Another letter of the same kind: a vowel for a vowel.
fn other_letter(c: char, nth: usize) -> char {
    let turned = |letters: &str| {
        let letters: Vec<char> = letters.chars().collect();
        let at = letters.iter().position(|letter| *letter == c)?;
        letters.get((at + nth) % letters.len()).copied()
    };
    let found =
        ["aeiou", "AEIOU", "bcdfghjklmnpqrstvwxyz", "BCDFGHJKLMNPQRSTVWXYZ"].into_iter().find_map(turned);
    let nth = u32::try_from(nth).unwrap_or(0);
    let moved = |first: u32, many: u32, by: u32| char::from_u32(first + (u32::from(c) - first + by) % many);
    let other = match c {
        '\u{30a1}'..='\u{30f3}' => moved(0x30a1, 83, 2 * nth),
        '\u{4e00}'..='\u{9fff}' => moved(0x4e00, 20_900, 37 * nth),
        _ => None,
    };
    found.or(other).unwrap_or(c)
}
