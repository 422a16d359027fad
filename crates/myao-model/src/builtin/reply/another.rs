//! Tells a message about another thing of the kind: who asks for the hall of one village is not told that of another.

use std::collections::BTreeSet;

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, fold_for_comparison, letters_and_digits, writing_system},
    worth::{is_common_word, words_with_spaces},
};

use super::topics::{Topic, is_slight, is_word, part_held};

/// The fewest letters of a name that begins with a capital.
const SHORTEST_CAPITAL: usize = 3;
/// The fewest letters of a name that is looked for within words that are written together: `Wi-Fi`, `wifi`.
const SHORTEST_WITHIN: usize = 4;
/// What stands between a Japanese name and what is its.
pub(super) const OF: &str = "の";
/// The same with the beginning of a polite word.
const OF_POLITE: [&str; 3] = [OF, "のお", "のご"];
/// What stands between an English thing and a name behind it: the key of the barn.
const BEHIND: [&str; 2] = ["of", FOR];
const FOR: &str = "for";
/// So many words of a name behind a thing are read: the key of the old village hall.
const LONGEST_NAME: usize = 4;
/// What ends a sentence, behind which every word begins with a capital.
const SENTENCE_ENDS: [char; 5] = ['.', '?', '!', ':', '…'];
static NO_NAMES: Lexicon = Lexicon::of_all("another.no_names");
static HONORIFICS: Lexicon = Lexicon::japanese("another.honorifics");
static NO_PEOPLE: Lexicon = Lexicon::japanese("another.no_people");
/// The longest name that is written in hiragana, in letters: what is longer is a phrase.
const LONGEST_HIRAGANA_NAME: usize = 4;

/// What a question says to tell the thing that it asks about from others of its kind.
pub(super) struct NamedThings {
    /// Names, each with the word of the thing that it stands before.
    before: Vec<NamedThing>,
    /// Things with a name behind them, or before what they are called.
    behind: Vec<ThingOfName>,
    /// Names that begin with a capital within the question.
    capitals: Vec<String>,
    /// Names of people, with an honorific in the question, of whose things it asks: 岩渕さんの電話番号.
    people: Vec<String>,
}

/// A thing and its name: `office` and `kanda` of `the Kanda office`.
struct NamedThing {
    name: String,
    thing: String,
    /// Words that mean about the same as the thing.
    alike: Vec<&'static str>,
}

/// Folded texts that a message belongs to.
#[derive(Default)]
pub(super) struct TextsAround {
    /// Who said it, its channel, its thread, and the question of somebody else that it answers.
    pub(super) together: Vec<String>,
    /// What else was said right before.
    pub(super) before: Vec<String>,
}

impl NamedThings {
    /// Of a question as it was written, whose topics are these.
    pub(super) fn of(question: &str, topics: &[Topic]) -> Self {
        let mut before = names_before_things(&fold_for_comparison(question));
        before.retain(|(name, _)| topics.iter().any(|topic| topic.share() >= 1.0 && is_called(topic, name)));
        let named = |(name, thing): (String, String)| {
            let topic = topics.iter().find(|topic| is_called(topic, &thing));
            NamedThing { alike: topic.map(Topic::alike).unwrap_or_default(), name, thing }
        };
        let behind = things_of_names(&fold_for_comparison(question));
        let behind = behind.into_iter().filter(|one| {
            one.names.last().is_some_and(|name| topics.iter().any(|topic| is_called(topic, name)))
        });
        Self {
            before: before.into_iter().map(named).collect(),
            behind: behind.collect(),
            capitals: capitals_within(question),
            people: people_who_own(&fold_for_comparison(question)),
        }
    }

    /// Whether it names nothing.
    pub(super) fn are_none(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty() && self.capitals.is_empty() && self.people.is_empty()
    }

