//! The talk that facts are planted into.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    error::Error,
    fs,
    path::Path,
};

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelId, DatedUser, Event, Message, MessageTs, User, UserId},
    text::Language,
    worth::is_program,
};
use myao_slack::export::Export;
use serde::Deserialize;

const DAY: i64 = 24 * 3600 * 1_000_000;
/// Days that talk is measured over.
const YEAR: i64 = 365;
/// How long after the last message the measurement is made: all talk has paused by then.
const AFTERWARDS: i64 = 3 * 3600;

/// How talk of another length becomes talk of a year.
#[derive(Clone, Copy, Debug)]
enum Year {
    /// The days that there are, spread evenly, in their order.
    Spread,
    /// The year with the most evidence in it.
    Best,
    /// As it is.
    All,
}

/// A collection of talk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corpus {
    /// Its name, and its folder's.
    pub name: &'static str,
    /// What is spoken.
    pub language: Language,
    year: Year,
    is_open: bool,
    is_held_out: bool,
}

impl Corpus {
    /// Talk that was made, as it is.
    pub(crate) const fn made(name: &'static str, language: Language) -> Self {
        Self { name, language, year: Year::All, is_open: false, is_held_out: false }
    }

    /// Whether the templates that are held out, or the others, are planted into it.
    pub(crate) fn is_for(&self, held_out: bool) -> bool {
        if held_out { self.is_held_out } else { self.is_open }
    }
}

/// All of them. The third is looked at with the templates that are held out only.
pub(crate) const CORPORA: [Corpus; 3] = [
    Corpus { name: "irc_gold", language: Language::En, year: Year::Spread, is_open: true, is_held_out: true },
    Corpus {
        name: "haskell_jp",
        language: Language::Ja,
        year: Year::Best,
        is_open: true,
        is_held_out: false,
    },
    Corpus { name: "mrmp_ja", language: Language::Ja, year: Year::All, is_open: false, is_held_out: true },
];

/// What was said in a corpus within a year.
#[derive(Debug)]
pub(crate) struct Talk {
    /// Where.
    pub channels: Vec<Channel>,
    /// By whom.
    pub users: Vec<User>,
    /// What, in the order of the export.
    pub messages: Vec<Message>,
    /// Messages that a question of the corpus needs.
    pub evidence: Vec<(ChannelId, MessageTs)>,
    /// When the measurement is made.
    pub now: MessageTs,
}

impl Talk {
    /// What people said. Facts are planted among it alone: what programs say is left out by memories and searches on
    /// purpose. Exports of IRC mark no programs, so these are told by their names as well.
    pub(crate) fn of_people(&self) -> Vec<Message> {
        let is_bot = |user: &&User| user.is_bot || is_program(&user.name);
        let bots: HashSet<&UserId> = self.users.iter().filter(is_bot).map(|user| &user.id).collect();
        self.messages
            .iter()
            .filter(|message| message.is_talk() && !bots.contains(&message.user))
            .cloned()
            .collect()
    }
}

#[derive(Deserialize)]
struct KnownItem {
    channel_id: ChannelId,
    gold: Vec<MessageTs>,
}

/// Reads a corpus, moved or cut to a year.
pub(crate) fn read_talk(data: &Path, corpus: &Corpus) -> Result<Talk, Box<dyn Error>> {
    let mut talk = Talk {
        channels: Vec::new(),
        users: Vec::new(),
        messages: Vec::new(),
        evidence: evidence(&data.join("recall").join(format!("{}.jsonl", corpus.name)))?,
        now: MessageTs::MIN,
    };
    let export = Export::open(data.join(corpus.name).join("export.zip"))?;
    for event in export.steps(Timestamp::MAX).flat_map(|step| step.events) {
        match event {
            Event::Channel(channel) => talk.channels.push(channel),
            Event::User(user) | Event::Departed(user) | Event::Dated(DatedUser { user, .. }) => {
                talk.users.push(user);
            }
            Event::Message(_) | Event::Sighting(_) => talk.messages.extend(event.into_message()),
            Event::Hearsay(_)
            | Event::Deleted { .. }
            | Event::HeardUntil { .. }
            | Event::AnswerStopped(_)
            | Event::Voted(_)
            | Event::Unread { .. } => {}
        }
    }
    match corpus.year {
        Year::Spread => spread(&mut talk),
        Year::Best => keep_best(&mut talk),
        Year::All => {}
    }
    let last = talk.messages.iter().map(|message| message.ts).max().ok_or("nothing was said")?;
    talk.now = last.plus_seconds(AFTERWARDS);
    Ok(talk)
}

/// The messages that the questions of a file need; none without the file.
fn evidence(path: &Path) -> Result<Vec<(ChannelId, MessageTs)>, Box<dyn Error>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut needed = BTreeSet::new();
    for line in fs::read_to_string(path)?.lines() {
        let item: KnownItem = serde_json::from_str(line)?;
        needed.extend(item.gold.into_iter().map(|ts| (item.channel_id.clone(), ts)));
    }
    Ok(needed.into_iter().collect())
}

fn day_of(ts: MessageTs) -> i64 {
    ts.as_micros().div_euclid(DAY)
}

/// Moves the days apart, so that they fill a year. What a thread says stays with its root.
fn spread(talk: &mut Talk) {
    let days: BTreeSet<i64> = talk.messages.iter().map(|message| day_of(message.thread())).collect();
    let (Some(last), Ok(count)) = (days.last().copied(), i64::try_from(days.len())) else { return };
    let begins = last - YEAR;
    let moved: BTreeMap<i64, i64> =
        (1..=count).zip(&days).map(|(at, day)| (*day, begins + at * YEAR / count - day)).collect();
    let mut places: BTreeMap<(ChannelId, MessageTs), MessageTs> = BTreeMap::new();
    for message in &mut talk.messages {
        let by = moved.get(&day_of(message.thread())).copied().unwrap_or_default();
        let shift = |ts: MessageTs| MessageTs::from_micros(ts.as_micros() + by * DAY);
        places.insert((message.channel.clone(), message.ts), shift(message.ts));
        message.ts = shift(message.ts);
        message.thread_ts = message.thread_ts.map(shift);
        message.edited_at = message.edited_at.map(shift);
    }
    let at =
        |(channel, ts): (ChannelId, MessageTs)| places.get(&(channel.clone(), ts)).map(|ts| (channel, *ts));
    talk.evidence = std::mem::take(&mut talk.evidence).into_iter().filter_map(at).collect();
}

/// Keeps the year that ends with the day for which it has the most evidence, then the most talk.
fn keep_best(talk: &mut Talk) {
    let days: BTreeSet<i64> = talk.messages.iter().map(|message| day_of(message.ts)).collect();
    let within = |day: i64, end: i64| day > end - YEAR && day <= end;
    let best = days.iter().copied().max_by_key(|end| {
        let needed = talk.evidence.iter().filter(|(_, ts)| within(day_of(*ts), *end)).count();
        (needed, talk.messages.iter().filter(|message| within(day_of(message.ts), *end)).count())
    });
    let Some(end) = best else { return };
    talk.messages.retain(|message| within(day_of(message.ts), end));
    talk.evidence.retain(|(_, ts)| within(day_of(*ts), end));
}
