//! A brief for somebody who was away: whether a message asks for one, since when, and what of the talk belongs into it
//! (specification §5, ADR 140). No model is asked; the words are `lexicons/*/brief.json`.

use std::{collections::BTreeSet, sync::LazyLock};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::day::DayRange;
use crate::{
    chat::{ChannelId, Mentions, Message, MessageTs, UserId, without_references},
    text::{Lexicon, fold_for_comparison, head_of_text, letters_and_digits},
    worth::{is_decision, is_question, points_of_text},
};

/// How long somebody is away before what they said last counts as when they were last here: a visit has many messages.
pub const ABSENCE: SignedDuration = SignedDuration::from_mins(30);
/// How many days back a brief reaches where nobody says since when, and whoever asks has said nothing.
pub const USUAL_DAYS: i64 = 7;
/// How long a word of one's own at top level counts as an answer to what was asked there.
const ANSWERED_WITHIN: SignedDuration = SignedDuration::from_hours(1);
/// A message of more characters says more than that one was away.
const LONGEST: usize = 120;
/// The most that a brief shows of what was asked, and of what was decided: with what changed it is a screen.
pub const MOST_ASKED: usize = 5;
/// The same of what was decided.
pub const MOST_DECIDED: usize = 6;
/// The same of what changed.
pub const MOST_CHANGED: usize = 4;

static ASKING: Lexicon = Lexicon::of_all("brief.asking");
static ASKING_OF_A_TIME: Lexicon = Lexicon::of_all("brief.asking_of_a_time");
static ABSENT: Lexicon = Lexicon::of_all("brief.absence");
static FILLERS: Lexicon = Lexicon::of_all("brief.fillers");
static HERE: Lexicon = Lexicon::of_all("brief.here");
static SINCE: Lexicon = Lexicon::english("brief.since");
static SINCE_BEHIND: Lexicon = Lexicon::japanese("brief.since");
static REQUESTS: Lexicon = Lexicon::of_all("brief.requests");
static INTENTIONS: Lexicon = Lexicon::english("brief.intentions");
static LONGEST_INTENTION: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&INTENTIONS));
static LONGEST_ASKING: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&ASKING));
static LONGEST_OF_A_TIME: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&ASKING_OF_A_TIME));
static LONGEST_ABSENT: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&ABSENT));
static LONGEST_HERE: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&HERE));
static LONGEST_FILLERS: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&FILLERS));