    /// Whether a folded text is about another thing: it lacks a name, and so does what it belongs to. Of names that begin
    /// with no capital, another one has to stand in its place, or the same one before another thing.
    pub(super) fn is_another(&self, folded: &str, around: &TextsAround) -> bool {
        let together = || std::iter::once(folded).chain(around.together.iter().map(String::as_str));
        let texts = || together().chain(around.before.iter().map(String::as_str));
        if self.capitals.iter().any(|name| !texts().any(|text| is_held(text, name))) {
            return true;
        }
        if self.people.iter().any(|name| !texts().any(|text| text.contains(name.as_str()))) {
            return true;
        }
        let is_told = |name: &String| texts().any(|text| is_held(text, name));
        let of_others = things_of_names(folded);
        let others = names_before_things(folded);
        let is_of_another = |one: &ThingOfName| {
            let is_other = |other: &&ThingOfName| {
                other.thing == one.thing
                    && (one.is_for || !other.is_for)
                    && !other.names.last().is_some_and(|name| one.names.contains(name))
            };
            let is_of_other_kind = |(name, thing): &(String, String)| {
                one.kind.as_ref() == Some(thing) && !one.names.contains(name) && *name != one.thing
            };
            let is_named_otherwise = of_others.iter().any(|other| is_other(&other));
            !one.names.last().is_some_and(is_told)
                && (is_named_otherwise || others.iter().any(is_of_other_kind))
        };
        if self.behind.iter().any(is_of_another) {
            return true;
        }
        self.before.iter().any(|NamedThing { name, thing, alike }| {
            let is_told = if is_told_by_itself(name) {
                together().any(|text| is_held(text, name))
            } else {
                texts().any(|text| is_held(text, name))
            };
            let is_thing_told = || {
                let is_alike = |text: &str| alike.iter().any(|other| is_held(text, other));
                together().any(|text| is_held(text, thing) || is_alike(text))
            };
            let of_another = !is_told && others.iter().any(|(_, its)| its == thing);
            let another_of_it = is_told_by_itself(name)
                && others.iter().any(|(its_name, its)| its_name == name && its != thing)
                && !is_thing_told();
            of_another || another_of_it
        })
    }
}

/// What stands behind the names of people.
pub(super) fn honorifics() -> impl Iterator<Item = &'static str> {
    HONORIFICS.words()
}

/// Whether a folded Japanese text names somebody else than `name`, who speaks.
pub(super) fn names_another(folded: &str, name: &str) -> bool {
    honorifics().any(|honorific| {
        folded.match_indices(honorific).any(|(at, _)| {
            let before = folded.get(..at).unwrap_or_default();
            let is_called = before.ends_with(|c: char| c.is_alphanumeric());
            let is_nobody = NO_PEOPLE.words().any(|word| before.ends_with(word));
            is_called && !is_nobody && (name.is_empty() || !before.ends_with(name))
        })
    })
}

/// The names, with an honorific, of people of whose things a folded question asks.
fn people_who_own(question: &str) -> Vec<String> {
    let named = |honorific: &'static str| {
        let owning = format!("{honorific}{OF}");
        let places: Vec<usize> = question.match_indices(&owning).map(|(at, _)| at).collect();
        places.into_iter().filter_map(|at| {
            let before = question.get(..at)?;
            let (kind, name) = runs_with_gaps(before).pop()?;
            let is_name = match kind {
                WritingSystem::Han | WritingSystem::Katakana | WritingSystem::Latin => true,
                WritingSystem::Hiragana => name.chars().nth(LONGEST_HIRAGANA_NAME).is_none(),
                WritingSystem::Digit | WritingSystem::Other => false,
            };
            (is_name && !NO_PEOPLE.words().any(|word| name.ends_with(word))).then_some(name)
        })
    };
    honorifics().flat_map(named).collect()
}

/// A thing and the words of a name that it belongs to: `password` and `village`, `hall` of `the password of the village hall`
/// or `the village hall's password`.
struct ThingOfName {
    thing: String,
    /// What tells the thing from others of its kind, right before it: `wifi` of `the wifi password of the hall`.
    kind: Option<String>,
    names: Vec<String>,
    /// Whether it is said to be for what bears the name: that may be anything.
    is_for: bool,
}

/// The things of a folded English text that it says to belong to something, or to be for it.
fn things_of_names(folded: &str) -> Vec<ThingOfName> {
    let mut found = Vec::new();
    for part in folded.split([',', ';', '.', '?', '!', ':', '、', '。']) {
        let words = words_of_part(part);
        for (at, word) in words.iter().enumerate() {
            let (before, behind) =
                (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default());
            let (thing, names): (Option<&&str>, Vec<&str>) = if BEHIND.contains(word) {
                let names = behind.iter().copied().skip_while(|word| !is_word(word));
                (before.last(), names.take_while(|word| is_word(word)).take(LONGEST_NAME).collect())
            } else if word.ends_with("'s") {
                // Of `the office's wifi password` the password is the thing.
                (behind.iter().take_while(|word| is_word(word)).last(), vec![*word])
            } else {
                continue;
            };
            let names = names.into_iter().map(stem_of).filter(|name| is_name(name)).collect::<Vec<_>>();
            let thing = thing.filter(|thing| is_word(thing)).map(|thing| stem_of(thing));
            let kind = before.iter().nth_back(1).filter(|kind| BEHIND.contains(word) && is_word(kind));
            found.extend(thing.filter(|_| !names.is_empty()).map(|thing| ThingOfName {
                thing,
                kind: kind.map(|kind| stem_of(kind)),
                names,
                is_for: *word == FOR,
            }));
        }
    }
    found
}

