//! What one message opens, and what it says of that which is open.

use std::{cell::OnceCell, collections::BTreeSet, sync::LazyLock};

use jiff::{
    civil::{Date, Time},
    tz::TimeZone,
};

use super::{
    day::{clock_of_sentence, day_of_sentence, first_day_of_several, last_day_of_sentence, says_deadline},
    deed::{SaidPromise, is_doubtful, names_deed, promise_of_sentence},
    done::{is_not_yet, says_done},
    empty::{Emptiness, emptiness, emptiness_of_sentence, hands_on},
    kept::{LaterSentence, Promised, Receipt},
    question::{asks_anybody, begins_with_words, waits_for_answer},
    sentences::{FENCE, OwnSentence, has_link, has_quoted, own_sentences, people_called},
    signs::{Sign, asks_for_deed, asks_when, has_sign, is_in_jest, is_short, takes_on},
    topic::topics_of,
};
use crate::{
    chat::{Message, UserId},
    text::Lexicon,
    worth::WordFinder,
};

static COMING: Lexicon = Lexicon::of_all("loops.coming");
static HELD: Lexicon = Lexicon::japanese("loops.held");
static HELD_ENGLISH: Lexicon = Lexicon::english("loops.held");
static PAST: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.past"));
static TICKS: Lexicon = Lexicon::of_all("loops.ticks");

/// A message of so many lines is a text of its own.
const DOCUMENT_LINES: usize = 3;

/// Something that a sentence says, with what it is about.
#[derive(Clone, Debug)]
pub(super) struct SaidOf<'t, T> {
    pub(super) words: &'t str,
    pub(super) topics: BTreeSet<String>,
    pub(super) what: T,
}

/// That something takes place or is due on a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct SaidComing {
    pub(super) event: &'static str,
    pub(super) day: Date,
    /// When it begins or ends, if it says so.
    pub(super) clock: Option<Time>,
}

/// A message, read. What only some need is read when it is first asked for.
#[derive(Clone, Debug)]
pub(super) struct MessageReading<'t> {
    pub(super) message: &'t Message,
    /// Whom it calls, but its author.
    pub(super) called: Vec<UserId>,
    pub(super) takes_on: bool,
    pub(super) brings_something: bool,
    sentences: Vec<OwnSentence<'t>>,
    said_on: Date,
    topics: OnceCell<BTreeSet<String>>,
    promises: OnceCell<Vec<SaidOf<'t, SaidPromise>>>,
    coming: OnceCell<Vec<SaidOf<'t, SaidComing>>>,
    says_done: OnceCell<bool>,
    emptiness: OnceCell<Option<Emptiness>>,
    told: OnceCell<Vec<LaterSentence>>,
    signs: [OnceCell<bool>; Sign::ALL.len()],
}

impl<'t> MessageReading<'t> {
    /// Reads a message; `zone` says on which day it was said.
    pub(super) fn new(message: &'t Message, zone: &TimeZone) -> Self {
        let sentences = own_sentences(&message.text);
        let called = people_called(&message.text).into_iter().filter(|user| *user != message.user);
        Self {
            message,
            called: called.collect(),
            takes_on: takes_on(&sentences),
            brings_something: !message.files.is_empty() || has_link(&message.text),
            sentences,
            said_on: message.ts.to_timestamp().to_zoned(zone.clone()).date(),
            topics: OnceCell::new(),
            promises: OnceCell::new(),
            coming: OnceCell::new(),
            says_done: OnceCell::new(),
            emptiness: OnceCell::new(),
            told: OnceCell::new(),
            signs: [const { OnceCell::new() }; Sign::ALL.len()],
        }
    }

