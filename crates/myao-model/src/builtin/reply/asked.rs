//! A question, taken apart.

use std::collections::BTreeSet;

use jiff::{civil::DateTime, tz::TimeZone};
use myao_core::{
    chat::{MessageTs, Speaker},
    memory::parse_when,
    ports::TalkLine,
    recall::{DayRange, NamedInQuestion, QuestionOwner},
    text::{Lexicon, english_stem, fold_for_comparison, head_of_text, is_japanese},
    worth::{is_common_word, words_with_spaces},
};

use super::{
    COMPARED,
    another::{NamedThings, OF, TextsAround, honorifics},
    kind::{AnswerKind, SOMEBODY, is_relative, is_time, tells_time, tells_who_is},
    measures::AskedMeasure,
    needs::{AskedFor, NeededAspects},
    places::{is_merely_a_place, is_merely_mentioned, tells_place},
    somebody::AskedPerson,
    topics::{Searched, Topic, is_slight, is_word, topics_of_question},
    which::OneOfSeveral,
};

/// How well a sentence fits that does not count what is to be counted, or measure what is to be measured.
const UNCOUNTED: f64 = 0.5;
static SAYING_ASKED: Lexicon = Lexicon::of_all("asked.saying_asked");
static DOING: Lexicon = Lexicon::english("asked.doing");
static TELLING: Lexicon = Lexicon::english("asked.telling");
static OWN_WORDS: Lexicon = Lexicon::english("asked.own_words");
static OWN_WORDS_JAPANESE: Lexicon = Lexicon::japanese("asked.own_words");
static ORIGIN: Lexicon = Lexicon::english("asked.origin");
static SAYING: Lexicon = Lexicon::of_all("asked.saying");
/// So many words behind a name one of telling or of what was told may stand: did Noor ever say, Ben's first idea.
const BEFORE_TELLING: usize = 2;
const BEFORE_OWN_WORDS: usize = 2;
/// What the word for what is measured counts in a text that does not say it and gives the measure.
const MEASURED: f64 = 0.9;
/// After so long, in microseconds, `next week` is over.
const STALE_AFTER: i64 = 8 * 24 * 3600 * 1_000_000;
/// By what the score of a message is multiplied that tells nobody's words where somebody's are asked for.
const NO_WORDS: f64 = 0.6;
/// The same of what says that something will be `next week`, and that week is over.
const STALE: f64 = 0.6;
/// The money of a Japanese price.
const YEN: &str = "円";

/// A question.
pub(super) struct AskedQuestion {
    pub(super) kind: AnswerKind,
    pub(super) topics: Vec<Topic>,
    /// For each topic, words that mean about the same.
    alike: Vec<Vec<&'static str>>,
    /// What is counted: 缶 of 何缶.
    pub(super) unit: Option<String>,
    /// What is to be measured.
    measure: Option<&'static AskedMeasure>,
    /// What an answer may not lack.
    needs: NeededAspects,
    /// The thing of which it asks which one is meant.
    which: Option<OneOfSeveral>,
    /// Whom it asks for.
    person: AskedPerson,
    /// Folded names of those whose own things it asks for: "Priya's birthday".
    owners: Vec<String>,
    /// Folded names of those of whom it asks what they do or are: "where does Priya live?"
    doers: Vec<String>,
    /// The unit of the time that it asks for, 年 of 何年: then it will not do when something was said.
    unit_of_time: Option<char>,
    /// Whether it asks where somebody or something comes from.
    asks_for_origin: bool,
    /// The day that it names.
    day: Option<NamedDay>,
    /// Whether it asks what somebody said.
    asks_for_words: bool,
    /// What tells the thing that it asks about from others.
    things: NamedThings,
    /// Whose thing it asks for.
    pub(super) owner: Option<QuestionOwner>,
    /// When it was asked.
    at: MessageTs,
}

