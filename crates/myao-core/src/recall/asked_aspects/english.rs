//! "The price of the shelf", "my writing preferences", "structure the handbook", "which insurance did we decide on".

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::AskedAspect;
use crate::{
    recall::everyday::is_everyday_word,
    text::{Lexicon, english_stem},
};

static NOUNS: Lexicon = Lexicon::english("aspects.nouns");
static VERBS: Lexicon = Lexicon::english("aspects.verbs");
static LINKS: Lexicon = Lexicon::english("aspects.links");
static DETERMINERS: Lexicon = Lexicon::english("aspects.determiners");
static AUXILIARIES: Lexicon = Lexicon::english("aspects.auxiliaries");
static NO_SUBJECTS: Lexicon = Lexicon::english("aspects.no_subjects");
static DAYS: Lexicon = Lexicon::english("changes.days");

static NOUN_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(&NOUNS));
static VERB_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(&VERBS));

fn stems(words: &'static Lexicon) -> HashSet<String> {
    words.words().map(|word| english_stem(word).into_owned()).collect()
}

/// A word of a sentence.
struct SentenceWord<'a> {
    /// Where it stands, without the signs around it.
    place: Range<usize>,
    said: &'a str,
    folded: String,
    stem: String,
    /// Whether a sign behind it ends a phrase.
    ends_phrase: bool,
}

/// The aspects of an English sentence that says of what they are asked.
pub(super) fn english_aspects(sentence: &str) -> Vec<AskedAspect<'_>> {
    let words = words_of_sentence(sentence);
    let aspect = |at: usize| {
        let word = words.get(at)?;
        let is_noun = NOUN_STEMS.contains(&word.stem);
        let is_verb = VERB_STEMS.contains(&word.stem);
        let subject = is_noun.then(|| thing_of_noun(&words, at)).flatten();
        let subject = subject.or_else(|| is_verb.then(|| thing_of_verb(&words, at)).flatten())?;
        Some(AskedAspect { place: word.place.clone(), subject })
    };
    (0..words.len()).filter_map(aspect).collect()
}

fn words_of_sentence(sentence: &str) -> Vec<SentenceWord<'_>> {
    let begin = sentence.as_ptr() as usize;
    let words = sentence.split_whitespace().map(|raw| {
        let said = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let start = said.as_ptr() as usize - begin;
        let behind = raw.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        let folded = said.to_lowercase();
        let plain = folded.strip_suffix("'s").or_else(|| folded.strip_suffix("’s")).unwrap_or(&folded);
        let stem = english_stem(plain).into_owned();
        let ends_phrase = behind < raw.len();
        SentenceWord { place: start..start + said.len(), said, folded, stem, ends_phrase }
    });
    words.collect()
}

/// "The price of the old shelf", "my writing preferences".
fn thing_of_noun<'a>(words: &[SentenceWord<'a>], at: usize) -> Option<&'a str> {
    let is_linked = words.get(at).is_some_and(|word| !word.ends_phrase)
        && words.get(at + 1).is_some_and(|link| is_one_of(link, &LINKS));
    let behind = is_linked.then(|| thing_behind(words, at + 2)).flatten();
    behind.or_else(|| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).filter(|word| !word.ends_phrase)?;
        // "Extended deadlines" are no deadlines of something; "opening times" are times of opening.
        let is_kind = before.folded.ends_with("ing") && !is_aspect(before);
        let is_thing = is_kind || (is_thing(before) && !before.folded.ends_with("ed"));
        is_thing.then_some(before.said)
    })
}

/// "Recommend me a dentist", "which insurance did we decide on".
fn thing_of_verb<'a>(words: &[SentenceWord<'a>], at: usize) -> Option<&'a str> {
    let is_last = words.get(at).is_none_or(|word| word.ends_phrase);
    let linked = at + 1 + usize::from(words.get(at + 1).is_some_and(|word| is_one_of(word, &LINKS)));
    let behind = (!is_last).then(|| thing_behind(words, linked)).flatten();
    behind.or_else(|| {
        let before = words.get(..at)?;
        let auxiliaries = before.iter().rev().take_while(|word| is_one_of(word, &AUXILIARIES)).count();
        let thing = before.get(before.len().checked_sub(auxiliaries + 1)?)?;
        (auxiliaries > 0 && !thing.ends_phrase && is_thing(thing)).then_some(thing.said)
    })
}

/// The thing that is named from the word at `at` on, behind what stands before names.
fn thing_behind<'a>(words: &[SentenceWord<'a>], at: usize) -> Option<&'a str> {
    for word in words.get(at..)? {
        if is_thing(word) {
            return Some(word.said);
        }
        let stands_before =
            is_one_of(word, &DETERMINERS) || is_one_of(word, &NO_SUBJECTS) || is_everyday_word(&word.stem);
        if !stands_before || word.ends_phrase {
            return None;
        }
    }
    None
}

/// Whether a word may name the thing of which something is asked.
fn is_thing(word: &SentenceWord<'_>) -> bool {
    let is_word = word.folded.chars().nth(1).is_some() && word.folded.chars().all(|c| !c.is_ascii_digit());
    let is_english = word.folded.starts_with(|c: char| c.is_alphabetic() && c < '\u{2e80}');
    let is_everyday = is_everyday_word(&word.stem) || is_everyday_word(&word.folded);
    let tells_nothing = [&NO_SUBJECTS, &DETERMINERS, &AUXILIARIES, &LINKS, &DAYS];
    is_word
        && is_english
        && !is_everyday
        && !is_aspect(word)
        && !tells_nothing.iter().any(|list| is_one_of(word, list))
}

fn is_aspect(word: &SentenceWord<'_>) -> bool {
    NOUN_STEMS.contains(&word.stem) || VERB_STEMS.contains(&word.stem)
}

fn is_one_of(word: &SentenceWord<'_>, list: &'static Lexicon) -> bool {
    list.words().any(|one| one == word.folded)
}