/// Whether a word behind a thing may say which one is meant: there also an everyday word does.
fn is_name(stem: &str) -> bool {
    !NO_NAMES.words().any(|word| word == stem) && !is_slight(stem)
}

/// Whether a name before a thing says by itself which one is meant, whatever was said right before: a Japanese one. In
/// English any word may stand before another.
fn is_told_by_itself(name: &str) -> bool {
    !name.is_ascii()
}

/// Whether a topic is this name.
fn is_called(topic: &Topic, name: &str) -> bool {
    match topic {
        Topic::Word(word) | Topic::Part(word) => word == name,
        Topic::Verb(letter) => name.chars().eq([*letter]),
        Topic::NumberOf(_) | Topic::Person(_) => false,
    }
}

fn is_held(folded: &str, name: &str) -> bool {
    if !name.is_ascii() {
        // What Japanese writes together is told by most of its letters: 来春朝凪館.
        return part_held(folded, name) > 0.0;
    }
    let is_word = words_with_spaces(folded).split_whitespace().any(|word| stem_of(word) == name);
    is_word || (name.len() >= SHORTEST_WITHIN && letters_and_digits(folded).contains(name))
}

fn stem_of(word: &str) -> String {
    english_stem(word.trim_end_matches("'s")).into_owned()
}

/// The words of a folded text that stand right before another one, or before its の.
fn names_before_things(folded: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in folded.split([',', ';', '.', '?', '!', ':', '、', '。']) {
        let words: Vec<&str> = words_of_part(part);
        let pairs = words.windows(2).filter_map(|pair| match pair {
            [name, thing] if is_word(name) && is_word(thing) => Some((stem_of(name), stem_of(thing))),
            _ => None,
        });
        found.extend(pairs);
        found.extend(japanese_names_before_things(part));
    }
    found.retain(|(name, _)| may_be_name(name));
    found
}

/// The English words of a part of a sentence.
fn words_of_part(part: &str) -> Vec<&str> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '\'');
    part.split(ends).filter(|word| !word.is_empty()).collect()
}

fn may_be_name(name: &str) -> bool {
    let is_no_name = NO_NAMES.words().any(|word| word == name);
    !is_no_name && !(name.is_ascii() && (is_slight(name) || is_common_word(name)))
}

fn japanese_names_before_things(part: &str) -> Vec<(String, String)> {
    let runs = runs_with_gaps(part);
    let is_thing = |kind: WritingSystem| matches!(kind, WritingSystem::Han | WritingSystem::Katakana);
    let is_name = |kind: WritingSystem| is_thing(kind) || kind == WritingSystem::Latin;
    let with_of = runs.windows(3).filter_map(|three| match three {
        [(name_kind, name), (WritingSystem::Hiragana, of), (thing_kind, thing)]
            if is_name(*name_kind) && is_thing(*thing_kind) && OF_POLITE.contains(&of.as_str()) =>
        {
            Some((name.clone(), thing.clone()))
        }
        _ => None,
    });
    let together = runs.windows(2).filter_map(|two| match two {
        [(name_kind, name), (thing_kind, thing)] if is_name(*name_kind) && is_thing(*thing_kind) => {
            Some((name.clone(), thing.clone()))
        }
        _ => None,
    });
    with_of.chain(together).collect()
}

/// The runs of characters of one kind, what is neither letter nor digit among them.
fn runs_with_gaps(text: &str) -> Vec<(WritingSystem, String)> {
    let mut runs: Vec<(WritingSystem, String)> = Vec::new();
    for c in text.chars() {
        let kind = writing_system(c);
        match runs.last_mut() {
            Some((last, run)) if *last == kind => run.push(c),
            _ => runs.push((kind, c.to_string())),
        }
    }
    runs
}

/// The folded words that begin with a capital within a sentence; none if most words do, as in a heading.
fn capitals_within(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let begins_large =
        |word: &str| word.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(char::is_uppercase);
    let large = words.iter().filter(|word| begins_large(word)).count();
    if large * 2 > words.len() {
        return Vec::new();
    }
    let within = words.windows(2).filter_map(|pair| match pair {
        [before, word] if begins_large(word) && !before.ends_with(SENTENCE_ENDS) => Some(*word),
        _ => None,
    });
    let names: BTreeSet<String> = within
        .map(|word| fold_for_comparison(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .map(|word| word.trim_end_matches("'s").to_owned())
        .filter(|word| {
            word.is_ascii() && word.len() >= SHORTEST_CAPITAL && !NO_NAMES.words().any(|no| no == word)
        })
        .filter(|word| word.bytes().all(|b| b.is_ascii_alphanumeric()))
        .map(|word| stem_of(&word))
        .collect();
    names.into_iter().collect()
}