/// A day, or several, that a question names. Times are those of the conversation's own zone, as if it were UTC.
struct NamedDay {
    range: DayRange,
    /// The first day as people write it, in several ways.
    written: Vec<String>,
}

impl AskedQuestion {
    /// A question that was asked in `line`, among these lines.
    pub(super) fn new(line: &TalkLine, lines: &[TalkLine]) -> Self {
        let text = without_calls(head_of_text(&line.text, COMPARED));
        let people = lines.iter().filter(|line| line.speaker == Speaker::Person);
        let names: BTreeSet<String> = people
            .map(|line| fold_for_comparison(&line.name))
            .filter(|name| name.chars().nth(1).is_some())
            .collect();
        let now = local_ts(line).to_timestamp();
        let with_days = NamedInQuestion::new(&text, now, &TimeZone::UTC);
        let day = with_days.days.map(|range| NamedDay { range, written: ways_to_write_day(range.start) });
        let rest = if day.is_some() { with_days.without_names(&[]) } else { text.clone() };
        let owner = QuestionOwner::of(&text);
        let rest = match owner {
            Some(_) => QuestionOwner::without_having(&QuestionOwner::without_owner(&rest)),
            None => rest,
        };
        let (kind, word) = AnswerKind::of(&fold_for_comparison(&text));
        let counted = |word: &'static str| match word {
            "いくら" => Some(YEN),
            word => word.strip_prefix('何').filter(|unit| !unit.is_empty() && kind == AnswerKind::Amount),
        };
        let unit = word.and_then(counted);
        let may_be_measured = matches!(kind, AnswerKind::Amount | AnswerKind::Other);
        let measure = may_be_measured.then(|| AskedMeasure::asked_by(&fold_for_comparison(&text))).flatten();
        let topics = topics_of_question(&fold_for_comparison(&rest), word, &names);
        let asks_for_words = holds_any(&fold_for_comparison(&text), &SAYING_ASKED);
        let asked_for = AskedFor { kind, word, measure, asks_for_words };
        let needs = NeededAspects::of(&fold_for_comparison(&rest), asked_for, &topics);
        let which = OneOfSeveral::of(&fold_for_comparison(&text));
        let person = AskedPerson::of(kind, &fold_for_comparison(&text));
        let alike = topics.iter().map(Topic::alike).collect();
        let things = NamedThings::of(&rest, &topics);
        let owners = owners_named(&fold_for_comparison(&rest), &topics);
        let spaced = words_with_spaces(&fold_for_comparison(&text));
        let asks_for_origin = ORIGIN.words().any(|word| spaced.contains(&format!(" {word} ")));
        let doers = doers_named(&fold_for_comparison(&text), &topics);
        let unit_of_time = word
            .filter(|_| kind == AnswerKind::When)
            .and_then(|word| word.strip_prefix('何')?.chars().next());
        let at = local_ts(line);
        let unit = unit.map(str::to_owned);
        Self {
            kind,
            topics,
            alike,
            unit,
            measure,
            needs,
            which,
            person,
            owners,
            doers,
            unit_of_time,
            asks_for_origin,
            day,
            asks_for_words,
            things,
            owner,
            at,
        }
    }

    /// Whether it asks for nothing that could be looked up.
    pub(super) fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.day.is_none()
    }

    /// How much of each aspect a text holds that was said in `line`, from 0 to 1. Of a person that includes that they
    /// said it.
    pub(super) fn held(&self, folded: &str, line: &TalkLine) -> Vec<f64> {
        self.held_by(folded, &line.name, line)
    }

    /// The same of a question, which holds its words whatever it says of them.
    pub(super) fn asked(&self, folded: &str, line: &TalkLine) -> Vec<f64> {
        let searched = Searched::new(folded, "");
        let mut held = self.mentioned(folded, line);
        for (held, topic) in held.iter_mut().zip(&self.topics) {
            *held = if searched.has_word(topic) { 1.0 } else { *held };
        }
        held
    }

    /// The same, where nobody counts by having said it.
    pub(super) fn mentioned(&self, folded: &str, line: &TalkLine) -> Vec<f64> {
        self.held_by(folded, "", line)
    }

    fn held_by(&self, folded: &str, speaker: &str, line: &TalkLine) -> Vec<f64> {
        let searched = Searched::new(folded, speaker);
        let given = self.measure.filter(|measure| measure.is_given_in(folded));
        let topics = self.topics.iter().zip(&self.alike).map(|(topic, alike)| {
            let is_given = given.is_some_and(|measure| measure.is_implied(topic));
            searched.holds(topic, alike).max(if is_given { MEASURED } else { 0.0 })
        });
        topics.chain(self.day.as_ref().map(|day| day.held(folded, line))).collect()
    }

    /// By what a score is multiplied of a message that promises something for a time that is over, or that tells nobody's
    /// words where somebody's are asked for.
    pub(super) fn doubt(&self, folded: &str, line: &TalkLine) -> f64 {
        let is_old = self.at.micros_since(local_ts(line)) > STALE_AFTER;
        let is_stale = self.kind == AnswerKind::When && is_old && is_relative(folded);
        let lacks_words = self.asks_for_words && !self.names(&line.name) && !holds_any(folded, &SAYING);
        match (is_stale, lacks_words) {
            (true, _) => STALE,
            (false, true) => NO_WORDS,
            (false, false) => 1.0,
        }
    }

    /// How well a folded sentence fits what is asked for; `names` tells whether it names somebody else than the question.
    pub(super) fn fit(&self, folded: &str, names: bool) -> f64 {
        if let Some(measure) = self.measure {
            return if measure.is_given_in(folded) { 1.0 } else { UNCOUNTED };
        }
        let Some(unit) = &self.unit else { return self.fit_of_kind(folded, names) };
        let is_counted = folded
            .match_indices(unit.as_str())
            .any(|(at, _)| folded.get(..at).is_some_and(|before| before.ends_with(is_of_number)));
        if is_counted { 1.0 } else { UNCOUNTED }
    }

    fn fit_of_kind(&self, folded: &str, names: bool) -> f64 {
        let is_nobody = self.person == AskedPerson::Role
            && !names
            && !tells_who_is(folded)
            && is_japanese(folded) != Some(true);
        let is_uncounted = self.kind == AnswerKind::Amount && !self.needs.may_be_counted_in(folded);
        let fit = self.kind.fit(folded, names, &self.topics);
        let is_where_it_is = self.person == AskedPerson::Holder && tells_place(folded, &self.topics);
        let fit = if is_where_it_is { fit.max(SOMEBODY) } else { fit };
        if is_nobody || is_uncounted { fit.min(UNCOUNTED) } else { fit }
    }

    /// Whether sentences tell which of several things is meant, or may do so.
    pub(super) fn may_tell_which(&self, sentences: &[String]) -> bool {
        self.which.as_ref().is_none_or(|which| which.may_be_told_in(sentences))
    }

    /// Whether an answer that holds so much of each aspect, with what it belongs to, lacks what it needs. Whoever tells no
    /// time when a time is asked for has to tell all of what happened: then it was when they said so. Whoever speaks of what
    /// is looked for only as of where something else is, or of whose something is, does not say where it is.
    pub(super) fn is_lacking(&self, folded: &str, held: &[f64]) -> bool {
        let is_untimed = || self.kind == AnswerKind::When && !tells_time(folded);
        let counts = |unit: char| {
            folded
                .match_indices(unit)
                .any(|(at, _)| folded.get(..at).is_some_and(|before| before.ends_with(is_of_number)))
        };
        let is_inexact = self.unit_of_time.is_some_and(|unit| !tells_time(folded) && !counts(unit));
        let lacks_some = || held.iter().zip(&self.topics).any(|(held, _)| *held == 0.0);
        let is_nowhere = || {
            self.kind == AnswerKind::Where
                && (self.lacks_origin(folded)
                    || self.needs.subject().is_some_and(|thing| is_merely_mentioned(folded, thing))
                    || is_merely_a_place(folded, &self.topics))
        };
        self.needs.are_lacking(held) || (is_untimed() && lacks_some()) || is_nowhere() || is_inexact
    }

    /// Whether a folded text is about another thing than the one that it names; `around` gives what it
    /// belongs to.
    pub(super) fn is_about_another(&self, folded: &str, around: impl FnOnce() -> TextsAround) -> bool {
        !self.things.are_none() && self.things.is_another(folded, &around())
    }

    /// Whether one of its topics is this person.
    pub(super) fn names(&self, name: &str) -> bool {
        self.topics.contains(&Topic::Person(fold_for_comparison(name)))
    }

    /// Whether it asks for something of this person's own: their birthday, their desk.
    pub(super) fn asks_for_thing_of(&self, name: &str) -> bool {
        self.owners.contains(&fold_for_comparison(name))
    }

    /// Whether it asks for somebody, and an English sentence has a word with a capital that may be a name: whoever never
    /// speaks is known by nothing else.
    pub(super) fn may_name_somebody(&self, sentence: &str) -> bool {
        let is_name = |word: &str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).trim_end_matches("'s");
            let folded = fold_for_comparison(bare);
            bare.starts_with(char::is_uppercase)
                && bare.chars().nth(1).is_some()
                && bare.chars().all(char::is_alphabetic)
                && is_word(&folded)
                && !is_common_word(&folded)
                && !is_slight(&english_stem(&folded))
                && !is_time(&folded)
                && !self.holds_word(&folded)
        };
        self.kind == AnswerKind::Who && sentence.split_whitespace().any(is_name)
    }

    /// Whether it asks where somebody or something comes from, and a folded text does not say that.
    fn lacks_origin(&self, folded: &str) -> bool {
        let spaced = words_with_spaces(folded);
        self.asks_for_origin && !ORIGIN.words().any(|word| spaced.contains(&format!(" {word} ")))
    }

    /// Whether it asks for what this person does or is, and not for what they said.
    pub(super) fn asks_for_deed_of(&self, name: &str) -> bool {
        !self.asks_for_words && self.doers.contains(&fold_for_comparison(name))
    }

    /// Whether an English word is one of its topics.
    pub(super) fn holds_word(&self, word: &str) -> bool {
        self.topics
            .iter()
            .any(|topic| matches!(topic, Topic::Word(stem) if english_stem(word) == stem.as_str()))
    }

    /// Whether an answer has to hold an aspect, or to answer somebody who asked for it.
    pub(super) fn is_needed(&self, aspect: usize) -> bool {
        self.topics.get(aspect).is_some_and(Topic::is_needed)
    }

    /// How much each aspect counts, besides how rare it is.
    pub(super) fn shares(&self) -> impl Iterator<Item = f64> {
        self.topics.iter().map(Topic::share).chain(self.day.as_ref().map(|_| 1.0))
    }

    /// How many words of substance it has.
    pub(super) fn substance(&self) -> usize {
        self.topics.iter().filter(|topic| topic.share() >= 1.0).count() + usize::from(self.day.is_some())
    }

    /// Whether an aspect is a person that it names.
    pub(super) fn is_person(&self, aspect: usize) -> bool {
        matches!(self.topics.get(aspect), Some(Topic::Person(_)))
    }

    /// Whether it is about nothing but a day.
    pub(super) fn is_about_a_day(&self) -> bool {
        self.day.is_some() && self.topics.is_empty()
    }
}

