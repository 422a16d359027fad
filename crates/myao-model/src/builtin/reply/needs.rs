//! What an answer may not lack, however much else of the question it holds: whom or what a Japanese question is about, what
//! is counted, what is measured, and what somebody did who is asked for.

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, writing_system},
    worth::words_with_spaces,
};

use super::{
    another::honorifics,
    kind::AnswerKind,
    measures::AskedMeasure,
    topics::{Topic, is_slight, is_word},
};

/// The share of such an aspect that has to be told, by a message or by what it belongs to.
const HELD: f64 = 0.5;
/// The same where what somebody else said right before is not enough.
const OWN: f64 = 0.6;
/// The same where nothing is enough but a message's own words, or the question of somebody else that it answers.
const SAID: f64 = 0.7;
/// What stands behind what a Japanese question is about.
static SUBJECT_ENDS: Lexicon = Lexicon::japanese("asked.subject_ends");
/// Words for a number of things, and for a person, before what is counted and what that person does.
static COUNTING: Lexicon = Lexicon::english("asked.counting");
static PERSON: Lexicon = Lexicon::english("asked.person");
static WHICH: Lexicon = Lexicon::english("asked.which");
static KINDS: Lexicon = Lexicon::japanese("asked.kinds");
static NUMBERS: Lexicon = Lexicon::english("measures.numbers");
static NO_COUNTS: Lexicon = Lexicon::english("measures.no_counts");
/// So many words may stand between a number and what it counts, and one more: 36 of 40 schools.
const BETWEEN: usize = 4;
/// The most letters of an ending between a Japanese word and what stands behind it: 棚卸し.
const LONGEST_ENDING: usize = 2;

/// What a question asks for.
#[derive(Clone, Copy)]
pub(super) struct AskedFor {
    pub(super) kind: AnswerKind,
    /// Its question word.
    pub(super) word: Option<&'static str>,
    /// What is to be measured.
    pub(super) measure: Option<&'static AskedMeasure>,
    /// Whether it asks what somebody said.
    pub(super) asks_for_words: bool,
}

/// Aspects of a question, by their places, one of which has to be told, and how much of it.
struct NeededGroup {
    aspects: Vec<usize>,
    least: f64,
}

/// Groups of aspects of a question, of each of which one has to be told.
pub(super) struct NeededAspects {
    groups: Vec<NeededGroup>,
    /// The words, as stems, for what an English question counts.
    counted: Vec<String>,
    /// The letters of what a Japanese question is about.
    subject: Option<String>,
}

impl NeededAspects {
    /// Of a folded question with these topics.
    pub(super) fn of(question: &str, asked: AskedFor, topics: &[Topic]) -> Self {
        let spaced = words_with_spaces(question);
        let places = |stems: &[String]| -> Vec<usize> {
            let is_one = |topic: &Topic| matches!(topic, Topic::Word(word) if stems.contains(word));
            (0..topics.len()).filter(|at| topics.get(*at).is_some_and(is_one)).collect()
        };
        let one = |aspect: Option<usize>| aspect.into_iter().collect::<Vec<_>>();
        let counted = counted_in(&spaced);
        let subject = subject(question, topics);
        let mut groups = vec![
            NeededGroup { aspects: places(&counted), least: HELD },
            NeededGroup { aspects: things_measured(topics, asked.measure), least: HELD },
            NeededGroup { aspects: one(subject), least: if asked.asks_for_words { OWN } else { HELD } },
            NeededGroup { aspects: places(&one_of_several(&spaced)), least: SAID },
        ];
        if asked.kind == AnswerKind::Who {
            groups.push(NeededGroup { aspects: places(&deed_of_person(&spaced)), least: HELD });
        }
        groups.push(NeededGroup { aspects: one(kind_of_thing(question, topics)), least: HELD });
        if asked.word.is_none() {
            groups.push(NeededGroup { aspects: one(last_deed(topics)), least: HELD });
        }
        groups.retain(|group| !group.aspects.is_empty());
        let subject = subject.and_then(|at| topics.get(at)).and_then(Topic::letters);
        Self { groups, counted, subject }
    }

    /// Whether a folded text counts what an English question counts, or may do so: 44 of `44 people`, not `fifteen days`.
    pub(super) fn may_be_counted_in(&self, folded: &str) -> bool {
        self.counted.is_empty() || counts_any(folded, &self.counted)
    }

    /// What a Japanese question is about.
    pub(super) fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Whether an answer that holds so much of each aspect, with what it belongs to, lacks one.
    pub(super) fn are_lacking(&self, held: &[f64]) -> bool {
        let of = |aspect: &usize| held.get(*aspect).copied().unwrap_or_default();
        self.groups.iter().any(|group| !group.aspects.iter().any(|aspect| of(aspect) >= group.least))
    }
}