    pub(super) fn promises(&self) -> &[SaidOf<'t, SaidPromise>] {
        self.promises.get_or_init(|| {
            let last = self.sentences.last().map(|last| last.said);
            // "I'll paste it here:" is kept by what follows.
            let is_kept_here = |said: &SaidOf<'_, SaidPromise>| {
                let is_shared = self.brings_something && said.what.deed.hands_over;
                (!said.what.is_dated || (said.what.by.is_none() && is_shared))
                    && (self.brings_something
                        || Some(said.words) != last
                        || self.message.text.contains(FENCE))
            };
            let mut promises = said_by(&self.sentences, |one| promise_of_sentence(one, self.said_on));
            promises.retain(|said| !is_kept_here(said));
            promises
        })
    }

    pub(super) fn question(&self) -> Option<SaidOf<'t, ()>> {
        let calls_somebody = !self.called.is_empty();
        said_by(&self.sentences, |one| waits_for_answer(one, calls_somebody).then_some(())).pop()
    }

    /// Whether it only asks again what its author asked before: does anybody know?
    pub(super) fn asks_again(&self) -> bool {
        let mut rest = self.sentences.iter().filter(|one| emptiness_of_sentence(one).is_none()).peekable();
        rest.peek().is_some() && rest.all(asks_anybody)
    }

    /// What it asks somebody to do, with the day by which.
    pub(super) fn request(&self) -> Option<SaidOf<'t, Option<Date>>> {
        let asked = |one: &OwnSentence<'t>| {
            (asks_for_deed(one) && names_deed(one)).then(|| day_of_sentence(one, self.said_on))
        };
        said_by(&self.sentences, asked).pop()
    }

    pub(super) fn coming(&self) -> &[SaidOf<'t, SaidComing>] {
        self.coming.get_or_init(|| said_by(&self.sentences, |one| coming_in_sentence(one, self.said_on)))
    }

    /// The day to which something moves, with the sentence that says so.
    pub(super) fn moved(&self) -> Option<SaidOf<'t, Date>> {
        let moved = |one: &OwnSentence<'t>| {
            has_sign(one, Sign::Moved).then(|| last_day_of_sentence(one, self.said_on)).flatten()
        };
        said_by(&self.sentences, moved).pop()
    }

    /// Whether it says that what was to be on a day is on another.
    pub(super) fn moves_from(&self, day: Option<Date>) -> bool {
        let moves = |one: &OwnSentence<'t>| {
            has_sign(one, Sign::Moved) && first_day_of_several(one, self.said_on) == day
        };
        day.is_some() && self.sentences.iter().any(moves)
    }

    /// Whether it tells the opposite of anything: it opens nothing.
    pub(super) fn is_in_jest(&self) -> bool {
        is_in_jest(&self.message.text)
    }

    pub(super) fn says_done(&self) -> bool {
        *self.says_done.get_or_init(|| self.sentences.iter().any(says_done))
    }

    /// What it says if nothing in it can be an answer.
    pub(super) fn emptiness(&self) -> Option<Emptiness> {
        // A file, a link and a command are answers beside any courtesy.
        let brings_answer = || self.brings_something || has_quoted(&self.message.text);
        *self.emptiness.get_or_init(|| if brings_answer() { None } else { emptiness(&self.sentences) })
    }

    /// Whether it only asks others what `asker` wants to know.
    pub(super) fn hands_on(&self, asker: Option<&UserId>) -> bool {
        hands_on(&self.sentences, &self.called, asker)
    }

    /// Whether it asks when something will be done.
    pub(super) fn asks_when(&self) -> bool {
        self.sentences.iter().any(asks_when)
    }

    /// The day, if it says no more than one.
    pub(super) fn only_day(&self) -> Option<Date> {
        let mut told = self.sentences.iter().filter(|one| emptiness_of_sentence(one).is_none());
        let day = told.next().filter(|one| !one.asks && is_short(one))?;
        if told.next().is_some() { None } else { day_of_sentence(day, self.said_on) }
    }

    /// Whether it may say that a promise was kept.
    pub(super) fn may_keep(&self, promised: Promised<'_>) -> bool {
        self.told().iter().any(|one| promised.may_be_done(one))
    }

    /// Whether it brings what was promised: a link or a file with what it is about or alone, or the text itself.
    pub(super) fn brings(&self, promised: Promised<'_>) -> bool {
        let is_about = || self.shares_topic(promised.topics);
        let is_alone = || promised.hands_over() && self.told().iter().all(LaterSentence::names_nothing);
        let has_link = self.brings_something && !self.is_undone() && (is_about() || is_alone());
        has_link || (promised.hands_over() && self.is_document() && is_about())
    }

    /// Whether it is a text rather than talk: of several lines, or code.
    fn is_document(&self) -> bool {
        let lines = self.message.text.lines().filter(|line| !line.trim().is_empty()).count();
        (lines >= DOCUMENT_LINES || self.message.text.contains(FENCE)) && self.promises().is_empty()
    }

    /// Whether it only asks, or says that something is not done.
    fn is_undone(&self) -> bool {
        !self.sentences.is_empty() && self.sentences.iter().all(|one| one.asks || is_not_yet(one))
    }

    /// Whether it bears a check mark, as who ticks something off: of what it is about, or of anything if it says no more.
    pub(super) fn ticks_off(&self, promised: Promised<'_>) -> bool {
        let is_marked = || TICKS.words().any(|tick| self.message.text.contains(tick));
        let is_meant =
            || self.shares_topic(promised.topics) || self.told().iter().all(LaterSentence::names_nothing);
        is_marked() && !self.is_undone() && self.promises().is_empty() && is_meant()
    }

    /// Whether somebody else's says that what was promised was handed over, or that they have seen it.
    pub(super) fn shows(&self, promised: Promised<'_>, is_in_thread: bool) -> bool {
        // What they did may be of anything, but for what else they speak of.
        let was_done =
            || self.says_done() && self.told().iter().any(|one| !one.things.is_disjoint(promised.topics));
        self.told().iter().any(|one| promised.is_shown_by(one, is_in_thread)) || was_done()
    }

    /// How it says that something came which it does not name.
    pub(super) fn receipt(&self) -> Option<Receipt> {
        self.told().iter().filter_map(|one| one.receipt).max()
    }

    /// Whether nothing in it can be of a promise without a day.
    pub(super) fn is_beside(&self, promised: Promised<'_>) -> bool {
        self.told().iter().all(|one| promised.is_beside(one))
    }

    /// What each of its sentences tells.
    fn told(&self) -> &[LaterSentence] {
        self.told.get_or_init(|| self.sentences.iter().map(LaterSentence::of).collect())
    }

    pub(super) fn has(&self, sign: Sign) -> bool {
        let read = || self.sentences.iter().any(|one| has_sign(one, sign));
        let known = Sign::ALL.iter().zip(&self.signs).find(|(one, _)| **one == sign);
        known.map_or_else(read, |(_, known)| *known.get_or_init(read))
    }

    pub(super) fn shares_topic(&self, topics: &BTreeSet<String>) -> bool {
        !self.topics.get_or_init(|| topics_of(&self.sentences)).is_disjoint(topics)
    }
}