impl NamedDay {
    fn held(&self, folded: &str, line: &TalkLine) -> f64 {
        let at = local_ts(line);
        let is_within = at >= self.range.start && self.range.end.is_none_or(|end| at < end);
        let is_written = self.written.iter().any(|day| folded.contains(day));
        f64::from(u8::from(is_within || is_written))
    }
}

/// The people among the topics of a folded question of whose own things it asks.
fn owners_named(question: &str, topics: &[Topic]) -> Vec<String> {
    let owns = |name: &String| {
        if name.is_ascii() && owns_in_english(question, name) {
            return true;
        }
        let behind = |at: usize| question.get(at + name.len()..).unwrap_or_default();
        question.match_indices(name.as_str()).any(|(at, _)| {
            let behind = behind(at);
            let honorific = honorifics().find_map(|honorific| behind.strip_prefix(honorific));
            let thing = honorific.unwrap_or(behind).strip_prefix(OF);
            thing.is_some_and(|thing| !OWN_WORDS_JAPANESE.words().any(|word| thing.starts_with(word)))
        })
    };
    let people = topics.iter().filter_map(|topic| match topic {
        Topic::Person(name) => Some(name),
        Topic::Word(_) | Topic::Part(_) | Topic::Verb(_) | Topic::NumberOf(_) => None,
    });
    people.filter(|name| owns(name)).cloned().collect()
}

