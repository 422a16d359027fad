//! What a question is about: its words that mean something, and the people it names.

use std::{borrow::Cow, collections::BTreeSet};

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, fold_for_comparison, runs_of_one_kind, writing_system},
    worth::{is_common_word, words_with_spaces},
};

use super::{kind::AnswerKind, numbers::has_number_of};

/// The most topics of a question: what is longer tells a story.
const MOST_TOPICS: usize = 12;
static EMPTY: Lexicon = Lexicon::english("topics.empty");
static SLIGHT: Lexicon = Lexicon::english("topics.slight");
static DENIALS: Lexicon = Lexicon::english("topics.denials");
static GRAMMAR: Lexicon = Lexicon::japanese("topics.grammar");
/// The same, of one letter: they divide words.
const PARTICLES: &str = "のはがをにでともへやかねよな";
static SLIGHT_JAPANESE: Lexicon = Lexicon::japanese("topics.slight");
/// What stands between a thing and its number.
const OF: &str = "の";
static NAMES: Lexicon = Lexicon::of_all("topics.names");
static NAMING: Lexicon = Lexicon::of_all("topics.naming");
static NEEDED: Lexicon = Lexicon::of_all("topics.needed");
/// By how much a slight word counts.
const OF_A_SLIGHT: f64 = 0.4;
static NUMBER: Lexicon = Lexicon::of_all("topics.number");
static ALIKE: Lexicon<Vec<&'static str>> = Lexicon::of_all("topics.alike");
/// How much of a topic its like is.
const OF_ALIKE: f64 = 0.7;

/// Something that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// An English word, as its stem.
    Word(String),
    /// Letters that stand without spaces.
    Part(String),
    /// A kanji with an ending, whatever the ending: 届く, 届きました.
    Verb(char),
    /// The number of a thing, by the thing: `locker number`, ロッカー番号.
    NumberOf(String),
    /// Somebody who speaks in what was found, by the name shown there.
    Person(String),
}

/// A text as topics are looked for in it.
pub(super) struct Searched<'a> {
    folded: &'a str,
    stems: BTreeSet<Cow<'a, str>>,
    /// The folded name of whoever said it.
    speaker: String,
}

impl<'a> Searched<'a> {
    pub(super) fn new(folded: &'a str, speaker: &str) -> Self {
        let mut stems: BTreeSet<Cow<'a, str>> = BTreeSet::new();
        for (kind, run) in runs_of_one_kind(folded) {
            match kind {
                WritingSystem::Latin => drop(stems.insert(english_stem(run))),
                WritingSystem::Digit => drop(stems.insert(Cow::Borrowed(run))),
                WritingSystem::Hiragana
                | WritingSystem::Katakana
                | WritingSystem::Han
                | WritingSystem::Other => {}
            }
        }
        Self { folded, stems, speaker: fold_for_comparison(speaker) }
    }

    /// Whether it holds the word of a topic, whatever it says of it.
    pub(super) fn has_word(&self, topic: &Topic) -> bool {
        matches!(topic, Topic::Word(word) if self.stems.contains(word.as_str()))
            || matches!(topic, Topic::Part(part) if self.folded.contains(part.as_str()))
            || matches!(topic, Topic::NumberOf(_) if self.has_number_word())
    }

    fn has_number_word(&self) -> bool {
        NUMBER
            .words()
            .any(|word| if word.is_ascii() { self.stems.contains(word) } else { self.folded.contains(word) })
    }

    /// How much of a topic it holds, from 0 to 1; `alike` are words that mean about the same.
    pub(super) fn holds(&self, topic: &Topic, alike: &[&'static str]) -> f64 {
        match topic {
            Topic::Word(word) | Topic::Part(word) if NAMES.words().any(|name| name == word) => {
                f64::from(u8::from(NAMING.words().any(|naming| self.folded.contains(naming))))
            }
            Topic::Word(word) if self.stems.contains(word.as_str()) => 1.0,
            Topic::Word(_) => self.alike(alike),
            Topic::Verb(letter) => f64::from(u8::from(is_verb_held(self.folded, *letter))),
            Topic::Part(part) => part_held(self.folded, part).max(self.alike(alike)),
            Topic::NumberOf(thing) => {
                f64::from(u8::from(self.has_number_word() || has_number_of(self.folded, thing)))
            }
            Topic::Person(name) if self.speaker == *name => 1.0,
            Topic::Person(name) => f64::from(u8::from(self.folded.contains(name.as_str()))),
        }
    }

    fn alike(&self, alike: &[&str]) -> f64 {
        let holds = |other: &&str| {
            if other.is_ascii() { self.stems.contains(*other) } else { self.folded.contains(*other) }
        };
        if alike.iter().any(holds) { OF_ALIKE } else { 0.0 }
    }
}

impl Topic {
    /// The words that mean about the same.
    pub(super) fn alike(&self) -> Vec<&'static str> {
        let (Self::Word(own) | Self::Part(own)) = self else { return Vec::new() };
        let group = ALIKE.iter().find(|group| group.contains(&own.as_str()));
        group.into_iter().flatten().copied().filter(|word| *word != own).collect()
    }