/// The longest first, so that what is left of a longer one is not taken for something else.
fn longest_first(list: &'static Lexicon) -> Vec<&'static str> {
    let mut words: Vec<&str> = list.words().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

/// A wish for a brief.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BriefWish {
    /// Since when, inclusive; `None`: since whoever asks was last here.
    pub since: Option<MessageTs>,
    /// Of these channels; empty: of all that may be seen.
    pub channels: Vec<ChannelId>,
    /// Of the place where it is asked.
    pub is_here: bool,
}

impl BriefWish {
    /// The wish that a message is; `None` if it asks for anything else.
    pub fn of_talk(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Self> {
        let is_quoted = text.contains(['"', '“', '”', '「', '」', '『', '`', '\n']) || text.starts_with('>');
        if text.chars().count() > LONGEST || is_quoted {
            return None;
        }
        let channels = channel_references(text);
        let mut rest = format!(" {} ", fold_for_comparison(&without_references(text)));
        let is_plain = take_out(&mut rest, &LONGEST_ASKING);
        let is_of_a_time = take_out(&mut rest, &LONGEST_OF_A_TIME);
        if !is_plain && !is_of_a_time {
            return None;
        }
        let is_of_absence = take_out(&mut rest, &LONGEST_ABSENT);
        let is_here = take_out(&mut rest, &LONGEST_HERE);
        let since = take_day(&mut rest, now, zone);
        while take_out(&mut rest, &LONGEST_FILLERS) {}
        let says_more = rest.contains(char::is_alphanumeric);
        // "What happened yesterday?" asks for that day, and not for what was missed since.
        let is_of_span = since.as_ref().is_some_and(|named| named.is_since);
        let is_asked = is_plain || is_of_absence || is_of_span;
        let since = since.map(|named| named.start);
        (is_asked && !says_more).then_some(Self { since, channels, is_here })
    }

    /// The wish that was typed behind a command: a day, channels, both or nothing.
    ///
    /// # Errors
    /// The words that name no day.
    pub fn of_command(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Self, String> {
        let channels = channel_references(text);
        let said = without_references(text);
        if said.chars().count() > LONGEST {
            return Err(head_of_text(said.trim(), LONGEST).to_owned());
        }
        let mut rest = format!(" {} ", fold_for_comparison(&said));
        take_out(&mut rest, &LONGEST_ABSENT);
        let is_here = take_out(&mut rest, &LONGEST_HERE);
        let since = take_day(&mut rest, now, zone).map(|named| named.start);
        let said = rest.trim();
        if since.is_none() && said.contains(char::is_alphanumeric) {
            return Err(said.to_owned());
        }
        Ok(Self { since, channels, is_here })
    }
}

/// The channels that a text refers to.
fn channel_references(text: &str) -> Vec<ChannelId> {
    let mut mentions = Mentions::default();
    mentions.add_talk(text);
    mentions.channels.into_iter().collect()
}

/// Takes the first of these words out that a folded text holds, English ones as whole words; whether there was one.
fn take_out(text: &mut String, words: &[&str]) -> bool {
    let found = words.iter().find_map(|word| place_of(text, word).map(|at| (at, word.len())));
    if let Some((at, length)) = found {
        text.replace_range(at..at + length, " ");
    }
    found.is_some()
}

/// Where a text holds a word; an English one stands alone.
fn place_of(text: &str, word: &str) -> Option<usize> {
    if !word.is_ascii() {
        return text.find(word);
    }
    let is_apart = |at: &usize| {
        let before = text.get(..*at).is_some_and(|head| !head.ends_with(|c: char| c.is_ascii_alphanumeric()));
        let behind = text.get(at + word.len()..);
        before
            && behind.is_some_and(|tail| !tail.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '\''))
    };
    text.match_indices(word).map(|(at, _)| at).find(is_apart)
}

/// A day that a text names.
struct BriefDay {
    /// Where it begins.
    start: MessageTs,
    /// Whether the text says `since` beside it.
    is_since: bool,
}

/// Takes the name of a day out of a folded text, with the word that says `since`.
fn take_day(text: &mut String, now: Timestamp, zone: &TimeZone) -> Option<BriefDay> {
    let start = |name: &str| {
        let name = name.trim_matches(|c: char| c.is_whitespace() || ",.!?。、！？".contains(c));
        (!name.is_empty()).then(|| start_of_named(name, now, zone)).flatten()
    };
    for since in SINCE.words() {
        let Some(at) = place_of(text, since) else { continue };
        let tail = text.get(at + since.len()..)?.to_owned();
        // The longest name that begins behind it: `since last monday, please`.
        let ends = tail.char_indices().filter(|(_, c)| c.is_whitespace() || ",.!?".contains(*c));
        let ends: Vec<usize> = ends.map(|(end, _)| end).filter(|end| *end > 0).collect();
        for end in ends.into_iter().rev() {
            if let Some(day) = tail.get(..end).and_then(start) {
                text.replace_range(at..at + since.len() + end, " ");
                return Some(BriefDay { start: day, is_since: true });
            }
        }
    }
    for since in SINCE_BEHIND.words() {
        let Some(at) = text.find(since) else { continue };
        let head = text.get(..at)?.to_owned();
        for (from, _) in head.char_indices() {
            if let Some(day) = head.get(from..).and_then(start) {
                text.replace_range(from..at + since.len(), " ");
                return Some(BriefDay { start: day, is_since: true });
            }
        }
    }
    let mut bare = text.clone();
    while take_out(&mut bare, &LONGEST_FILLERS) {}
    let day = start(&bare).or_else(|| start(text))?;
    text.clear();
    Some(BriefDay { start: day, is_since: false })
}

/// Where the day, week or month begins that a name names.
fn start_of_named(name: &str, now: Timestamp, zone: &TimeZone) -> Option<MessageTs> {
    let days = DayRange::parse(name, now, zone).or_else(|| {
        // 月曜 is Monday, as 月曜日 is.
        name.ends_with('曜').then(|| DayRange::parse(&format!("{name}日"), now, zone)).flatten()
    })?;
    (days.start <= MessageTs::from_timestamp(now)).then_some(days.start)
}

/// When somebody was last here: the newest of what they said (`own`, newest first) before a silence of [`ABSENCE`] that
/// reaches up to now or to what they say in this visit. `None` if they have said nothing before it.
pub fn last_here(own: &[MessageTs], now: Timestamp) -> Option<MessageTs> {
    let mut visit = now;
    for ts in own {
        let said = ts.to_timestamp();
        if visit.duration_since(said) >= ABSENCE {
            return Some(*ts);
        }
        visit = said;
    }
    None
}

/// Whether a message tells what was decided. What somebody says that they will do is no decision by that alone.
fn tells_decision(text: &str) -> bool {
    let mut rest = format!(" {} ", fold_for_comparison(text));
    while take_out(&mut rest, &LONGEST_INTENTION) {}
    is_decision(&rest)
}

/// What was said while somebody was away.
#[derive(Clone, Copy, Debug)]
pub struct BriefTalk<'a> {
    /// Who was away.
    pub me: &'a UserId,
    /// What they are called.
    pub name: &'a str,
    /// What was said, oldest first, by people, them included.
    pub messages: &'a [Message],
}

/// What of it belongs into a brief, as numbers of messages, each in the order of time, with no more than a screen shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BriefPoints {
    /// What was asked of them, and not answered by them since.
    pub asked: Vec<usize>,
    /// What was decided.
    pub decided: Vec<usize>,
    /// How many more were asked of them.
    pub more_asked: usize,
    /// How many more were decided.
    pub more_decided: usize,
}