/// Whether a folded English question asks for a thing of this person's: `Priya's birthday`, `the birthday of Priya`. Their
/// words are none: whatever they said is `Priya's idea`.
fn owns_in_english(question: &str, name: &str) -> bool {
    let is_said = |word: &str| OWN_WORDS.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    let genitive = format!("{name}'s ");
    let mut owned = question.split(&genitive).skip(1);
    let behind_of = format!(" of {name}");
    let mut of = question.match_indices(&behind_of).filter_map(|(at, _)| question.get(..at));
    owned.any(|behind| !behind.split_whitespace().take(BEFORE_OWN_WORDS).any(is_said))
        || of.any(|before| !before.split_whitespace().next_back().is_some_and(is_said))
}

/// The people among the topics of a folded English question of whom it asks what they do: their name stands behind a verb.
/// Whoever is asked to have told something only tells it: `when did Noor say the audit starts?`
fn doers_named(question: &str, topics: &[Topic]) -> Vec<String> {
    let spaced = words_with_spaces(question);
    let tells =
        |behind: &str| behind.split_whitespace().take(BEFORE_TELLING).any(|word| TELLING.contains(&word));
    let does = |name: &String| {
        DOING.words().any(|verb| {
            spaced.split_once(&format!(" {verb} {name} ")).is_some_and(|(_, behind)| !tells(behind))
        })
    };
    let people =
        topics.iter().filter_map(|topic| if let Topic::Person(name) = topic { Some(name) } else { None });
    people.filter(|name| does(name)).cloned().collect()
}