fn said_by<'t, T>(
    sentences: &[OwnSentence<'t>],
    what: impl Fn(&OwnSentence<'t>) -> Option<T>,
) -> Vec<SaidOf<'t, T>> {
    // Most sentences say nothing of the kind, so what one is about is read last.
    let said = |one: &OwnSentence<'t>| {
        let what = what(one)?;
        Some(SaidOf { words: one.said, topics: topics_of([one]), what })
    };
    sentences.iter().filter_map(said).collect()
}

/// What a sentence says takes place or is due on a day to come.
fn coming_in_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<SaidComing> {
    if sentence.asks {
        return None;
    }
    let stands = |event: &str| {
        if event.is_ascii() {
            sentence.spaced.contains(&format!(" {event} "))
        } else {
            sentence.plain.contains(event)
        }
    };
    let event = COMING.words().find(|event| stands(event)).filter(|_| !is_doubtful(sentence))?;
    let is_moved = has_sign(sentence, Sign::Moved);
    if !is_moved && (sentence.has(&PAST) || has_sign(sentence, Sign::Cancelled)) {
        return None;
    }
    let clock = clock_of_sentence(sentence);
    let day =
        if is_moved { last_day_of_sentence(sentence, said_on) } else { day_of_sentence(sentence, said_on) };
    let is_held = || clock.is_some() || says_deadline(sentence) || says_held(sentence, event);
    let day = day.filter(|day| *day != said_on || is_held())?;
    Some(SaidComing { event, day, clock })
}

/// Whether a sentence says that an event takes place, and does not only name it beside its day: what was released today,
/// who is at a meeting today.
fn says_held(sentence: &OwnSentence<'_>, event: &str) -> bool {
    if event.is_ascii() {
        let behind = sentence.spaced.split_once(&format!(" {event} ")).map_or("", |(_, behind)| behind);
        return behind.is_empty()
            || HELD_ENGLISH.words().any(|words| begins_with_words(behind.trim_end(), words));
    }
    let behind = sentence.plain.split_once(event).map_or("", |(_, behind)| behind);
    !behind.contains(char::is_alphanumeric) || HELD.words().any(|words| behind.starts_with(words))
}