impl BriefTalk<'_> {
    /// What of it belongs into a brief. Of too many things that were asked the newest are shown; of decisions those that
    /// say most.
    pub fn points(&self) -> BriefPoints {
        let numbered = || self.messages.iter().enumerate();
        let asked = numbered().filter(|(_, message)| self.is_asked(message) && !self.is_answered(message));
        let mut asked: Vec<usize> = asked.map(|(nth, _)| nth).collect();
        let more_asked = asked.len().saturating_sub(MOST_ASKED);
        asked.drain(..more_asked);
        let mut told = BTreeSet::new();
        // Of the same words the last time counts.
        let decided = numbered().rev().filter(|(_, message)| tells_decision(&message.text));
        let decided = decided.filter(|(nth, message)| {
            let letters = letters_and_digits(&fold_for_comparison(&message.text));
            told.insert(letters) && !asked.contains(nth)
        });
        let mut decided: Vec<(i64, usize)> =
            decided.map(|(nth, message)| (points_of_text(&message.text), nth)).collect();
        decided.sort_by_key(|(points, nth)| std::cmp::Reverse((*points, *nth)));
        let more_decided = decided.len().saturating_sub(MOST_DECIDED);
        decided.truncate(MOST_DECIDED);
        let mut decided: Vec<usize> = decided.into_iter().map(|(_, nth)| nth).collect();
        decided.sort_unstable();
        BriefPoints { asked, decided, more_asked, more_decided }
    }

    /// Whether a message asks or wants something of them.
    fn is_asked(&self, message: &Message) -> bool {
        if message.user == *self.me || !message.is_talk() {
            return false;
        }
        let is_called = message.text.contains(&format!("<@{}>", self.me));
        if !is_called && !self.begins_with_name(&message.text) {
            return false;
        }
        let said = without_references(&message.text);
        let folded = format!(" {} ", fold_for_comparison(&said));
        is_question(said.trim()) || REQUESTS.words().any(|request| place_of(&folded, request).is_some())
    }

    /// Whether a message begins by calling them: `Tom, could you …`, 「井上さん、…」.
    fn begins_with_name(&self, text: &str) -> bool {
        let name = fold_for_comparison(self.name.trim());
        if name.chars().count() < 2 {
            return false;
        }
        let folded = fold_for_comparison(text);
        let said = folded.trim_start().trim_start_matches('@');
        let Some(rest) = said.strip_prefix(name.as_str()) else { return false };
        let rest = ["さん", "くん", "ちゃん", "様", "先生"]
            .iter()
            .find_map(|title| rest.strip_prefix(title))
            .unwrap_or(rest);
        rest.trim_start().starts_with([',', ':', '、', '，', '：', '-', '!', '！', '。'])
    }

    /// Whether they said something since, in its thread, or soon after at top level.
    fn is_answered(&self, message: &Message) -> bool {
        let own = self.messages.iter().filter(|other| {
            other.user == *self.me && other.channel == message.channel && other.ts > message.ts
        });
        own.into_iter().any(|other| {
            let is_in_thread = other.thread_ts.is_some() && other.thread() == message.thread();
            let is_soon =
                other.ts.to_timestamp().duration_since(message.ts.to_timestamp()) <= ANSWERED_WITHIN;
            is_in_thread || (other.thread_ts.is_none() && message.thread_ts.is_none() && is_soon)
        })
    }
}