/// Whether a number may end in this character: 8200円, 94万円.
fn is_of_number(c: char) -> bool {
    c.is_numeric() || matches!(c, '十' | '百' | '千' | '万' | '億')
}

fn holds_any(folded: &str, list: &'static Lexicon) -> bool {
    list.words().any(|word| folded.contains(word))
}

/// The day of an instant, as people write it.
fn ways_to_write_day(start: MessageTs) -> Vec<String> {
    let day = TimeZone::UTC.to_datetime(start.to_timestamp()).date();
    let month = day.month();
    let of_month = day.day();
    let name = day.strftime("%B").to_string().to_lowercase();
    vec![
        format!("{month}/{of_month}"),
        format!("{month}月{of_month}日"),
        format!("{of_month} {name}"),
        format!("{name} {of_month}"),
        day.to_string(),
    ]
}

/// When a line was said, as if the time that is shown were UTC's.
pub(super) fn local_ts(line: &TalkLine) -> MessageTs {
    let shown = parse_when(&line.when).and_then(|at: DateTime| at.to_zoned(TimeZone::UTC).ok());
    shown.map_or(line.ts, |at| MessageTs::from_timestamp(at.timestamp()))
}

/// A text without the names that it calls: `@myao`.
pub(super) fn without_calls(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !word.starts_with(['@', '＠']));
    words.collect::<Vec<_>>().join(" ")
}