    /// The letters of what is written without spaces.
    pub(super) fn letters(&self) -> Option<String> {
        match self {
            Self::Part(part) => Some(part.clone()),
            Self::Verb(letter) => Some(letter.to_string()),
            Self::Word(_) | Self::NumberOf(_) | Self::Person(_) => None,
        }
    }

    /// Whether an answer has to hold it, or to answer somebody who asked for it.
    pub(super) fn is_needed(&self) -> bool {
        match self {
            Self::Word(word) | Self::Part(word) => NEEDED.words().any(|needed| needed == word),
            Self::Verb(letter) => {
                NEEDED.words().any(|needed| needed.starts_with(*letter) && needed.chars().count() == 1)
            }
            Self::NumberOf(_) | Self::Person(_) => false,
        }
    }

    /// How much it counts, besides how rare it is.
    pub(super) fn share(&self) -> f64 {
        let is_slight = match self {
            Self::Word(word) => is_slight(word) || (!is_denial(word) && is_common_word(word)),
            Self::Part(part) => SLIGHT_JAPANESE.words().any(|slight| slight == part),
            Self::Verb(letter) => SLIGHT_JAPANESE.words().any(|slight| slight.starts_with(*letter)),
            Self::NumberOf(_) | Self::Person(_) => false,
        };
        if is_slight { OF_A_SLIGHT } else { 1.0 }
    }
}

fn is_denial(stem: &str) -> bool {
    DENIALS.words().any(|denial| denial == stem)
}

/// Whether the stem of an English word says little.
pub(super) fn is_slight(stem: &str) -> bool {
    !is_denial(stem) && SLIGHT.words().any(|slight| english_stem(slight) == stem)
}

/// Whether a text has a kanji that no other kanji follows.
fn is_verb_held(folded: &str, letter: char) -> bool {
    folded.match_indices(letter).any(|(at, found)| {
        let next = folded.get(at + found.len()..).and_then(|rest| rest.chars().next());
        next.is_none_or(|next| writing_system(next) != WritingSystem::Han)
    })
}

/// The share of the pairs of letters of `part` that stand in a text; below a half, none.
pub(super) fn part_held(folded: &str, part: &str) -> f64 {
    if folded.contains(part) {
        return 1.0;
    }
    let letters: Vec<char> = part.chars().collect();
    if letters.len() < 3 {
        return 0.0;
    }
    let pairs: Vec<String> = letters.windows(2).map(|pair| pair.iter().collect()).collect();
    let held = pairs.iter().filter(|pair| folded.contains(pair.as_str())).count();
    let share = share_of_whole(held, pairs.len());
    if share >= 0.5 { share } else { 0.0 }
}

/// One number as a share of another.
fn share_of_whole(part: usize, whole: usize) -> f64 {
    let float = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    float(part) / float(whole.max(1))
}

/// The topics of a folded question with this question word. `names` are the folded names of those who speak in what was found.
pub(super) fn topics_of_question(question: &str, word: Option<&str>, names: &BTreeSet<String>) -> Vec<Topic> {
    let mut rest = without_word(question, word);
    let mut found = Vec::new();
    for name in names.iter().rev() {
        if !is_named(&rest, name) {
            continue;
        }
        rest = rest.replace(name.as_str(), " ");
        found.push(Topic::Person(name.clone()));
    }
    for word in AnswerKind::question_words().filter(|word| !word.is_ascii()) {
        rest = rest.replace(word, " ");
    }
    let mut add = |topic: Topic| {
        if found.len() < MOST_TOPICS && !found.contains(&topic) {
            found.push(topic);
        }
    };
    add_spaced_words(&rest, &mut add);
    add_unspaced_parts(&rest, &mut add);
    found
}

