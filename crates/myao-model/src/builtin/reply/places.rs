//! Where a text says that something is. A place that is only the thing that is asked for is none: "at the library" does not
//! say where the library is.

use std::{collections::BTreeSet, ops::Range};

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, writing_system},
    worth::{is_common_word, words_with_spaces},
};

use super::topics::{Topic, is_slight, is_word};

static PLACES: Lexicon = Lexicon::english("kind.places");
static PLACES_JAPANESE: Lexicon = Lexicon::japanese("kind.places");
static NO_PLACES: Lexicon = Lexicon::japanese("kind.no_places");
static TIMES: Lexicon = Lexicon::english("kind.times");
/// What stands behind a Japanese subject that is told of.
static TOLD_OF: Lexicon = Lexicon::japanese("kind.told_of");
static STATES: Lexicon = Lexicon::japanese("kind.states");
static COPULAS: Lexicon = Lexicon::japanese("kind.copulas");
/// What stands behind a thing that is named only as what something is of, or as one of several.
static ATTRIBUTE_LINKS: Lexicon = Lexicon::japanese("kind.attribute_links");
const CLAUSE_ENDS: [char; 11] = [',', ';', '.', ':', '、', '。', '!', '?', '\n', '(', '…'];
/// The most words of a place: in the tall cupboard upstairs.
const LONGEST_PLACE: usize = 4;

/// Whether a folded text tells a place that is not one of these topics.
pub(super) fn tells_place(folded: &str, topics: &[Topic]) -> bool {
    is_at_place(folded, topics) || is_at_japanese_place(folded, topics)
}

/// The English words, as stems, that are no slight ones among topics.
fn asked_words(topics: &[Topic]) -> Vec<&str> {
    let substantial = topics.iter().filter(|topic| topic.share() >= 1.0);
    substantial
        .filter_map(|topic| if let Topic::Word(word) = topic { Some(word.as_str()) } else { None })
        .collect()
}

/// Whether English words tell a place: `at the station`, not `at 11:00` or `on Monday`.
fn is_at_place(folded: &str, topics: &[Topic]) -> bool {
    let asked = asked_words(topics);
    clauses(folded).any(|words| {
        places_in(&words).into_iter().any(|place| {
            let stems = words.get(place).unwrap_or_default();
            let held = asked.iter().filter(|asked| stems.iter().any(|stem| stem == *asked)).count();
            held == 0 || held * 2 <= asked.len()
        })
    })
}

/// Whether an English text speaks of what is asked for only as of a place where something else is: "I'm in a classroom at
/// the mill" does not say where the mill is.
pub(super) fn is_merely_a_place(folded: &str, topics: &[Topic]) -> bool {
    let asked = asked_words(topics);
    let mut held: BTreeSet<&str> = BTreeSet::new();
    for words in clauses(folded) {
        let places = places_in(&words);
        for (at, word) in words.iter().enumerate() {
            let Some(asked) = asked.iter().find(|asked| word == *asked) else { continue };
            if !places.iter().any(|place| place.contains(&at)) {
                return false;
            }
            held.insert(*asked);
        }
    }
    !held.is_empty() && held.len() * 2 > asked.len()
}

/// The words, as stems, of each part of a folded English sentence.
fn clauses(folded: &str) -> impl Iterator<Item = Vec<String>> {
    folded.split(CLAUSE_ENDS).map(|clause| {
        let spaced = words_with_spaces(clause);
        spaced.split_whitespace().map(|word| english_stem(word.trim_end_matches("'s")).into_owned()).collect()
    })
}

/// What of the words of a clause is a place, behind a word of place: the tall cupboard of `in the tall cupboard`.
fn places_in(words: &[String]) -> Vec<Range<usize>> {
    let begins = |at: usize| {
        PLACES.words().any(|place| {
            let sought = place.split(' ').count();
            at.checked_sub(sought)
                .and_then(|from| words.get(from..at))
                .is_some_and(|said| said.join(" ") == place)
        })
    };
    let range = |at: usize| {
        let behind = words.get(at..).unwrap_or_default();
        let from = at + behind.iter().take_while(|word| is_determiner(word)).count();
        let rest = words.get(from..).unwrap_or_default();
        let count = rest.iter().take(LONGEST_PLACE).take_while(|word| !is_determiner(word)).count();
        let is_time = rest.first().is_some_and(|first| {
            first.starts_with(|c: char| c.is_ascii_digit())
                || TIMES.words().any(|time| english_stem(time) == first.as_str())
        });
        (!is_time).then_some(from..from + count)
    };
    (1..=words.len()).filter(|at| begins(*at)).filter_map(range).collect()
}

/// Whether an English word is grammar before or behind a place.
fn is_determiner(word: &str) -> bool {
    !is_word(word) || (is_common_word(word) && !is_slight(word))
}

/// Whether a particle of place stands behind anything but what is asked for.
fn is_at_japanese_place(folded: &str, topics: &[Topic]) -> bool {
    let asked: Vec<String> = topics.iter().filter_map(Topic::letters).collect();
    let is_told = |letters: &String| TOLD_OF.words().any(|particle| is_said_to_be(folded, letters, particle));
    PLACES_JAPANESE.words().any(|place| {
        folded.match_indices(place).any(|(at, found)| {
            let before = folded.get(..at).unwrap_or_default();
            let with_place = folded.get(..at + found.len()).unwrap_or_default();
            let behind = folded.get(at + found.len()..).unwrap_or_default();
            let is_none = NO_PLACES
                .words()
                .any(|none| with_place.ends_with(none) || begins_within(none, with_place, behind));
            let is_asked = asked.iter().any(|letters| before.ends_with(letters.as_str()));
            before.ends_with(|c: char| c.is_alphanumeric() && !c.is_ascii_digit()) && !is_none && !is_asked
        })
    }) || asked.iter().any(is_told)
}

/// Whether a text says of a thing what it is, and that may be a place: 席は窓側です, not 桜餅は大丈夫です.
fn is_said_to_be(folded: &str, letters: &str, particle: &str) -> bool {
    folded.split_once(&format!("{letters}{particle}")).is_some_and(|(_, behind)| {
        let said = behind.split(CLAUSE_ENDS).next().unwrap_or_default().trim();
        let is_so = STATES.words().any(|state| said.contains(state));
        let is_noun = said.ends_with(|c: char| writing_system(c) != WritingSystem::Hiragana);
        !said.is_empty() && !is_so && (is_noun || COPULAS.words().any(|copula| said.ends_with(copula)))
    })
}

/// Whether a word stands across the end of `before`: です of で and す.
fn begins_within(word: &str, before: &str, behind: &str) -> bool {
    word.char_indices().skip(1).any(|(at, _)| {
        let (head, tail) = (word.get(..at).unwrap_or_default(), word.get(at..).unwrap_or_default());
        before.ends_with(head) && behind.starts_with(tail)
    })
}

/// Whether a Japanese text speaks of a thing only as of whose something is, or beside others: 図書館の年度末.
pub(super) fn is_merely_mentioned(folded: &str, thing: &str) -> bool {
    let mut places = folded.match_indices(thing).peekable();
    let is_attribute = |(at, found): (usize, &str)| {
        let behind = folded.get(at + found.len()..).unwrap_or_default();
        let next = behind.chars().next();
        let goes_on =
            next.is_some_and(|c| matches!(writing_system(c), WritingSystem::Han | WritingSystem::Katakana));
        goes_on || ATTRIBUTE_LINKS.words().any(|link| behind.starts_with(link))
    };
    places.peek().is_some() && places.all(is_attribute)
}