/// The words, as stems, for what an English question counts: the first and the last of `how many oak chairs`.
fn counted_in(spaced: &str) -> Vec<String> {
    let behind = COUNTING.words().find_map(|word| spaced.split_once(&format!(" {word} ")));
    let words = behind.map(|(_, behind)| behind).unwrap_or_default().split_whitespace();
    let stems: Vec<String> = words
        .take_while(|word| is_word(word))
        .map(|word| english_stem(word).into_owned())
        .take_while(|stem| !is_slight(stem))
        .collect();
    [stems.first(), stems.last()].into_iter().flatten().cloned().collect()
}

/// The words, as stems, for a thing of which an English question asks which one is meant.
fn one_of_several(spaced: &str) -> Vec<String> {
    let behind = WHICH.words().find_map(|word| spaced.split_once(&format!(" {word} ")));
    let words = behind.map(|(_, behind)| behind).unwrap_or_default().split_whitespace();
    let stems: Vec<String> =
        words.take_while(|word| is_word(word)).map(|word| english_stem(word).into_owned()).collect();
    [stems.first(), stems.last()].into_iter().flatten().cloned().collect()
}

/// Whether a folded English text counts one of these things, or nothing else: a number is followed by the thing, or by
/// no word of substance.
fn counts_any(folded: &str, things: &[String]) -> bool {
    let marks = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = folded.split_whitespace().map(|word| word.trim_matches(marks)).collect();
    words.iter().enumerate().any(|(at, number)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        let is_thing = |word: &&str| things.iter().any(|thing| english_stem(word) == thing.as_str());
        let is_number = number.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.')
            || (NUMBERS.contains(number) && !NO_COUNTS.contains(number));
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_label = before.is_some_and(is_thing);
        let is_whole = !number.contains('.');
        let is_alone =
            is_whole && behind.first().is_none_or(|next| !is_word(next) || is_slight(&english_stem(next)));
        let is_followed = behind.iter().take(BETWEEN).any(is_thing);
        !number.is_empty() && is_number && (is_followed || (is_alone && !is_label))
    })
}

/// What a Japanese question asks the kind of: 案 of どの案.
fn kind_of_thing(question: &str, topics: &[Topic]) -> Option<usize> {
    let behind = KINDS.words().find_map(|word| question.split_once(word))?.1;
    topics
        .iter()
        .position(|topic| topic.letters().is_some_and(|letters| behind.starts_with(letters.as_str())))
}

/// The word, as a stem, for what somebody does who is asked for: `who waters the plants?`
fn deed_of_person(spaced: &str) -> Vec<String> {
    let behind = PERSON.words().find_map(|word| spaced.split_once(&format!(" {word} ")));
    let next = behind.and_then(|(_, behind)| behind.split_whitespace().next());
    let stem = next.filter(|next| is_word(next)).map(|next| english_stem(next).into_owned());
    stem.filter(|stem| !is_slight(stem)).into_iter().collect()
}

/// What is measured: the topics that are no word for the measure.
fn things_measured(topics: &[Topic], measure: Option<&'static AskedMeasure>) -> Vec<usize> {
    let Some(measure) = measure else { return Vec::new() };
    let is_thing = |topic: &Topic| {
        let is_named = !matches!(topic, Topic::Person(_) | Topic::NumberOf(_));
        is_named && topic.share() >= 1.0 && !measure.is_implied(topic)
    };
    (0..topics.len()).filter(|at| topics.get(*at).is_some_and(is_thing)).collect()
}

/// What a Japanese question is about: what stands before its first は.
fn subject(question: &str, topics: &[Topic]) -> Option<usize> {
    let end = SUBJECT_ENDS.words().filter_map(|word| question.find(word)).min()?;
    let before = question.get(..end)?;
    let is_subject = |topic: &Topic| {
        let Some(letters) = topic.letters() else { return false };
        let Some((_, rest)) = before.rsplit_once(letters.as_str()) else { return false };
        let rest = honorifics().find_map(|honorific| rest.strip_prefix(honorific)).unwrap_or(rest);
        let is_ending = rest.chars().all(|c| writing_system(c) == WritingSystem::Hiragana);
        is_ending && rest.chars().count() <= LONGEST_ENDING && topic.share() >= 1.0
    };
    topics.iter().position(is_subject)
}

/// What somebody is asked to have done, at the end of a Japanese question without a question word: 「…を食べた？」.
fn last_deed(topics: &[Topic]) -> Option<usize> {
    let last = topics.last().filter(|last| matches!(last, Topic::Verb(_)) && last.share() >= 1.0);
    last.map(|_| topics.len() - 1)
}