/// Adds the English words of a text.
fn add_spaced_words(text: &str, add: &mut impl FnMut(Topic)) {
    let mut thing = None;
    for word in words_with_spaces(text).split_whitespace() {
        let stem = is_word(word).then(|| english_stem(word.trim_end_matches("'s")).into_owned());
        match (stem, thing.take()) {
            (Some(stem), Some(thing)) if is_number_word(&stem) => add(Topic::NumberOf(thing)),
            (Some(stem), _) => {
                add(Topic::Word(stem.clone()));
                thing = Some(stem);
            }
            (None, _) => {}
        }
    }
}

/// Adds what of a text is written without spaces.
fn add_unspaced_parts(text: &str, add: &mut impl FnMut(Topic)) {
    let mut before = WritingSystem::Other;
    let mut thing: Option<&str> = None;
    let mut end = 0;
    for (kind, run) in runs_of_one_kind(text) {
        let at = text.get(end..).and_then(|tail| tail.find(run)).map_or(end, |at| end + at);
        let follows = if at == end { before } else { WritingSystem::Other };
        (before, end) = (kind, at + run.len());
        let is_of_thing = run == OF || is_number_word(run);
        let named = thing.take().filter(|_| is_of_thing && follows != WritingSystem::Other);
        match (kind, named) {
            (WritingSystem::Han, Some(named)) => add(Topic::NumberOf(named.to_owned())),
            (WritingSystem::Han, None) if run.chars().nth(1).is_none() => {
                run.chars().for_each(|letter| add(Topic::Verb(letter)));
                thing = Some(run);
            }
            (WritingSystem::Han, None) | (WritingSystem::Katakana, _) => {
                add(Topic::Part(run.to_owned()));
                thing = Some(run);
            }
            (WritingSystem::Hiragana, _) => {
                thing = named;
                for part in without_grammar(run, follows == WritingSystem::Han) {
                    add(Topic::Part(part));
                }
            }
            (WritingSystem::Latin | WritingSystem::Digit | WritingSystem::Other, _) => {}
        }
    }
}

/// Whether a word asks for the number of the thing before it.
fn is_number_word(word: &str) -> bool {
    NUMBER.words().any(|number| number == word)
}

/// A question without its question word.
fn without_word(question: &str, word: Option<&str>) -> String {
    match word.filter(|word| word.is_ascii()) {
        Some(word) => words_with_spaces(question).replacen(&format!(" {word} "), " ", 1),
        None => question.to_owned(),
    }
}

/// Whether a question names somebody: a name of Latin letters as a whole word, with or without the s of a genitive.
fn is_named(question: &str, name: &str) -> bool {
    if !name.is_ascii() {
        return question.contains(name);
    }
    let spaced = words_with_spaces(question);
    ["", "s", "'s"].iter().any(|end| spaced.contains(&format!(" {name}{end} ")))
}

/// Whether an English word of a question says what it is about.
pub(super) fn is_word(word: &str) -> bool {
    let bare = word.trim_end_matches("'s");
    let is_question_word = AnswerKind::question_words().any(|asked| asked == word || asked == bare);
    let is_number = bare.bytes().all(|b| b.is_ascii_digit());
    !is_question_word
        && !EMPTY.words().any(|empty| empty == bare || empty == word)
        && (bare.len() > 1 || is_number)
        && !bare.is_empty()
}

/// What of a run of hiragana is a word: what is left of it without grammar. Behind a kanji, what comes first is the
/// kanji's ending.
fn without_grammar(run: &str, behind_kanji: bool) -> Vec<String> {
    let mut parts = Vec::new();
    let mut open = String::new();
    let mut rest = run;
    let mut is_ending = behind_kanji;
    while let Some(first) = rest.chars().next() {
        let grammar = GRAMMAR.words().filter(|word| rest.starts_with(word)).max_by_key(|word| word.len());
        let particle = PARTICLES.contains(first).then(|| rest.get(..first.len_utf8())).flatten();
        let grammar = grammar.or(particle);
        if let Some(word) = grammar {
            close_part(&mut parts, &mut open, &mut is_ending);
            rest = rest.get(word.len()..).unwrap_or_default();
        } else {
            open.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    close_part(&mut parts, &mut open, &mut is_ending);
    parts
}

fn close_part(parts: &mut Vec<String>, open: &mut String, is_ending: &mut bool) {
    let part = std::mem::take(open);
    if part.chars().nth(1).is_some() && !*is_ending {
        parts.push(part);
    }
    *is_ending = false;
}
